import type { AlertInput } from '../artifacts/index.js';
import { firstCharacters } from '../first-characters.js';

/** How much of an alert's text a case shows in lists, in characters. */
const SHOWN_CHARACTERS = 280;

/** How an alert is called in lists. */
export function shownText(alert: AlertInput): string {
  return firstCharacters(nameOf(alert), SHOWN_CHARACTERS);
}

// By its text; where its substance is its payload, by that's own title, or by what it asks.
function nameOf({ text = '', payload }: AlertInput): string {
  if (text.trim() !== '') return text;
  const named = [payload?.['title'], payload?.['query']].map((one) =>
    typeof one === 'string' ? one.trim() : '',
  );
  return named.find((one) => one !== '') ?? '';
}
