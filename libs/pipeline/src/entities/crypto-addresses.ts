import { createHash } from 'node:crypto';
import { bech32, bech32m, createBase58check } from '@scure/base';

const MAX_ADDRESSES_TRIED = 2_000;
const base58check = createBase58check(
  (data: Uint8Array) => new Uint8Array(createHash('sha256').update(data).digest()),
);

/** Version bytes of base58 addresses: Bitcoin P2PKH and P2SH, TRON. */
const VERSIONS = new Set([0x00, 0x05, 0x41]);
const CANDIDATE =
  /(?<![A-Za-z0-9])(?:0x[0-9a-fA-F]{40}|bc1[02-9ac-hj-np-z]{11,71}|BC1[02-9AC-HJ-NP-Z]{11,71}|[13T][1-9A-HJ-NP-Za-km-z]{25,34})(?![A-Za-z0-9])/g;

/**
 * Finds Bitcoin (base58 and bech32), TRON and Ethereum addresses. Checksums are verified in formats that
 * always have one.
 */
export function findCryptoAddresses(text: string): string[] {
  const addresses: string[] = [];
  let guesses = 0;
  for (const [candidate] of text.matchAll(CANDIDATE)) {
    if (isAddress(candidate)) addresses.push(normalisedAddress(candidate));
    if ((guesses += 1) >= MAX_ADDRESSES_TRIED) break;
  }
  return addresses;
}

/** Returns whether this is a wallet address. The checksum is verified in formats that always have one. */
export function isAddress(text: string): boolean {
  if (text.startsWith('0x')) return true;
  if (/^bc1/i.test(text))
    return [bech32, bech32m].some((coder) => coder.decodeUnsafe(text, 90) !== undefined);
  return isBase58Check(text);
}

// The library throws if a checksum is wrong.
function isBase58Check(text: string): boolean {
  try {
    const bytes = base58check.decode(text);
    return bytes.length === 21 && VERSIONS.has(bytes[0] ?? -1);
  } catch {
    return false;
  }
}

// Only base58 distinguishes upper from lower case.
function normalisedAddress(address: string): string {
  return /^(?:0x|bc1)/i.test(address) ? address.toLowerCase() : address;
}
