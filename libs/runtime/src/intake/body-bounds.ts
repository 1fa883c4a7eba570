import { CasefileError, countJson } from '@casefile/contracts';

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

/**
 * Refuses a body that holds more than an alert, or a batch of them, may.
 * @param isBatch Does it hold many alerts, whatever its shape is? Left out: an array does.
 * @throws CasefileError `too_large` that names the limit.
 */
export function checkBody(body: Uint8Array, bounds: BodyBounds, isBatch = false): void {
  const counts = countJson(body);
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
