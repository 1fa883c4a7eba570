import table from './lexicons/kinds.json' with { type: 'json' };

/** Signs of a scam, with the words that people read. */
export const SIGNAL_KINDS = table.signals;
export type SignalKind = keyof typeof SIGNAL_KINDS;

/** Signs of an honest sender, with the words that people read. */
export const LEGITIMACY_KINDS = table.legitimacy;
export type LegitimacyKind = keyof typeof LEGITIMACY_KINDS;

/** Weights of a construction. Of each kind, the heaviest construction found counts. */
export const WEIGHTS = { weak: 0.5, plain: 1, strong: 2 } as const;
export type Strength = keyof typeof WEIGHTS;

/**
 * Constructions of one language, one per line. Words are separated by a blank. `a/b`: either word; `stem*`:
 * any ending; `@name`: a family of words; `~`: up to three words between, `~6` up to six; `?word`: optional.
 * `$`: an amount of money; `#`: a number. Marks: LINK, PHONE, MAIL, HANDLE, PAYID, COIN, APK, TIME, and NAME
 * (a word with a capital within a sentence). `START` and `END`: of the text or a sentence; `!word`: must not
 * follow.
 */
export interface Lexicon {
  language: string;
  families: Record<string, string>;
  signals: Partial<Record<SignalKind, Partial<Record<Strength, string[]>>>>;
  legitimacy: Partial<Record<LegitimacyKind, Partial<Record<Strength, string[]>>>>;
}
