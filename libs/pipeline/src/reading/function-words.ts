import table from './words/function-words.json' with { type: 'json' };

const STOP = new Set(table.stop.split(' '));
const { en, ...others } = table.telling;
const ENGLISH = new Set(en.split(' '));
const OTHERS = new Set(Object.values(others).flatMap((list) => list.split(' ')));

/** Returns whether a word of English, in lower case, says nothing about the subject of a text. */
export const isStopWord = (word: string): boolean => STOP.has(word);
/** Returns whether a word shows that a text is English. */
export const isEnglish = (word: string): boolean => ENGLISH.has(word);
/** Returns whether a word shows that a text in Latin letters is not English. */
export const isNotEnglish = (word: string): boolean => OTHERS.has(word) && !ENGLISH.has(word);
