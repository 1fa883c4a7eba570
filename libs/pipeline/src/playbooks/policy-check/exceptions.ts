import { namesSection } from '@casefile/contracts';
import { ASKING, contentWords, hasAll, hasWord, MEASURE_WORDS } from './content-words.js';
import { isDenied, valueWords, type NamedFact } from './established-facts.js';
import type { Section, Sentence } from './found-sections.js';
import { momentOf } from './moments.js';
import type { Finding, Requirement } from './rule.js';

/** `the period runs from the discovery date instead`: a time counts from elsewhere, and nothing else is changed. */
const COUNTED_FROM =
  /\b(?:runs?|counts?|is counted|are counted|starts?|begins?|is measured)\s{1,3}from\s{1,3}(?<start>[^.;,]{1,200})/i;

/** Sections, and the share of all that were looked at, from which on a word is common. */
const COMMON_IN = 2;
const COMMON_SHARE = 1 / 3;

/** What a case says of its circumstances. */
interface Circumstances {
  /** Stems of the criterion. */
  asked: readonly string[];
  facts: readonly NamedFact[];
}

/**
 * Sentences of other sections that name the requirement's own by its number, where anything speaks for their being about
 * this case: a word that a fact or the criterion has too, or one that a section beside them explains in such words. S4-40.
 */
export function exceptionsTo(
  { sentence: { section } }: Requirement,
  finding: Finding,
  sections: readonly Section[],
  { asked, facts }: Circumstances,
): Sentence[] {
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
  { text, section: special }: Sentence,
  general: Section,
  { asked, facts }: Circumstances,
  sections: readonly Section[],
): boolean {
  const usual = [...general.words, ...ASKING, ...MEASURE_WORDS];
  const elsewhere = sections.filter((other) => headingOf(other) !== headingOf(special));
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
  const heading = headingOf(special);
  if (other === special || heading === '' || headingOf(other) !== heading) return false;
  return own.some((word) => hasWord(ownWords(other), word));
}

// Without the titles above it, which are those of all that stands beside it.
function ownWords({ node }: Section): string[] {
  return contentWords(`${node.title} ${node.text}`);
}

function headingOf({ node }: Section): string {
  return node.path.join('\n');
}

// What many sections speak of marks no special case: the tenant, where a policy is about tenants.
function isCommon(word: string, sections: readonly Section[]): boolean {
  const having = sections.filter(({ words }) => hasWord(words, word)).length;
  return having >= COMMON_IN && having >= COMMON_SHARE * sections.length;
}

// A time counted from elsewhere comes to the same where both are the same day.
function isSameStart({ words, best, doubt }: NamedFact, sentence: Sentence, finding: Finding): boolean {
  const start = COUNTED_FROM.exec(sentence.text)?.groups?.['start'];
  if (start === undefined || doubt !== null || finding.kind !== 'decided') return false;
  const days = finding.facts.flatMap(({ value }) => momentOf(value)?.dateMs ?? []);
  const isNamed =
    hasAll(contentWords(`${start} ${sentence.text}`), words) &&
    words.some((word) => hasWord(contentWords(start), word));
  return isNamed && days.length > 0 && momentOf(best.value)?.dateMs === Math.min(...days);
}
