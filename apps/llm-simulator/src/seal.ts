import { createHmac, timingSafeEqual } from 'node:crypto';

/** Not a secret. All simulators share it, so that each of them detects a changed seal. */
const KEY = 'casefile-simulator';

/**
 * Returns a seal for reasoning that has to come back unchanged, like a provider's signature or encrypted
 * content. The seal contains the reasoning, and is valid only together with the visible text. Its
 * decoded form shows that it is simulated.
 */
export function seal(reasoning: string, visibleText = ''): string {
  const mac = reasoningMac(reasoning, visibleText).toString('hex');
  return Buffer.from(JSON.stringify({ simulated: true, reasoning, mac })).toString('base64');
}

/** Returns whether this is a valid seal of the simulator for this visible text. */
export function isSealed(sealed: unknown, visibleText = ''): boolean {
  const { reasoning, mac } = openedSealed(sealed);
  if (typeof reasoning !== 'string' || typeof mac !== 'string') return false;
  const expectedMac = reasoningMac(reasoning, visibleText);
  const suppliedMac = Buffer.from(mac, 'hex');
  return suppliedMac.length === expectedMac.length && timingSafeEqual(suppliedMac, expectedMac);
}

function reasoningMac(reasoning: string, visibleText: string): Buffer {
  return createHmac('sha256', KEY)
    .update(JSON.stringify([reasoning, visibleText]))
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
