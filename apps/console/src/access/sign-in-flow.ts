import { z } from '@casefile/contracts';
import { localPath } from './local-path.js';

/** State of a sign-in between the two redirects. It is kept in the cookie of the browser that began. */
const flowSchema = z.strictObject({
  state: z.string().min(16).max(200),
  nonce: z.string().min(16).max(200),
  verifier: z.string().min(43).max(128),
  /** Path to which the person returns. */
  to: z.string().max(2_000),
  /** Time of the begin, in milliseconds since the epoch. */
  at: z.number().int(),
});
export type SignInFlow = z.infer<typeof flowSchema>;

/** Time for a sign-in at the provider, in milliseconds. */
export const FLOW_MS = 600_000;
/** Longest cookie value in characters. Browsers refuse cookies over 4 kB. */
const LONGEST = 3_600;

/** Returns the value of the flow's cookie. A path that does not fit becomes `/`. */
export function flowValue(flow: SignInFlow): string {
  const value = encoded(flow);
  return value.length <= LONGEST ? value : encoded({ ...flow, to: '/' });
}

/** Returns the flow of a cookie value; null: it is unreadable or older than 10 minutes. */
export function flowFrom(value: string | null, now: number): SignInFlow | null {
  if (value === null || value.length > LONGEST || !/^[A-Za-z0-9_-]+$/.test(value)) return null;
  const parsed = flowSchema.safeParse(jsonFrom(Buffer.from(value, 'base64url').toString('utf8')));
  if (!parsed.success) return null;
  const { at, to } = parsed.data;
  return at <= now && now - at < FLOW_MS ? { ...parsed.data, to: localPath(to) } : null;
}

function encoded(flow: SignInFlow): string {
  return Buffer.from(JSON.stringify(flow)).toString('base64url');
}

function jsonFrom(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
