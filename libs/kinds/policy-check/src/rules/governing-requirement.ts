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
import { parseTime } from '@casefile/pipeline/reading/index';

/** Fewest words of a criterion that can identify one requirement. */
const LEAST_NAMED = 2;
/** Words that a policy replaces by `us`. */
const WHO_WE_ARE = contentWords('insurer company');
const OURSELVES = /\b(?:us|we)\b/i;

interface CriterionStems {
  /** Word stems of the criterion. */
  asked: readonly string[];
  /** Word stems of the known facts of this case. */
  known: readonly string[];
  facts: readonly NamedFact[];
}

type Governing =
  { requirement: Requirement; finding: RuleFinding } | { problem: string; sentences: PolicySentence[] };

/** Returns the single requirement that answers a criterion with its result, or why there is none. */
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

// Maximum length of a sentence in characters, because the patterns of the rules take quadratic time.
// Requirements that a rule can read are shorter.
const LONGEST_SENTENCE = 500;

function sentenceRequirements(sentence: PolicySentence): Requirement[] {
  if (sentence.text.length > LONGEST_SENTENCE) return [];
  const found = periodRequirement(sentence) ?? boundRequirement(sentence) ?? dutyRequirement(sentence);
  return found === null ? [] : [found];
}

// A requirement applies to this case if all words of its title or of its subject are known or asked about.
function applies({ sentence, subject }: Requirement, { asked, known }: CriterionStems): boolean {
  const title = contentWords(sentence.section.node.title);
  const words = [...asked, ...known];
  return [title, subject].some((needed) => needed.length > 0 && hasAll(words, needed));
}

// A requirement is the requested one if it has all words of the criterion. Otherwise the criterion means
// another section.
function isAskedFor({ sentence: { section, text } }: Requirement, { asked }: CriterionStems): boolean {
  const words = OURSELVES.test(text) ? [...section.words, ...WHO_WE_ARE] : section.words;
  const named = asked.filter((word) => !ASKING.includes(word));
  return named.length >= LEAST_NAMED && hasAll(words, named);
}

/** A sentence that only changes the start of a period: `the period runs from the discovery date instead`. */
const COUNTED_FROM =
  /\b(?:runs?|counts?|is counted|are counted|starts?|begins?|is measured)\s{1,3}from\s{1,3}(?<start>[^.;,]{1,200})/i;

/** Number of sections, and share of all found sections, from which a word counts as common. */
const COMMON_IN = 2;
const COMMON_SHARE = 1 / 3;

/** Circumstances of a case. */
interface CriterionContext {
  /** Word stems of the criterion. */
  asked: readonly string[];
  facts: readonly NamedFact[];
}

/**
 * Returns sentences of other sections that refer to the requirement's section by number and may apply to this
 * case. A sentence may apply if it shares a word with a fact or the criterion, or if a neighbouring section
 * explains it in such words (S4-40).
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

// The other section must have the same heading and words of the sentence: `a tenant counts as away while
// working at sea`.
function explains(other: Section, special: Section, own: readonly string[]): boolean {
  const heading = sectionHeading(special);
  if (other === special || heading === '' || sectionHeading(other) !== heading) return false;
  return own.some((word) => hasWord(ownWords(other), word));
}

// Excludes the titles above the section, which all its siblings share.
function ownWords({ node }: Section): string[] {
  return contentWords(`${node.title} ${node.text}`);
}

function sectionHeading({ node }: Section): string {
  return node.path.join('\n');
}

// A word in many sections does not mark a special case, such as `tenant` in a policy about tenants.
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
  // The first fact is the event.
  const day = finding.facts.slice(0, 1).map(({ value }) => parseTime(value)?.dateMs)[0];
  const isNamed =
    hasAll(contentWords(`${start} ${sentence.text}`), words) &&
    words.some((word) => hasWord(contentWords(start), word));
  return isNamed && day !== undefined && parseTime(best.value)?.dateMs === day;
}
