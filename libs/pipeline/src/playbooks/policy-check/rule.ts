import type { CitableFact } from '@casefile/contracts';
import type { NamedFact } from './established-facts.js';
import type { Sentence } from './found-sections.js';

/** A requirement that was read from a sentence: what is required, and how a case's facts are held against it. */
export interface Requirement {
  kind: 'period' | 'bound' | 'duty';
  sentence: Sentence;
  /** Stems of whom or what it is about. */
  subject: string[];
  /** Another requirement of the same kind and key says the same. */
  key: string;
  check(at: CheckedAgainst): Finding;
}

export interface CheckedAgainst {
  facts: readonly NamedFact[];
  /** Stems of the criterion. */
  asked: readonly string[];
}

/** What the facts of a case come to under one requirement. */
export type Finding =
  | { kind: 'decided'; met: boolean; facts: CitableFact[]; why: string }
  | { kind: 'open'; reasonCode: 'missing_evidence' | 'low_confidence'; facts: CitableFact[]; why: string };

/** What keeps a sentence from being put to facts by a rule: another clause may turn it round. */
export const NOT_PLAIN =
  /\b(?:unless|except|instead|in place of|whichever|if|each|every|per|provided|otherwise|in spite of|notwithstanding|subject to)\b/i;

/** Nothing is decided: the fact that is asked for is not there, in doubt, or one of several. */
export function open(
  why: string,
  facts: readonly NamedFact[] = [],
  reasonCode: 'missing_evidence' | 'low_confidence' = 'missing_evidence',
): Finding {
  return { kind: 'open', reasonCode, why, facts: facts.flatMap(({ readings }) => readings) };
}

/** The facts that are in doubt, said of them; null: none is. */
export function doubted(facts: readonly NamedFact[]): Finding | null {
  const inDoubt = facts.filter(({ doubt }) => doubt !== null);
  const [first] = inDoubt;
  if (first === undefined || first.doubt === null) return null;
  const why =
    first.doubt === 'low_confidence'
      ? `The value of ${first.name} was read with a confidence of ${first.best.confidence}, too little to decide by.`
      : `The readings of ${first.name} disagree.`;
  return open(why, facts, first.doubt);
}
