import { createHmac, timingSafeEqual } from 'node:crypto';

/** Not a secret. All simulators share it, so that each of them detects a changed seal. */
const KEY = 'casefile-simulator';

/**
 * Returns a seal for reasoning that has to come back unchanged, like a provider's signature or encrypted
 * content. The seal contains the reasoning, and is valid only together with `shown`, the visible text. Its
 * decoded form shows that it is simulated.
 */
export function seal(reasoning: string, shown = ''): string {
  const mac = reasoningMac(reasoning, shown).toString('hex');
  return Buffer.from(JSON.stringify({ simulated: true, reasoning, mac })).toString('base64');
}

/** Returns whether this is a valid seal of the simulator for the visible text `shown`. */
export function isSealed(sealed: unknown, shown = ''): boolean {
  const { reasoning, mac } = openedSealed(sealed);
  if (typeof reasoning !== 'string' || typeof mac !== 'string') return false;
  const wanted = reasoningMac(reasoning, shown);
  const given = Buffer.from(mac, 'hex');
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function reasoningMac(reasoning: string, shown: string): Buffer {
  return createHmac('sha256', KEY)
    .update(JSON.stringify([reasoning, shown]))
    .digest();
}

function openedSealed(sealed: unknown): { reasoning?: unknown; mac?: unknown } {
  if (typeof sealed !== 'string') return {};
  try {
    const value: unknown = JSON.parse(Buffer.from(sealed, 'base64').toString('utf8'));
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
