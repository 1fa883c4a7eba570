import { CasefileError } from '@casefile/contracts';

/** Deeper nesting than this is no alert anybody wrote. */
export const MAX_DEPTH = 32;

/** What a body may hold; settings `intake.*`. */
export interface BodyBounds {
  /** Values (strings, numbers, objects, arrays ...) of one alert. */
  maxAlertValues: number;
  /** Keys of one object. */
  maxObjectKeys: number;
  /** Bytes of one alert besides its image. */
  maxAlertBytes: number;
  /** Bytes of a batch. */
  maxBatchBytes: number;
  /** Values of a batch in all. */
  maxBatchValues: number;
}

const CODE = {
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openArray: 0x5b,
  backslash: 0x5c,
  closeArray: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

/** What the bytes of a JSON text show before it is parsed. */
export interface BodyCounts {
  /** At most so many values: every value but the first follows a comma, a colon or an opening bracket. */
  values: number;
  /** Keys of the object that has most. */
  keys: number;
  /** Does it begin as an array, which is a batch? */
  isArray: boolean;
  /** Bytes of the longest string: where there is an image, that is what it takes. */
  longestString: number;
}

/**
 * Counts a JSON text's values and keys in its raw bytes, in one pass: a parser would already have built what is
 * too much (10 MB of `{}` take a minute and 1.6 GB to work through). A text that is no JSON counts for what it looks like.
 */
export function countBody(body: Uint8Array): BodyCounts {
  const counts: BodyCounts = { values: 1, keys: 0, isArray: false, longestString: 0 };
  const keys: number[] = [];
  let depth = 0;
  let seen = false;
  for (let at = 0; at < body.length; at += 1) {
    const code = body[at] as number;
    if (code <= 0x20) continue;
    if (!seen) {
      seen = true;
      counts.isArray = code === CODE.openArray;
    }
    if (code === CODE.quote) {
      const end = endOfString(body, at + 1);
      counts.longestString = Math.max(counts.longestString, end - at - 1);
      at = end;
    } else if (code === CODE.comma) counts.values += 1;
    else if (code === CODE.colon) {
      keys[depth] = (keys[depth] ?? 0) + 1;
      counts.keys = Math.max(counts.keys, keys[depth] ?? 0);
    } else if (code === CODE.openArray || code === CODE.openObject) {
      counts.values += 1;
      depth += 1;
      keys[depth] = 0;
    } else if (code === CODE.closeArray || code === CODE.closeObject) depth = Math.max(0, depth - 1);
  }
  return counts;
}

function endOfString(body: Uint8Array, from: number): number {
  let at = from;
  while (at < body.length && body[at] !== CODE.quote) at += body[at] === CODE.backslash ? 2 : 1;
  return at;
}

/**
 * Refuses a body that holds more than an alert, or a batch of them, may.
 * @param isBatch Does it hold many alerts, whatever its shape is? Left out: an array does.
 * @throws CasefileError `too_large` that names the limit.
 */
export function checkBody(body: Uint8Array, bounds: BodyBounds, isBatch = false): void {
  const counts = countBody(body);
  const many = isBatch || counts.isArray;
  const [bytes, values] = many
    ? (['maxBatchBytes', 'maxBatchValues'] as const)
    : (['maxAlertBytes', 'maxAlertValues'] as const);
  const measured = many ? body.length : body.length - counts.longestString;
  if (measured > bounds[bytes])
    throw tooLarge(bytes, bounds[bytes], many ? 'bytes' : 'bytes besides an image');
  if (counts.values > bounds[values]) throw tooLarge(values, bounds[values], 'values');
  if (counts.keys > bounds.maxObjectKeys)
    throw tooLarge('maxObjectKeys', bounds.maxObjectKeys, 'keys in one object');
}

function tooLarge(setting: keyof BodyBounds, limit: number, what: string): CasefileError {
  return new CasefileError(
    'too_large',
    `The body holds more than ${limit} ${what}: the setting intake.${setting} bounds it.`,
  );
}
