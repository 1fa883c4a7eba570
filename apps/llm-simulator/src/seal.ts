import { createHmac, timingSafeEqual } from 'node:crypto';

/** No secret: it makes a seal fail that was changed, on every simulator alike. */
const KEY = 'casefile-simulator';

/**
 * What a provider hands out for reasoning that has to come back as it was: a signature, an encrypted content. It holds
 * the reasoning itself, and fits only to what was `shown` beside it. Whoever decodes it sees that it is simulated.
 */
export function seal(reasoning: string, shown = ''): string {
  const mac = macOf(reasoning, shown).toString('hex');
  return Buffer.from(JSON.stringify({ simulated: true, reasoning, mac })).toString('base64');
}

/** Is it a seal of the simulator, and for what is shown beside it? */
export function isSealed(sealed: unknown, shown = ''): boolean {
  const { reasoning, mac } = opened(sealed);
  if (typeof reasoning !== 'string' || typeof mac !== 'string') return false;
  const wanted = macOf(reasoning, shown);
  const given = Buffer.from(mac, 'hex');
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function macOf(reasoning: string, shown: string): Buffer {
  return createHmac('sha256', KEY)
    .update(JSON.stringify([reasoning, shown]))
    .digest();
}

function opened(sealed: unknown): { reasoning?: unknown; mac?: unknown } {
  if (typeof sealed !== 'string') return {};
  try {
    const value: unknown = JSON.parse(Buffer.from(sealed, 'base64').toString('utf8'));
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
