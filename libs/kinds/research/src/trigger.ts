import type { AlertInput, JsonObject } from '@casefile/contracts';
import { options } from './options.js';

/** Longest text that counts as a question, in UTF-16 units. A longer text is a message to be judged. */
const LONGEST = 500;
const STOPS = '?？!！.。 ';

/**
 * Returns whether a text asks to verify a claim. A message with a link never does: its request to verify is
 * bait for a click.
 */
export function asksToVerify({ text = '', payload, image }: AlertInput, frozen: JsonObject): boolean {
  if (payload !== undefined || image !== undefined || text.length > LONGEST) return false;
  const said = normal(text);
  if (said === '' || /https?:|www\./.test(said)) return false;
  const { triggers = [] } = options.shown(frozen);
  return triggers.some((trigger) => {
    const words = normal(trigger.replace(/^…/, ''));
    return trigger.startsWith('…') ? said.endsWith(words) : said.startsWith(words);
  });
}

function normal(text: string): string {
  const one = text.normalize('NFKC').toLowerCase().replaceAll('臺', '台').trim();
  let end = one.length;
  while (end > 0 && STOPS.includes(one[end - 1] as string)) end -= 1;
  return one.slice(0, end);
}
