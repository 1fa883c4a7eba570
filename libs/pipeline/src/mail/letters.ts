import type { MailReading } from '@casefile/contracts';
import { compilePhrases, phraseLine, phrasesIn } from '../language/find-phrases.js';
import { askKinds } from '../text-signals/asks-in-other-languages.js';
import lists from './lexicons/matters.json' with { type: 'json' };

/** UTF-16 units of the longest letter, and words below which a mail has hardly any text. */
const LONGEST = 4_000;
const FEW_WORDS = 3;

/** Compiled at the first letter. */
let phrases: Map<string, ReturnType<typeof compilePhrases>> | null = null;

/**
 * Returns whether a mail is a short letter in a language without a lexicon of `text_signals`: it has nothing to open or
 * to write to, and no word of money, codes, offices, emergencies or requests. Its only effect is an answer to its sender.
 * False for a language without a list of such words. Linear in the length of the text.
 * @param language BCP 47
 */
export function isLetter(mail: MailReading, text: string, language: string): boolean {
  const { links, attachments, forms, writesTo, forwarded } = mail;
  const body = bodyOf(text);
  if ([links, attachments, forms, writesTo].some(({ length }) => length > 0) || forwarded !== null)
    return false;
  if (body.length > LONGEST || /\p{Sc}/u.test(body)) return false;
  phrases ??= new Map(Object.entries(lists).map(([code, list]) => [code, compilePhrases({ [code]: list })]));
  const matters = phrases.get(language.split('-')[0] ?? '');
  if (matters === undefined || phrasesIn(phraseLine(text), matters, 1).length > 0) return false;
  return askKinds(body).length === 0;
}

/** Returns whether a mail has nothing but a word or two, as those that find out which addresses are read. */
export function hasHardlyAnyText({ links, attachments }: MailReading, text: string): boolean {
  if (links.length > 0 || attachments.length > 0) return false;
  return (bodyOf(text).match(/[\p{L}\p{N}]{1,200}/gu)?.length ?? 0) < FEW_WORDS;
}

// The text of a mail begins with the lines of its headers.
function bodyOf(text: string): string {
  const end = text.indexOf('\n\n');
  return end === -1 ? text : text.slice(end);
}
