import { namesSection, sectionsNamed } from '@casefile/contracts';
import {
  limitsIn,
  measureOf,
  parseTime,
  withoutComparisons,
  type Limit,
} from '@casefile/pipeline/reading/index';
import {
  aspectsOf,
  foldedWords,
  hasForm,
  isComparing,
  isDenying,
  isMeasureWord,
  isPermitting,
  isPeriodWord,
  limitingWords,
  plainTable,
  tellingWords,
  withoutConditions,
  type PlainLanguage,
} from './plain-words.js';
import { isRow } from './policy-tables.js';
import type { Requirement } from './rule.js';
import {
  isDenied,
  valueWords,
  type NamedFact,
  type PolicySentence,
  type Section,
  tableOf,
} from './sections-and-facts.js';

/** Sections from which a word may be common, and the share of sections from which it is. */
const FEW_SECTIONS = 6;
const COMMON_SHARE = 1 / 3;
/** Languages without a table of limiting words. Then every sentence next to the requirement counts as limiting. */
const DATE = String.raw`(?:\d{1,2}(?:\.|st|nd|rd|th|er|º)?(?:\s(?:of|de))?\s\p{L}{3,12}(?:,|\sde)?\s\d{4}|\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.\d{4}|\p{L}{3,9}\s\d{1,2},?\s\d{4})`;

/**
 * Returns the sentences of the policy that may change or limit a requirement: those that name its section, and those
 * about its subject or period with a limiting word or another figure of its dimension. A sentence of the same
 * section counts if it has such a word or figure.
 */
export function limitingSentences(
  requirement: Requirement,
  sections: readonly Section[],
  language: PlainLanguage,
  facts: readonly NamedFact[],
): PolicySentence[] {
  const { sentence: own } = requirement;
  const words = subjectWords(requirement, sections, language);
  const matter = matterWords(requirement, sections, language);
  const { number } = own;
  const told = facts
    .filter((fact) => !isDenied(fact))
    .flatMap((fact) =>
      tellingWords([fact.name.replaceAll('_', ' '), ...valueWords(fact)].join(' '), language),
    )
    .filter((word) => !isMeasureWord(word) && aspectsOf(word).length === 0);
  return sections
    .flatMap(({ sentences }) => sentences)
    .filter((sentence) => {
      if (sentence === own || sentence.text === own.text || isOfOneTable(sentence, own)) return false;
      if (number !== null && namesNumber(sentence.text, number)) return true;
      if (sentence.section !== own.section && isOfOtherMatter(requirement, sentence, matter, language))
        return false;
      const limits =
        limitingWords(sentence.text, language) !== null ||
        isTableRow(sentence) ||
        isRefusing(sentence, requirement, language) ||
        permits(sentence, words, language) ||
        hasFigureOf(requirement, sentence.text, language);
      return (
        limits && (sentence.section === own.section || concerns(sentence, [...words, ...told], language))
      );
    });
}

/** Words before the number of a clause that has no word of its own, such as `section`. */
const BEFORE_NUMBER = 'in|of|to|by|under|de|von';

/** Returns whether a text names a section or clause, also without a word before its number: `the period in 3.1`. */
export function namesNumber(text: string, number: string): boolean {
  if (namesSection(text, number)) return true;
  const escaped = number.replaceAll('.', '\\.');
  return new RegExp(
    String.raw`(?:(?<!\p{L})(?:${plainTable.sectionWords})\s{0,2}|\b(?:${BEFORE_NUMBER})\s(?=\d+\.))${escaped}(?![\d.]*\d)`,
    'iu',
  ).test(text);
}

/** A number of another clause: `the limit in 2.1`. */
const CLAUSE_NAMED = new RegExp(
  String.raw`\b(?:${BEFORE_NUMBER})\s\d{1,3}(?:\.\d{1,3}){1,5}(?![\d.]*\d)`,
  'iu',
);

/** Returns whether a sentence only refuses something, and so may undo an approval but no refusal. */
export function isRefusing(
  { text }: PolicySentence,
  { sentence: { number } }: Requirement,
  language: PlainLanguage,
): boolean {
  if (limitingWords(text, language) !== null || !isDenying(withoutComparisons(text), language)) return false;
  if (number !== null && namesNumber(text, number)) return false;
  return !foldedWords(text).some((word) => isPeriodWord(word, language));
}

/** A permission about the same matter may give more than the requirement: `the report may follow later`. */
const LEAST_SHARED = 2;
function permits(sentence: PolicySentence, words: readonly string[], language: PlainLanguage): boolean {
  if (!isPermitting(sentence.text, language)) return false;
  return sharedWords(sentence, words, language) >= LEAST_SHARED;
}

/** Words with which a later sentence takes the place of an earlier one, in the languages of the rules. */
const AMENDING =
  /(?<!\p{L})(?:replac(?:e|es|ed|ing)|amend(?:s|ed)|supersed(?:e|es|ed)|deleted|repealed|ersetzt|geändert|gestrichen|aufgehoben|remplac\p{L}{1,6}|modifi\p{L}{1,6}|supprim\p{L}{1,6}|sustitu\p{L}{1,6}|modific\p{L}{1,6}|suprim\p{L}{1,6}|sostitu\p{L}{1,6}|abrogat\p{L}|substitu\p{L}{1,6}|vervang\p{L}{1,6}|vervallen)(?!\p{L})/iu;

/**
 * Returns whether a sentence replaces or deletes the requirement, and so may undo an approval as well as a refusal: it
 * names its section, or states a figure of the same kind. `A photograph replaces the receipt` changes no period.
 */
export function isAmending(
  { text }: PolicySentence,
  requirement: Requirement,
  language: PlainLanguage,
): boolean {
  const { number } = requirement.sentence;
  const isNamed = number !== null && namesNumber(text, number);
  return AMENDING.test(text) && (isNamed || hasFigureOf(requirement, text, language));
}

export const isTableRow = ({ text }: PolicySentence): boolean => isRow(text) && /\d/.test(text);

// The other rows of a table are for other cases.
function isOfOneTable(one: PolicySentence, other: PolicySentence): boolean {
  const table = tableOf(one);
  return table !== null && table === tableOf(other);
}

function hasFigureOf({ dimension }: Requirement, text: string, language: PlainLanguage): boolean {
  return figuresOf(text, dimension, language).length > 0;
}

/** Returns the figures of a text that are of a dimension. Times and calendar times are of one. */
export function figuresOf(text: string, dimension: string | undefined, language: PlainLanguage): Limit[] {
  const isTime = (one: string) => one === 'time' || one === 'calendar';
  return limitsIn(text, language).filter(({ figure, unit }) => {
    const own = measureOf(figure, unit).dimension;
    return own === dimension || (isTime(own) && isTime(dimension ?? ''));
  });
}

function subjectWords(
  { sentence: { section, text } }: Requirement,
  sections: readonly Section[],
  language: PlainLanguage,
): string[] {
  const all = tellingWords(`${section.node.title} ${text}`, language);
  if (sections.length < FEW_SECTIONS) return all;
  return all.filter((word) => {
    const having = sections.filter((one) => hasForm(sectionWords(one, language), word, language)).length;
    return having < COMMON_SHARE * sections.length;
  });
}

/** Words that tell what a requirement is about: without its figure, its measure and the event that it counts from. */
function matterWords(
  requirement: Requirement,
  sections: readonly Section[],
  language: PlainLanguage,
): string[] {
  const anchor = requirement.anchor ?? [];
  return subjectWords(requirement, sections, language).filter(
    (word) => !isMeasureWord(word) && !isComparing(word) && !hasForm(anchor, word, language),
  );
}

/**
 * Returns whether a sentence of another section cannot touch a requirement. It shares no word of its matter and names
 * other sections, or the requirement is a period and the sentence only states a condition (`where`, `if`) of
 * something else, without a time.
 */
function isOfOtherMatter(
  { kind, dimension }: Requirement,
  sentence: PolicySentence,
  matter: readonly string[],
  language: PlainLanguage,
): boolean {
  const { text } = sentence;
  const shared = sharedWords(sentence, matter, language);
  if (shared === 0 && (sectionsNamed(text).length > 0 || CLAUSE_NAMED.test(text))) return true;
  if (kind !== 'period' || shared >= LEAST_SHARED) return false;
  const isTimed =
    figuresOf(text, dimension, language).length > 0 ||
    foldedWords(text).some((word) => isPeriodWord(word, language));
  return !isTimed && limitingWords(withoutConditions(text, language), language) === null;
}

/**
 * Returns a test of whether a sentence may undo an approval: it limits or refuses, in the same section or about two
 * words of the requirement's matter.
 */
export function nearTo(
  requirement: Requirement,
  sections: readonly Section[],
  language: PlainLanguage,
): (sentence: PolicySentence) => boolean {
  if (requirement.kind === 'duty') return () => false;
  const matter = matterWords(requirement, sections, language);
  return (sentence) => {
    const isLimit = limitingWords(sentence.text, language) !== null;
    if (!isLimit && !isRefusing(sentence, requirement, language)) return false;
    if (isLimit && sentence.section === requirement.sentence.section) return true;
    return sharedWords(sentence, matter, language) >= LEAST_SHARED;
  };
}

const sharedWords = ({ text }: PolicySentence, words: readonly string[], language: PlainLanguage): number =>
  tellingWords(text, language).filter((word) => hasForm(words, word, language)).length;

const known = new WeakMap<Section, string[]>();
function sectionWords(section: Section, language: PlainLanguage): string[] {
  const words = known.get(section) ?? tellingWords(`${section.node.title} ${section.node.text}`, language);
  known.set(section, words);
  return words;
}

function concerns(
  { text, section }: PolicySentence,
  words: readonly string[],
  language: PlainLanguage,
): boolean {
  const own = tellingWords(`${section.node.title} ${text}`, language);
  return (
    own.some((word) => hasForm(words, word, language)) ||
    foldedWords(text).some((word) => isPeriodWord(word, language))
  );
}

/** The version of a requirement that was in force, or why it is not known. */
export type InForce =
  | { requirement: Requirement; changedBy: PolicySentence[] }
  | { problem: string; sentences: PolicySentence[] };

/**
 * Returns the version of a requirement on the day of the event, by the one sentence that changes its figure from a
 * date on; null: no sentence has such a date. All dates among the facts must lie on one side of that date.
 */
export function versionInForce(
  requirement: Requirement,
  limiting: readonly PolicySentence[],
  facts: readonly NamedFact[],
  language: PlainLanguage,
): InForce | null {
  const dated = limiting.flatMap((sentence) => {
    const change = datedChange(requirement, sentence, language);
    return change === null ? [] : [{ sentence, ...change }];
  });
  const [only] = dated;
  if (only === undefined) return null;
  const sentences = dated.map(({ sentence }) => sentence);
  if (dated.length > 1)
    return { problem: 'More than one sentence changes the requirement from a date on.', sentences };
  if (requirement.withFigure === undefined)
    return { problem: 'A sentence changes the requirement from a date on.', sentences };
  const days = facts.flatMap(({ best, doubt }) =>
    doubt === null ? (parseTime(best.value)?.dateMs ?? []) : [],
  );
  const after = days.filter((day) => day >= only.from);
  if (days.length === 0 || (after.length > 0 && after.length < days.length))
    return {
      problem: 'Which version of the requirement was in force does not follow from the dates.',
      sentences,
    };
  if (after.length === 0) return { requirement, changedBy: sentences };
  const changed = requirement.withFigure(only.limit);
  if (changed === null)
    return { problem: 'Another sentence changes the requirement to a figure of another kind.', sentences };
  return { requirement: changed, changedBy: sentences };
}

/** `section 4`, `3.1`: numbers of sections, which are no figures. */
const REFERENCE = new RegExp(
  String.raw`(?:(?<!\p{L})(?:${plainTable.sectionWords})\s{0,2})\d+(?:\.\d+)*|(?<=\s)\d+(?:\.\d+)+(?=\s)`,
  'giu',
);
const FROM: Readonly<Record<string, string>> = plainTable.effect.from;

function datedChange(
  { dimension, sentence: own }: Requirement,
  { text, section }: PolicySentence,
  language: PlainLanguage,
): { from: number; limit: Limit } | null {
  const form = new RegExp(String.raw`(?<!\p{L})(?:${FROM[language]})\s(?<date>${DATE})`, 'giu');
  const found = [...text.matchAll(form)];
  const [first] = found;
  const from = parseTime(first?.groups?.['date'] ?? '')?.dateMs;
  if (first === undefined || found.length > 1 || from === undefined) return null;
  const around = `${text.slice(0, first.index)} ${text.slice(first.index + first[0].length)}`;
  const rest = around.replaceAll(REFERENCE, ' ');
  const limits = figuresOf(rest, dimension, language);
  const [limit] = limits;
  if (
    limit === undefined ||
    limits.length > 1 ||
    limitsIn(rest, language).some(({ unit }) => unit !== limit.unit && unit !== '')
  )
    return null;
  // Another condition would make it a special case and no new version.
  const usual = tellingWords(`${own.section.node.title} ${own.text} ${section.node.title}`, language);
  const strange = tellingWords(rest.replace(limit.said, ' '), language).filter(
    (word) => !hasForm(usual, word, language) && !isPeriodWord(word, language) && !SECTION_WORDS.has(word),
  );
  return strange.length === 0 ? { from, limit } : null;
}

const SECTION_WORDS = new Set(foldedWords(plainTable.sectionWords.replaceAll('|', ' ')));
