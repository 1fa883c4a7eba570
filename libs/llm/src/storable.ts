import type { Json } from '@casefile/contracts';

const REPLACEMENT = '\uFFFD';
/** Deeper than any provider's answer; PostgreSQL's and JSON.stringify's own limits are far beyond it. */
const MAX_DEPTH = 100;
const TOO_DEEP = `(nested deeper than ${MAX_DEPTH} levels: left out)`;

/**
 * A copy that any store takes: NUL characters and lone surrogates become U+FFFD, what is nested too deep becomes
 * a remark in its place. S2-22: nothing goes missing without a mark.
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
