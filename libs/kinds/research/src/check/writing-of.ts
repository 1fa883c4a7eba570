import { claimLanguage } from '@casefile/pipeline/claims/claim-language';
import { detectWriting, type Writing } from '@casefile/pipeline/reading/index';

const OWN_WRITING: ReadonlySet<string> = new Set(['en', 'zh', 'ja']);
const LEAST_WORDS = 3;

/** Returns the writing of a text. A few words of Spanish have too few function words for their script to be distinguished from English. */
export function writingOf(text: string): Writing {
  const { code } = claimLanguage(text);
  return code !== null && !OWN_WRITING.has(code) && /\p{Script=Latin}/u.test(text)
    ? 'latin'
    : detectWriting(text);
}

/** Returns whether a source is in another language than a sentence, also in the same script. */
export function isOfOtherLanguage(sentence: string, source: string): boolean {
  const [own, other] = [claimLanguage(sentence), claimLanguage(source)];
  if (own.code === null || own.isUnread) return false;
  if (other.isUnread) return true;
  const words = source.match(/\p{L}{2,}/gu) ?? [];
  // English has no marks on its letters.
  const isMarked = /[^\p{ASCII}\p{P}\p{S}\p{Z}]/u.test(source);
  return other.code === null ? isMarked && words.length >= LEAST_WORDS : other.code !== own.code;
}
