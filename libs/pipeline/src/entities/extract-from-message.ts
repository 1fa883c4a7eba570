import { asCasefileError } from '@casefile/contracts';
import { detectLanguage, type DetectedLanguage } from '../language/detect-language.js';
import type { Extraction, ExtractionContext } from '../parts/from-text.js';
import { extractEntities } from './extract-entities.js';
import { regionsOfLanguage, regionsOfNumbers, regionsOfSender, type Region } from './phone-regions.js';

/** Certainty from which the language of a text determines the country of its numbers. */
const CERTAIN = 0.6;
/** A number that may lack its country code. */
const NATIONAL = /(?<![+\d])\(?\d(?:[ ().-]{0,2}\d){5}/;
const MOST_LIKELY = 4;

/**
 * Extracts the entities of a message. A phone number without a country code is read in the countries of the
 * sender, of the text's other numbers and of its language, then in those of the configuration.
 * @param regions countries of the configuration
 */
export async function extractFromMessage(
  text: string,
  { alert }: ExtractionContext,
  regions: readonly Region[],
  detect: (text: string) => Promise<Pick<DetectedLanguage, 'code' | 'certainty'>> = detectLanguage,
): Promise<Extraction> {
  const named = [...new Set([...regionsOfSender(alert), ...regionsOfNumbers(text)])];
  if (named.length > 0 || !NATIONAL.test(text))
    return extractEntities(text, { regions, likely: named.slice(0, MOST_LIKELY) });
  try {
    const { code, certainty } = await detect(text);
    return extractEntities(text, { regions, likely: certainty < CERTAIN ? [] : regionsOfLanguage(code) });
  } catch (thrown) {
    const note = `The language of the text could not be detected: ${asCasefileError(thrown).message}`;
    const { entities, notes } = extractEntities(text, { regions });
    return { entities, notes: [...notes, note] };
  }
}
