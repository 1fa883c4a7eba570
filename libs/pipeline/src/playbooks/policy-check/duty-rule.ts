import { contentWords, hasAll, hasWord } from './content-words.js';
import type { NamedFact } from './established-facts.js';
import type { Sentence } from './found-sections.js';
import { NOT_PLAIN, doubted, open, type Finding, type Requirement } from './rule.js';

/** `A claim needs A and B`, `The form must be signed`, `The fee must not be waived`. */
const DUTY =
  // eslint-disable-next-line regexp/no-super-linear-backtracking -- a sentence is short: LONGEST_SENTENCE
  /^(?<subject>.+?)\s+(?:(?<needs>needs|need|requires|require)\s+(?!to\b)|(?:must|shall)\s+(?<not>not\s+|never\s+)?)(?<things>[^.;,]+)\.?$/i;
const OTHER_CLAUSE = /\b(?:or|where|when|while|until|before|within|than|only|but)\b/i;
/** Turns what a name says into its opposite. */
const DENYING = /(?:^|_)(?:no|not|non|never|without|missing|lacks?|lacking|absent|un[a-z]+)(?:_|$)/;

/** A requirement that something be there or be so, which facts say yes or no to; null: the sentence is none. S4-40. */
export function dutyRequirement(sentence: Sentence): Requirement | null {
  const { text } = sentence;
  const groups = DUTY.exec(text)?.groups;
  if (groups === undefined || /\d/.test(text) || NOT_PLAIN.test(text) || OTHER_CLAUSE.test(text)) return null;
  const { subject = '', things = '', not } = groups;
  const parts = things.split(/ and (?:also )?/i).map((part) => contentWords(part));
  if (parts.some((part) => part.length === 0) || (not !== undefined && parts.length > 1)) return null;
  const about = contentWords(subject);
  const wanted = not === undefined;
  return {
    ...{ kind: 'duty', sentence, subject: about, key: text },
    check: ({ facts }) => checked(parts, about, wanted, facts),
  };
}

function checked(
  parts: readonly string[][],
  subject: readonly string[],
  wanted: boolean,
  facts: readonly NamedFact[],
): Finding {
  const yesOrNo = facts.filter(({ name, best }) => typeof best.value === 'boolean' && !DENYING.test(name));
  const answers = parts.map((part) => yesOrNo.filter(({ words }) => answersTo(words, part, subject)));
  const linked = [...new Set(answers.flat())];
  if (answers.some((found) => found.length > 1))
    return open('More than one fact may be what the requirement means.', linked);
  const doubt = doubted(linked);
  if (doubt !== null) return doubt;
  const used = linked.map(({ best }) => best);
  const against = linked.filter(({ best }) => best.value !== wanted);
  if (against.length > 0)
    return { kind: 'decided', met: false, facts: used, why: `Against it stands ${namesOf(against)}.` };
  if (answers.some((found) => found.length === 0))
    return open('Not everything that is required is among the facts.', linked);
  return { kind: 'decided', met: true, facts: used, why: `It is borne out by ${namesOf(linked)}.` };
}

// All that the name says is required, and it says at least half of what is.
function answersTo(words: readonly string[], part: readonly string[], subject: readonly string[]): boolean {
  const said = part.filter((word) => hasWord(words, word));
  return words.length > 0 && hasAll([...part, ...subject], words) && said.length * 2 >= part.length;
}

function namesOf(facts: readonly NamedFact[]): string {
  return facts.map(({ name, best }) => `${name} (${best.value === true ? 'yes' : 'no'})`).join(' and ');
}
