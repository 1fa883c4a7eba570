import { namesSection } from '@casefile/contracts';
import { dutyRequirement, type RuleFinding, type Requirement } from './rule.js';
import {
  isRefusing,
  isAmending,
  isTableRow,
  limitingSentences,
  namesNumber,
  nearTo,
  versionInForce,
} from './limiting-sentences.js';
import { plainLimit } from './plain-limit.js';
import { plainPeriod } from './plain-period.js';
import { isNet, limitingWords, type PlainLanguage } from './plain-words.js';
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
import { deniedWithin, otherFigures } from './doubts-of-finding.js';
import { nearestSentences, whyNoneIsPlain } from './nearest-sentences.js';
import { nearestTable, tableReadings } from './table-requirement.js';
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
  /** The criterion as it was asked. */
  question: string;
  /** null: the rules read no plain limits of the policy's language. */
  language: PlainLanguage | null;
  /** Whether an English question asks for compliance in words that a rule can read. */
  isPlainQuestion: boolean;
}

type Governing =
  | { requirement: Requirement; finding: RuleFinding; changedBy: PolicySentence[] }
  | {
      problem: string;
      sentences: PolicySentence[];
      reasonCode: 'insufficient_policy_context' | 'low_confidence' | 'missing_evidence';
    };

/** Returns the single requirement that answers a criterion with its result, or why there is none. */
export function governingRequirement(
  { sections, related }: Pick<FoundSections, 'sections' | 'related'>,
  at: CriterionStems,
): Governing {
  const tables = tableReadings(sections, at);
  const matched = [
    ...sections.flatMap(({ sentences }) =>
      sentences.flatMap((sentence) => sentenceRequirements(sentence, at)),
    ),
    ...tables.flatMap((table) => ('requirement' in table ? [table.requirement] : [])),
  ].filter((requirement) => isForQuestion(requirement, at));
  const [first, ...others] = matched;
  if (first === undefined) {
    const nearest = nearestSentences(sections, at);
    if (!at.isPlainQuestion)
      return problem(
        'The rules answer only questions whether a requirement was kept. This is another one.',
        nearest,
        'low_confidence',
      );
    const table = nearestTable(nearest, tables);
    if (table !== null) return problem(table.why, table.sentences);
    return problem(whyNoneIsPlain(nearest, at), nearest);
  }
  const rivals = others.filter(({ kind, key }) => kind !== first.kind || key !== first.key);
  const all = [...sections, ...related];
  const language = at.language ?? 'en';
  const limiting = limitingSentences(first, all, language, at.facts);
  const version = versionInForce(first, limiting, at.facts, language);
  if (version !== null && 'problem' in version)
    return problem(version.problem, [first.sentence, ...version.sentences]);
  const changedBy = version?.changedBy ?? [];
  const open = rivals.filter(({ sentence }) => !changedBy.includes(sentence));
  if (open.length > 0)
    return problem(
      'More than one requirement may be the one that is asked about.',
      sentencesOf(first, ...open),
    );
  const requirement = version?.requirement ?? first;
  if (requirement !== first && requirement.isFor?.(at) === false)
    return problem('The criterion names another figure than the version in force.', [
      first.sentence,
      ...changedBy,
    ]);
  const finding = requirement.check(at);
  if (finding.kind === 'open') return { requirement, finding, changedBy };
  const denied = finding.met ? deniedWithin(requirement, finding, at) : null;
  if (denied !== null)
    return problem(`The requirement also speaks of ${denied.name}, which the case denies.`, [
      requirement.sentence,
    ]);
  const { agreeing, changing: opposing } = otherFigures(requirement, finding, all, at, language);
  const settled = [...changedBy, ...agreeing];
  const exceptions = exceptionsTo(requirement, finding, all, at);
  const isOpen = (sentence: PolicySentence) =>
    !settled.includes(sentence) && !isDischarged(sentence, finding, requirement, at);
  const remaining = limiting.filter(isOpen);
  // Only facts that the requirement does not use can speak for another case.
  const used = new Set(finding.facts.map(({ id }) => id));
  const unused = at.facts.filter((fact) => !isDenied(fact) && !used.has(fact.best.id));
  const isNear = nearTo(requirement, all, language);
  const mayUndo = (one: PolicySentence) =>
    isNear(one) && mayConcern(one, requirement.sentence.section, { asked: [], facts: unused }, all);
  const against = finding.met
    ? [...exceptions, ...remaining.filter((one) => isAmending(one, requirement, language) || mayUndo(one))]
    : [...exceptions, ...remaining.filter((one) => !isRefusing(one, requirement, language))];
  const named = opposing.filter(isOpen);
  const changing = named.length > 0 ? named : [...new Set(against)].filter((one) => !settled.includes(one));
  if (changing.length > 0) return problem(whyChanged(changing), [requirement.sentence, ...changing]);
  return { requirement, finding, changedBy: settled };
}

function isForQuestion(requirement: Requirement, at: CriterionStems): boolean {
  if (requirement.isFor !== undefined) return requirement.isFor(at);
  return at.isPlainQuestion && applies(requirement, at) && isAskedFor(requirement, at);
}

const MOST_SHOWN = 5;
const sentencesOf = (...requirements: readonly Requirement[]): PolicySentence[] =>
  requirements.map(({ sentence }) => sentence);

function problem(
  text: string,
  sentences: readonly PolicySentence[] = [],
  reasonCode: 'insufficient_policy_context' | 'low_confidence' = 'insufficient_policy_context',
): Governing {
  return { problem: text, sentences: sentences.slice(0, MOST_SHOWN), reasonCode };
}

function whyChanged(sentences: readonly PolicySentence[]): string {
  if (sentences.every(isTableRow)) return 'A table of the policy may change the requirement.';
  if (sentences.some(({ text }) => isNet(text))) return 'Another sentence speaks of net amounts.';
  return 'Another sentence of the policy may change the requirement.';
}

// A sentence cannot apply if a fact denies its case (`vulnerable_customer: no`), or if it counts from the same day.
function isDischarged(
  sentence: PolicySentence,
  finding: RuleFinding,
  { sentence: own }: Requirement,
  at: CriterionStems,
): boolean {
  const { facts } = at;
  if (facts.some((fact) => isSameStart(fact, sentence, finding))) return true;
  if (isOfOtherKind(sentence, own, at)) return true;
  const others = contentWords(sentence.text).filter((word) => !hasWord(own.section.words, word));
  return facts.some((fact) => isDenied(fact) && fact.words.some((word) => hasWord(others, word)));
}

// Maximum length of a sentence in characters, because the patterns of the rules take quadratic time.
// Requirements that a rule can read are shorter.
const LONGEST_SENTENCE = 500;

function sentenceRequirements(sentence: PolicySentence, { language }: CriterionStems): Requirement[] {
  if (sentence.text.length > LONGEST_SENTENCE) return [];
  const found =
    periodRequirement(sentence) ??
    (language === null ? null : plainPeriod(sentence, language)) ??
    (language === null ? null : plainLimit(sentence, language)) ??
    dutyRequirement(sentence);
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

// A parallel rule for another kind of case: a fact has the word that distinguishes the requirement (`household`), and
// none has that of the parallel rule (`travel`).
function isOfOtherKind(
  sentence: PolicySentence,
  { section, number }: PolicySentence,
  at: CriterionStems,
): boolean {
  const other = sentence.section;
  const { language, facts, asked, known } = at;
  if (other === section || language === null || isLimiting(sentence, language)) return false;
  if (number !== null && namesSection(sentence.text, number)) return false;
  const values = facts.filter(({ doubt }) => doubt === null).flatMap(valueWords);
  const [own, others] = [section, other].map(({ node }) => contentWords(node.title)) as [string[], string[]];
  return (
    own.some((word) => hasWord(values, word) && !hasWord(other.words, word)) &&
    others.some((word) => !hasWord(section.words, word) && !hasWord([...known, ...asked], word))
  );
}

const isLimiting = ({ text }: PolicySentence, language: PlainLanguage): boolean =>
  limitingWords(text, language) !== null;

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
 * Returns sentences of other clauses that refer to the requirement's clause by number and may apply to this
 * case. A sentence may apply if it shares a word with a fact or the criterion, or if a neighbouring section
 * explains it in such words (S4-40).
 */
function exceptionsTo(
  { sentence: { section, number } }: Requirement,
  finding: RuleFinding,
  sections: readonly Section[],
  { asked, facts }: CriterionContext,
): PolicySentence[] {
  if (number === null) return [];
  const others = sections
    .flatMap(({ sentences }) => sentences)
    .filter((other) => other.section !== section || other.number !== number);
  return others.filter((sentence) => {
    if (!namesNumber(sentence.text, number)) return false;
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
