import type { AlertInput, JsonObject } from '@casefile/contracts';
import { options } from './options.js';

/** A question is short; what is longer is a message to be judged. In UTF-16 units. */
const LONGEST = 500;
const STOPS = '?？!！.。 ';

/** Does a text ask whether something is so? Messages with links are none: whoever asks to verify there wants a click. S5-50. */
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
