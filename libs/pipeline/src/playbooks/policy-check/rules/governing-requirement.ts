import { namesSection } from '@casefile/contracts';
import { boundRequirement, dutyRequirement, type RuleFinding, type Requirement } from './rule.js';
import { ASKING, contentWords, hasAll, hasWord, MEASURE_WORDS } from './content-words.js';
import {
  type NamedFact,
  isDenied,
  valueWords,
  type FoundSections,
  type PolicySentence,
  type Section,
} from './sections-and-facts.js';
import { periodRequirement } from './period-rule.js';
import { momentOf } from './written-moment.js';

/** Fewer words than these ask for no one requirement. */
const LEAST_NAMED = 2;
/** A policy says `us` where a criterion says `the insurer`. */
const WHO_WE_ARE = contentWords('insurer company');
const OURSELVES = /\b(?:us|we)\b/i;

interface CriterionStems {
  /** Stems of the criterion. */
  asked: readonly string[];
  /** Stems of what is known to be so in this case. */
  known: readonly string[];
  facts: readonly NamedFact[];
}

type Governing =
  { requirement: Requirement; finding: RuleFinding } | { problem: string; sentences: PolicySentence[] };

/** The single requirement that answers a criterion with its result, or why there is none. */
export function governingRequirement(
  { sections, related }: Pick<FoundSections, 'sections' | 'related'>,
  at: CriterionStems,
): Governing {
  const matched = sections
    .flatMap(({ sentences }) => sentences.flatMap(sentenceRequirements))
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

function sentenceRequirements(sentence: PolicySentence): Requirement[] {
  if (sentence.text.length > LONGEST_SENTENCE) return [];
  const found = periodRequirement(sentence) ?? boundRequirement(sentence) ?? dutyRequirement(sentence);
  return found === null ? [] : [found];
}

// It is about a case of this kind: everything its title, or its subject, speaks of is known or asked about.
function applies({ sentence, subject }: Requirement, { asked, known }: CriterionStems): boolean {
  const title = contentWords(sentence.section.node.title);
  const words = [...asked, ...known];
  return [title, subject].some((needed) => needed.length > 0 && hasAll(words, needed));
}

// It speaks of everything that the criterion names: what it leaves out, another section would be meant by.
function isAskedFor({ sentence: { section, text } }: Requirement, { asked }: CriterionStems): boolean {
  const words = OURSELVES.test(text) ? [...section.words, ...WHO_WE_ARE] : section.words;
  const named = asked.filter((word) => !ASKING.includes(word));
  return named.length >= LEAST_NAMED && hasAll(words, named);
}

/** `the period runs from the discovery date instead`: a time counts from elsewhere, and nothing else is changed. */
const COUNTED_FROM =
  /\b(?:runs?|counts?|is counted|are counted|starts?|begins?|is measured)\s{1,3}from\s{1,3}(?<start>[^.;,]{1,200})/i;

/** Sections, and the share of all that were looked at, from which on a word is common. */
const COMMON_IN = 2;
const COMMON_SHARE = 1 / 3;

/** What a case says of its circumstances. */
interface CriterionContext {
  /** Stems of the criterion. */
  asked: readonly string[];
  facts: readonly NamedFact[];
}

/**
 * Sentences of other sections that name the requirement's own by its number, where anything speaks for their being about
 * this case: a word that a fact or the criterion has too, or one that a neighbouring section explains in such words. S4-40.
 */
function exceptionsTo(
  { sentence: { section } }: Requirement,
  finding: RuleFinding,
  sections: readonly Section[],
  { asked, facts }: CriterionContext,
): PolicySentence[] {
  const { number } = section;
  if (number === null) return [];
  const others = sections.filter((other) => other !== section).flatMap(({ sentences }) => sentences);
  return others.filter((sentence) => {
    if (!namesSection(sentence.text, number)) return false;
    const told = facts.filter((fact) => !isDenied(fact) && !isSameStart(fact, sentence, finding));
    return mayConcern(sentence, section, { asked, facts: told }, sections);
  });
}

function mayConcern(
  { text, section: special }: PolicySentence,
  general: Section,
  { asked, facts }: CriterionContext,
  sections: readonly Section[],
): boolean {
  const usual = [...general.words, ...ASKING, ...MEASURE_WORDS];
  const elsewhere = sections.filter((other) => sectionHeading(other) !== sectionHeading(special));
  const isTelling = (word: string) => !hasWord(usual, word) && !isCommon(word, elsewhere);
  const own = contentWords(text).filter(isTelling);
  if (own.length === 0) return true;
  const values = facts.flatMap(valueWords).filter(isTelling);
  const words = [...asked, ...values, ...facts.flatMap((fact) => fact.words)];
  if (own.some((word) => hasWord(words, word))) return true;
  return sections.some(
    (other) => explains(other, special, own) && ownWords(other).some((word) => hasWord(values, word)),
  );
}

// Under the same heading, and in words of the sentence: `a tenant counts as away while working at sea`.
function explains(other: Section, special: Section, own: readonly string[]): boolean {
  const heading = sectionHeading(special);
  if (other === special || heading === '' || sectionHeading(other) !== heading) return false;
  return own.some((word) => hasWord(ownWords(other), word));
}

// Without the titles above it, which it shares with all its siblings.
function ownWords({ node }: Section): string[] {
  return contentWords(`${node.title} ${node.text}`);
}

function sectionHeading({ node }: Section): string {
  return node.path.join('\n');
}

// What many sections speak of marks no special case: the tenant, where a policy is about tenants.
function isCommon(word: string, sections: readonly Section[]): boolean {
  const having = sections.filter(({ words }) => hasWord(words, word)).length;
  return having >= COMMON_IN && having >= COMMON_SHARE * sections.length;
}

// A period counted from another date has the same result if both dates are the same day.
function isSameStart(
  { words, best, doubt }: NamedFact,
  sentence: PolicySentence,
  finding: RuleFinding,
): boolean {
  const start = COUNTED_FROM.exec(sentence.text)?.groups?.['start'];
  if (start === undefined || doubt !== null || finding.kind !== 'decided') return false;
  // The event is the first of the facts.
  const day = finding.facts.slice(0, 1).map(({ value }) => momentOf(value)?.dateMs)[0];
  const isNamed =
    hasAll(contentWords(`${start} ${sentence.text}`), words) &&
    words.some((word) => hasWord(contentWords(start), word));
  return isNamed && day !== undefined && momentOf(best.value)?.dateMs === day;
}
