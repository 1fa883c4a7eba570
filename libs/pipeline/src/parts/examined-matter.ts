import type { Prompt } from '../prompts/prompt.js';

/** Prompt sections of a cross-examination, the same for every playbook. */
export const EXAMINATION_SECTIONS = {
  system: [],
  about: ['about'],
  claims: ['claims'],
  sources: ['sources'],
  task: ['schema'],
  retry: ['answer', 'problem'],
} as const;
export type ExaminationPrompt = Prompt<typeof EXAMINATION_SECTIONS>;

/** A claim of a draft, with the ids of the sources that it cites. */
export interface Claim {
  /** Unique in its question: `C1`. */
  id: string;
  text: string;
  sources: readonly string[];
}

/** A source as the question shows it. */
export interface ClaimSource {
  id: string;
  /** One line: the origin of the text. */
  title: string;
  text: string;
  /** Whether each line stands alone, as in logs and metrics. Default: the text is prose. */
  isLines?: boolean;
}

/** Subject of a cross-examination. */
export interface Matter {
  prompt: ExaminationPrompt;
  /** Subject of the case: the alert, the query. */
  about: string;
  claims: readonly Claim[];
  /** The cited sources, and others that may contradict a claim. */
  sources: readonly ClaimSource[];
  /** Returns a statement of a source in the form of a claim, for planted claims. Default: as it is. */
  asClaim?(statement: string): string;
  /**
   * Returns whether a quote that supports a claim is about something else, so that the question is repeated. Default: by
   * subject and quantity of claim and quote.
   */
  isOfOther?(claim: Claim, quote: string, source: ClaimSource): boolean;
}
