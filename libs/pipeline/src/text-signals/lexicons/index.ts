import type { Lexicon } from '../kinds.js';
import en from './en.json' with { type: 'json' };
import hi from './hi.json' with { type: 'json' };
import hiLatn from './hi-latn.json' with { type: 'json' };

/** English, as this year's messages have it. Word families and constructions, no sentences. */
export const english: Lexicon = en;

/** Hindi in Devanagari, with the English words that are written into it. */
export const hindi: Lexicon = hi;

/** Hindi in Latin letters. Its spelling is folded, so that one of many stands for all. */
export const romanisedHindi: Lexicon = hiLatn;

/** A text with at least two of them is romanised Hindi. Words that are common in English are left out. */
export const FUNCTION_WORDS = hiLatn.functionWords.split(' ');
