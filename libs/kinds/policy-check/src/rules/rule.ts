import type { CitableFact } from '@casefile/contracts';
import type { NamedFact, PolicySentence } from './sections-and-facts.js';
import { negationWords, type Limit } from '@casefile/pipeline/reading/index';
import { contentWords, hasAll, hasWord } from './content-words.js';

/** A requirement read from a sentence, and how the facts of a case are compared with it. */
export interface Requirement {
  kind: 'period' | 'bound' | 'duty';
  sentence: PolicySentence;
  /** Word stems of the person or thing that the requirement is about. */
  subject: string[];
  /** Identifies the requirement: one of the same kind and key means the same. */
  key: string;
  check(at: CheckedAgainst): RuleFinding;
  /** `time` or `calendar` for a period, the dimension of the limit for a bound. */
  dimension?: string;
  /** Word stems of the event from which a period counts. Default: none. */
  anchor?: readonly string[];
  /** Returns whether the question asks for this requirement. Default: by the words of its section. */
  isFor?(at: CheckedAgainst): boolean;
  /** Sentences without which it cannot be read, such as the head of a table. Default: none. */
  headings?: readonly PolicySentence[];
  /** Returns the requirement with another figure of an amendment; null: the figure is none of its kind. */
  withFigure?(limit: Limit): Requirement | null;
}

export interface CheckedAgainst {
  facts: readonly NamedFact[];
  /** Word stems of the criterion. */
  asked: readonly string[];
  /** The criterion as it was asked. */
  question: string;
}

/** Result of the facts of a case under one requirement. */
export type RuleFinding =
  | { kind: 'decided'; met: boolean; facts: CitableFact[]; why: string }
  | { kind: 'open'; reasonCode: 'missing_evidence' | 'low_confidence'; facts: CitableFact[]; why: string };

/** Words of another clause that may reverse the sentence, so that no rule reads it. */
export const NOT_PLAIN =
  /\b(?:unless|except|instead|in place of|whichever|if|each|every|per|provided|otherwise|in spite of|notwithstanding|subject to)\b/i;

/** Returns an undecided result: the fact is missing, in doubt, or one of several. */
export function open(
  why: string,
  facts: readonly NamedFact[] = [],
  reasonCode: 'missing_evidence' | 'low_confidence' = 'missing_evidence',
): RuleFinding {
  return { kind: 'open', reasonCode, why, facts: facts.flatMap(({ readings }) => readings) };
}

/** Returns the undecided result of facts in doubt; null: no fact is in doubt. */
export function doubtedFacts(facts: readonly NamedFact[]): RuleFinding | null {
  const inDoubt = facts.filter(({ doubt }) => doubt !== null);
  const [first] = inDoubt;
  if (first === undefined || first.doubt === null) return null;
  const why =
    first.doubt === 'low_confidence'
      ? `The value of ${first.name} was read with a confidence of ${first.best.confidence}, too little to decide by.`
      : `The readings of ${first.name} disagree.`;
  return open(why, facts, first.doubt);
}

/** `A claim needs A and B`, `The form must be signed`, `The fee must not be waived`. */
const DUTY =
  // eslint-disable-next-line regexp/no-super-linear-backtracking -- a sentence is short: LONGEST_SENTENCE
  /^(?<subject>.+?)\s+(?:(?<needs>needs|need|requires|require)\s+(?!to\b)|(?:must|shall)\s+(?<not>not\s+|never\s+)?)(?<things>[^.;,]+)\.?$/i;
const OTHER_DUTY =
  /\b(?:or|where|when|while|until|before|within|than|only|but|(?:hour|day|week|month|year)s?)\b/i;
/** Words that reverse the meaning of a fact's name. */
const DENYING = new RegExp(`(?:^|_)(?:${negationWords('en')}|missing|lacks?|lacking|absent|un[a-z]+)(?:_|$)`);

/**
 * Reads a requirement that something exists or is true, which facts confirm or deny; null: the sentence is
 * none (S4-40).
 */
export function dutyRequirement(sentence: PolicySentence): Requirement | null {
  const { text } = sentence;
  const groups = DUTY.exec(text)?.groups;
  if (groups === undefined || /\d/.test(text) || NOT_PLAIN.test(text) || OTHER_DUTY.test(text)) return null;
  const { subject = '', things = '', not } = groups;
  const parts = things.split(/ and (?:also )?/i).map((part) => contentWords(part));
  if (parts.some((part) => part.length === 0) || (not !== undefined && parts.length > 1)) return null;
  const about = contentWords(subject);
  const wanted = not === undefined;
  return {
    kind: 'duty',
    sentence,
    subject: about,
    key: text,
    check: ({ facts }) => checkedDuty(parts, about, wanted, facts),
  };
}

function checkedDuty(
  parts: readonly string[][],
  subject: readonly string[],
  wanted: boolean,
  facts: readonly NamedFact[],
): RuleFinding {
  const yesOrNo = facts.filter(({ name, best }) => typeof best.value === 'boolean' && !DENYING.test(name));
  const answers = parts.map((part) => yesOrNo.filter(({ words }) => answersTo(words, part, subject)));
  const linked = [...new Set(answers.flat())];
  if (answers.some((found) => found.length > 1))
    return open('More than one fact may be what the requirement means.', linked);
  const doubt = doubtedFacts(linked);
  if (doubt !== null) return doubt;
  const used = linked.map(({ best }) => best);
  const against = linked.filter(({ best }) => best.value !== wanted);
  if (against.length > 0)
    return { kind: 'decided', met: false, facts: used, why: `Against it stands ${factNames(against)}.` };
  if (answers.some((found) => found.length === 0))
    return open('Not everything that is required is among the facts.', linked);
  return { kind: 'decided', met: true, facts: used, why: `It is supported by ${factNames(linked)}.` };
}

// A fact answers a part of the requirement if all words of its name are required, and they are at least half
// of that part.
function answersTo(words: readonly string[], part: readonly string[], subject: readonly string[]): boolean {
  const said = part.filter((word) => hasWord(words, word));
  return words.length > 0 && hasAll([...part, ...subject], words) && said.length * 2 >= part.length;
}

function factNames(facts: readonly NamedFact[]): string {
  return facts.map(({ name, best }) => `${name} (${best.value === true ? 'yes' : 'no'})`).join(' and ');
}
