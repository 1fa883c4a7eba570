import { boundRequirement } from './bound-rule.js';
import { ASKING, contentWords, hasAll } from './content-words.js';
import { dutyRequirement } from './duty-rule.js';
import type { NamedFact } from './established-facts.js';
import { exceptionsTo } from './exceptions.js';
import type { FoundSections, Sentence } from './found-sections.js';
import { periodRequirement } from './period-rule.js';
import type { Finding, Requirement } from './rule.js';

/** Fewer words than these ask for no one requirement. */
const LEAST_NAMED = 2;
/** A policy says `us` where a criterion says `the insurer`. */
const WHO_WE_ARE = contentWords('insurer company');
const OURSELVES = /\b(?:us|we)\b/i;

export interface Asked {
  /** Stems of the criterion. */
  asked: readonly string[];
  /** Stems of what is known to be so in this case. */
  known: readonly string[];
  facts: readonly NamedFact[];
}

export type Governing =
  { requirement: Requirement; finding: Finding } | { problem: string; sentences: Sentence[] };

/** The one requirement that answers a criterion, and what it comes to; or why there is no such one. */
export function governingRequirement(
  { sections, related }: Pick<FoundSections, 'sections' | 'related'>,
  at: Asked,
): Governing {
  const matched = sections
    .flatMap(({ sentences }) => sentences.flatMap(requirementsOf))
    .filter((requirement) => applies(requirement, at) && isAskedFor(requirement, at));
  const [first, ...others] = matched;
  if (first === undefined)
    return problem('No requirement that was found is plainly the one that is asked about.');
  const rivals = others.filter(({ kind, key }) => kind !== first.kind || key !== first.key);
  if (rivals.length > 0)
    return problem('More than one requirement may be the one that is asked about.', [first, ...rivals]);
  const finding = first.check(at);
  const exceptions = exceptionsTo(first, finding, [...sections, ...related], at);
  if (exceptions.length > 0)
    return {
      problem: 'Another section may change the requirement.',
      sentences: [first.sentence, ...exceptions],
    };
  return { requirement: first, finding };
}

function problem(text: string, requirements: readonly Requirement[] = []): Governing {
  return { problem: text, sentences: requirements.map(({ sentence }) => sentence) };
}

// The patterns of the rules take quadratic time: no requirement that a rule can read is longer.
const LONGEST_SENTENCE = 500;

function requirementsOf(sentence: Sentence): Requirement[] {
  if (sentence.text.length > LONGEST_SENTENCE) return [];
  const found = periodRequirement(sentence) ?? boundRequirement(sentence) ?? dutyRequirement(sentence);
  return found === null ? [] : [found];
}

// It is about a case of this kind: everything its title, or its subject, speaks of is known or asked about.
function applies({ sentence, subject }: Requirement, { asked, known }: Asked): boolean {
  const title = contentWords(sentence.section.node.title);
  const words = [...asked, ...known];
  return [title, subject].some((needed) => needed.length > 0 && hasAll(words, needed));
}

// It speaks of everything that the criterion names: what it leaves out, another section would be meant by.
function isAskedFor({ sentence: { section, text } }: Requirement, { asked }: Asked): boolean {
  const words = OURSELVES.test(text) ? [...section.words, ...WHO_WE_ARE] : section.words;
  const named = asked.filter((word) => !ASKING.includes(word));
  return named.length >= LEAST_NAMED && hasAll(words, named);
}
