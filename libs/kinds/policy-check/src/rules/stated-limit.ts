import type { Limit, Measure, Relation } from '@casefile/pipeline/reading/index';
import type { PlainLanguage } from './plain-words.js';

/** A limit that one sentence, or one cell of a table, states in full. */
export interface PlainLimit {
  limit: Limit;
  relation: Relation;
  measure: Measure;
  language: PlainLanguage;
  /** Words of the sentence that tell what it is about, folded. The question or the facts must have each of them. */
  words: readonly string[];
  /** Words around the sentence that the question may have too. */
  titleWords: readonly string[];
  /** Words of which the question must have one. */
  matter: readonly string[];
  /** Whether the sentence refuses something, so that a value outside of it grants nothing. */
  isDenial: boolean;
  isNet: boolean;
  /** What the limit counts for each of (`per night`); null: it is no rate. */
  each: string | null;
}
