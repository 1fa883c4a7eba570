import type { Lexicon } from '../kinds.js';
import en from './en.json' with { type: 'json' };
import hi from './hi.json' with { type: 'json' };
import hiLatn from './hi-latn.json' with { type: 'json' };

/** Lexicon of English in current messages: word families and constructions, no sentences. */
export const english: Lexicon = en;

/** Lexicon of Hindi in Devanagari, with English words that occur in Hindi texts. */
export const hindi: Lexicon = hi;

/** Lexicon of Hindi in Latin letters. Spellings are unified, so one entry stands for many spellings. */
export const romanisedHindi: Lexicon = hiLatn;

/** Words of which two make a text romanised Hindi. Words that are common in English are left out. */
export const FUNCTION_WORDS = hiLatn.functionWords.split(' ');
