import { createHash, randomBytes } from 'node:crypto';
import { PAGE_KINDS, SEVERITIES, type PageLinks, type TakenDelivery } from '@casefile/contracts';
import type { OutboundMessage } from './outbound-message.js';

/** Time in which a link can be used, in milliseconds. */
const LINK_MS = 3_600_000;
/** 32 random bytes in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Returns the digest by which a link is stored; null: the text is no token. */
export function pageLinkHash(token: string): string | null {
  return TOKEN.test(token) ? createHash('sha256').update(token).digest('hex') : null;
}

/** Returns the path of the page of a link, in the console. */
export const pageLinkPath = (token: string): string => `/acknowledge/${token}`;

/**
 * Creates the link of one attempt of a delivery. Only its digest is stored, so a later attempt gets another one.
 * @returns null: the message asks no person to act.
 */
export async function newPageLink(
  { links, consoleUrl }: { links: Pick<PageLinks, 'add'>; consoleUrl: string },
  destination: string,
  { id: deliveryId, runId }: Pick<TakenDelivery, 'id' | 'runId'>,
  { kind, caseId, verdict, severity }: Pick<OutboundMessage, 'kind' | 'caseId' | 'verdict' | 'severity'>,
  now: number,
): Promise<string | null> {
  const isPage = PAGE_KINDS.includes(kind) && verdict?.verdict.disposition !== 'dismiss';
  if (!isPage || caseId === null || runId === null) return null;
  const token = randomBytes(32).toString('base64url');
  const tokenHash = pageLinkHash(token)!;
  // A kind from outside may state any text as its severity.
  const known = SEVERITIES.find((one) => one === severity) ?? 'unknown';
  const link = { tokenHash, deliveryId, destination, caseId, runId, severity: known };
  await links.add({ ...link, expiresAt: now + LINK_MS }, now);
  return `${consoleUrl}${pageLinkPath(token)}`;
}
