import { CasefileError, countJson } from '@casefile/contracts';

/** Maximum nesting of an alert. Real alerts are much flatter. */
export const MAX_DEPTH = 32;

/** Limits of a body; settings `intake.*`. */
export interface BodyBounds {
  /** Values (strings, numbers, objects, arrays ...) of one alert. */
  maxAlertValues: number;
  /** Keys of one object. */
  maxObjectKeys: number;
  /** Bytes of one alert without its image. */
  maxAlertBytes: number;
  /** Bytes of a batch. */
  maxBatchBytes: number;
  /** Total values of a batch. */
  maxBatchValues: number;
}

/**
 * Refuses a body that exceeds the limits of an alert, or of a batch.
 * @param isBatch Whether the body has several alerts, whatever its shape. Default: only if it is an array.
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
