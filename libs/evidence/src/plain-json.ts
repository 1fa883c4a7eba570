import { CasefileError, type Json } from '@casefile/contracts';

const MAX_DEPTH = 64;

/**
 * A copy of `value` that any JSON store takes: NUL characters and lone surrogates (which Postgres refuses) become
 * U+FFFD. @throws CasefileError `bad_answer` when it is not JSON: a date, undefined, NaN, a circle, too deep.
 */
export function plainJson(value: unknown, depth = 0): Json {
  if (depth > MAX_DEPTH) throw notJson('it nests too deep');
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') return storable(value);
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (Array.isArray(value)) return value.map((item) => plainJson(item, depth + 1));
  if (!isPlainObject(value))
    throw notJson(`it holds ${typeof value === 'object' ? 'an object of a class' : String(value)}`);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [storable(key), plainJson(item, depth + 1)]),
  );
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function storable(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD').replace(/\p{Surrogate}/gu, '\uFFFD');
}

function notJson(why: string): CasefileError {
  return new CasefileError('bad_answer', `The tool's result is not plain JSON: ${why}`);
}
