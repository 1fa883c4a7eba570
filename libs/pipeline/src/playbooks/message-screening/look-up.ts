import type { Brief, JsonObject, ToolRequest } from '@casefile/contracts';
import { withoutDisguises } from '../../language/without-disguises.js';
import { fanOut, type Plan } from '../../parts/look-ups.js';
import { plainText } from '../../plain-text.js';
import { readTextRequest } from '../../text-signals/signals-found.js';
import { options, type ScreeningOptions } from './options.js';

export const SIMILAR = 'find_similar_scams';
/** UTF-16 units of a message by which known patterns are looked up: its subject is near its beginning. */
const LOOKED_UP = 2_000;

/** Known patterns like the message have a look-up of their own, so the text is read without them. */
export const requests: Plan = (input, tools) => [
  ...fanOut(input, tools),
  ...patternLookUp(input.brief, options.read(input.settings.options)),
  ...readTextRequest(input.brief, 0),
];

/** The look-up of known patterns like a message. Only a language of the knowledge base is looked up in it. */
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
