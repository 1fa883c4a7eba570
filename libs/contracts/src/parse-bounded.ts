import { countJson } from './count-json.js';
import { CasefileError } from './errors/casefile-error.js';
import type { Json } from './json.js';

/**
 * Most values (strings, numbers, objects, arrays ...) of one answer of another system, the same limit as for an intake batch.
 * 1.5 million took 0.7 GB and 2 s to parse.
 */
export const MOST_ANSWER_VALUES = 200_000;

/**
 * Parses the JSON of an answer. Its values are counted before, because a parser takes up to a second and 100 MB for a few
 * megabytes of empty objects.
 * @param what name of the answer in errors.
 * @throws CasefileError `too_large` if it has more values; SyntaxError if it is not JSON.
 */
export function parseBounded(text: string | Buffer, what: string, most = MOST_ANSWER_VALUES): Json {
  // Fewer characters cannot have more values.
  const { values } =
    text.length <= most ? { values: 0 } : countJson(typeof text === 'string' ? Buffer.from(text) : text);
  if (values > most) throw new CasefileError('too_large', `${what} has more than ${most} values`);
  return JSON.parse(text.toString()) as Json;
}
