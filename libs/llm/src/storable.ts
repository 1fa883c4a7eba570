import type { Json } from '@casefile/contracts';

const REPLACEMENT = '\uFFFD';
/** Deeper than any provider's answer; the limits of PostgreSQL and JSON.stringify are far higher. */
const MAX_DEPTH = 100;
const TOO_DEEP = `(nested deeper than ${MAX_DEPTH} levels: left out)`;

/**
 * Returns a copy that any store accepts. NUL characters and lone surrogates become U+FFFD. Values nested too
 * deep are replaced by a remark, so that nothing is lost without a mark.
 */
export function storable(value: Json, depth = 0): Json {
  if (typeof value === 'string') return storableText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return TOO_DEEP;
  if (Array.isArray(value)) return value.map((item) => storable(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [storableText(key), storable(item, depth + 1)]),
  );
}

/** `storable` for one text. */
export function storableText(text: string): string {
  // With the flag u only a surrogate without its partner matches.
  return text.replaceAll('\0', REPLACEMENT).replace(/[\uD800-\uDFFF]/gu, REPLACEMENT);
}
