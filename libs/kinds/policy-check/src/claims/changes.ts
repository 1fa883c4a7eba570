import type { TypedClaim } from '@casefile/contracts';
import { sectionNumber } from '@casefile/contracts';
import { sentencesOf, type AnswerGround } from './ground.js';
import { hasTerm, termsIn } from './terms.js';
import { CHANGES, NOT, REFUSES, sectionsNamedIn, withoutReferences } from './word-tables.js';

/** Returns whether a sentence changes another section: it names one, or corrects words of the policy. */
export function isChanging(text: string, language: string): boolean {
  return (
    CHANGES.first(text, language) !== null &&
    (sectionsNamedIn(text).length > 0 || isCorrection(text, language))
  );
}

const isCorrection = (text: string, language: string): boolean =>
  CHANGES.in(text, language).length > 1 || /["“”«»„「」].*["“”«»„「」]/u.test(text);

const LEAST_VALUE = 4;

/**
 * Looks for sentences of the policy that change the cited ones and that the answer does not cite: an amendment, an exception
 * that the facts of the case fulfil, or a special rule with the opposite result.
 */
export function checkChanges(ground: AnswerGround): TypedClaim[] {
  const { sections, sentences } = ground;
  const cited = new Set(sentences.map(({ text }) => text));
  const others = sections.flatMap((section) =>
    sentencesOf(section)
      .filter((text) => !cited.has(text))
      .map((text) => ({ section, text })),
  );
  const found = others.find(
    ({ section, text }) =>
      sentences.some((one) => changes(text, section.title, one, ground)) || isSpecialRule(text, ground),
  );
  if (found === undefined) return [];
  return [
    {
      dimension: 'clause',
      stated: sentences.map(({ text }) => text).join(' '),
      says: found.text,
      source: found.section.name,
      result: 'contradicted',
    },
  ];
}

type Cited = AnswerGround['sentences'][number];

/** Returns whether a sentence names the section of a cited one, and changes it for this case. */
function changes(text: string, title: string, cited: Cited, ground: AnswerGround): boolean {
  const { language, terms } = ground;
  const number = sectionNumber(cited.section.title)?.toLowerCase();
  const names = sectionsNamedIn(text);
  const isNamed =
    number !== undefined && names.some((name) => name === number || number.startsWith(`${name}.`));
  const word = CHANGES.first(text, language) ?? CHANGES.first(title, language);
  if (word === null) return false;
  const plain = withoutReferences(text);
  if (!isNamed) return names.length === 0 && correctsFigure(plain, cited, ground);
  const usual = [...termsIn(`${cited.text} ${cited.section.title} ${ground.title}`)];
  const changing = CHANGES.in(plain, language)
    .map(({ said }) => said)
    .join(' ');
  const verbs = termsIn(changing);
  const special = termsIn(plain).filter((term) => !hasTerm(usual, term) && !hasTerm(verbs, term));
  // Without words of its own it applies to every case; else to one whose facts have them.
  return special.length === 0 || special.some((term) => hasTerm(terms.facts, term)) || /\d/.test(plain);
}

/** `Where it says 30 April, read 15 April` corrects the sentence with that figure. */
function correctsFigure(
  text: string,
  { text: cited }: Cited,
  { language }: Pick<AnswerGround, 'language'>,
): boolean {
  if (!isCorrection(text, language)) return false;
  const figures = text.match(/\d+(?:[.,:]\d+)*/g) ?? [];
  return figures.length > 1 && figures.some((figure) => cited.includes(figure));
}

/**
 * Returns whether a sentence about the same matter has the opposite result for something that a fact of the case states
 * and the cited sentences do not name.
 */
function isSpecialRule(
  text: string,
  { sentences, language, terms: { cited, values: all, asked } }: AnswerGround,
): boolean {
  const own = termsIn(text);
  if (!own.some((term) => hasTerm(cited, term))) return false;
  const values = all.filter((term) => term.length >= LEAST_VALUE || /\p{Script=Han}/u.test(term));
  const special = own.filter((term) => !hasTerm(cited, term) && !hasTerm(asked, term));
  if (!special.some((term) => hasTerm(values, term))) return false;
  const isDenied = (one: string) =>
    NOT.first(one, language) !== null || REFUSES.first(one, language) !== null;
  return isDenied(text) !== sentences.some((one) => isDenied(one.text));
}
