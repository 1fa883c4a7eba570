import lists from './lexicons/asks.json' with { type: 'json' };

/** Requests and actions of a text, in words for people. */
const ASKS = {
  money: 'asks for a payment',
  secret: 'asks for a code, password, card or identity papers',
  pressure: 'sets a deadline or threatens with a loss',
  secrecy: 'asks to keep it secret or not to call',
  gain: 'promises a gain, a prize or a refund',
  install: 'wants a file or an app installed',
  channel: 'moves to a messenger, or names a new number or account',
} as const;
type Ask = keyof typeof ASKS;

/**
 * Words with which scams in languages without a lexicon ask for something, in lower case and without
 * diacritics. They are too few to judge a text. They only serve to doubt a model that calls such a text
 * harmless.
 */
const WORDS = Object.fromEntries(
  Object.entries(lists).map(([ask, list]) => [
    ask,
    list.split('/').map((word) => ({ word, form: formOf(word) })),
  ]),
) as unknown as Record<Ask, readonly { word: string; form: RegExp }[]>;

// A blank in the list stands for the begin or end of a word. Elsewhere a word may be a part of a longer one, as many
// languages join and inflect words.
function formOf(word: string): RegExp {
  const escaped = word.trim().replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const start = word.startsWith(' ') ? String.raw`(?<!\p{L})` : '';
  return new RegExp(start + escaped + (word.endsWith(' ') ? String.raw`(?!\p{L})` : ''), 'u');
}

/** Number of characters of a text that are read. */
const READ = 8_000;

/** An app installer and programs for remote control, each of which is sufficient alone. */
const ENOUGH = /\.apk\b|\banydesk\b|\bteamviewer\b|\bquicksupport\b/;
const LEAST = 2;

/**
 * Returns the requests of a text in a language without a lexicon, each with the words of the text; empty: too
 * few to doubt a model. Of 300 harmless messages in 15 languages (samples/eval/other-languages.jsonl), none
 * has two kinds of requests.
 */
export function asksInOtherLanguages(text: string): string[] {
  const plain = textPlain(text.slice(0, READ));
  const asks = found(plain).map(({ ask, word }) => `${ASKS[ask]} ("${word.trim()}")`);
  return asks.length >= LEAST || ENOUGH.test(plain) ? asks : [];
}

/** Returns the kinds of requests whose words a text has, also a single one. Too few to doubt that a text is harmless. */
export const askKinds = (text: string): Ask[] => found(textPlain(text.slice(0, READ))).map(({ ask }) => ask);

function found(plain: string): { ask: Ask; word: string }[] {
  return (Object.keys(WORDS) as Ask[]).flatMap((ask) => {
    const found = WORDS[ask].find(({ form }) => form.test(plain));
    return found === undefined ? [] : [{ ask, word: found.word }];
  });
}

// Words are compared without case and diacritics. Apostrophes separate words.
const textPlain = (text: string): string =>
  ` ${text.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '').normalize('NFC').replace(/[’'`]/g, ' ').replace(/\s+/g, ' ')} `;
