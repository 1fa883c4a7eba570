import type { Brief, JsonObject, ToolRequest } from '@casefile/contracts';
import { withoutDisguises } from '@casefile/pipeline/language/without-disguises';
import { fanOut, type LookUpPlan } from '@casefile/pipeline/parts/look-ups';
import { plainText } from '@casefile/pipeline/plain-text';
import { readMailRequest } from '@casefile/pipeline/scam/mail-findings';
import { readTextRequest } from '@casefile/pipeline/text-signals/signals-found';
import { options, type ScreeningOptions } from './options.js';

export const SIMILAR = 'find_similar_scams';
/**
 * Number of UTF-16 units of a message that are compared with known patterns. The subject is near the
 * beginning.
 */
const LOOKED_UP = 2_000;

/** Similar known patterns are a separate look-up, so the text is read without them. */
export const requests: LookUpPlan = (input, tools) => [
  ...fanOut(input, tools),
  ...patternLookUp(input.brief, options.read(input.settings.options)),
  ...readTextRequest(input.brief, 0),
  ...readMailRequest(input.brief),
];

/**
 * Returns the look-up of known patterns similar to a message. Only languages of the knowledge base are
 * searched.
 */
export function patternLookUp({ text, mode, language }: Brief, own: ScreeningOptions): ToolRequest[] {
  const entityValue = plainText(withoutDisguises(text).text.trim().slice(0, LOOKED_UP)).trim();
  if (mode !== 'normal' || entityValue === '') return [];
  const args = {
    entityType: 'message',
    entityValue,
    language: language?.code ?? 'und',
    ...lookUpOptions(own),
  };
  return [{ tool: SIMILAR, args }];
}

// The tool has defaults for absent options, and reports which one is wrong.
function lookUpOptions({ matches, highFrom, mediumFrom, levels }: ScreeningOptions): JsonObject {
  const given = Object.entries({ matches, highFrom, mediumFrom, levels }).filter(
    ([, value]) => value !== undefined,
  );
  return Object.fromEntries(given) as JsonObject;
}
