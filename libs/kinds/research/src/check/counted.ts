import {
  ALIKE,
  ALIKE_CLASSES,
  APART,
  CLASSES,
  EACH_EN,
  EACH_ZH,
  FATES,
  KINDS,
  MEASURES,
  MORE_MEASURES,
  PER,
  SAME_PER,
  SIGNS,
} from './counted-words.js';
import type { Figure } from './figures.js';

/** What a number in a text counts, as far as the neighbouring words show it. */
export interface CountedObject {
  /** A unit of measure such as `percent` or `USD`, or a class of things such as `person`; null: unknown. */
  unit: string | null;
  /** Whether the unit is a measure, not a class of things. */
  isMeasure: boolean;
  /** The word or classifier directly after the figure; empty: none, or the word names nothing countable. */
  word: string;
  /** Fates of the counted people, such as `died` or `injured`. */
  fates: ReadonlySet<string>;
  /** Period or comparison of the figure: `day`, `month`, `year-on-year`. */
  per: ReadonlySet<string>;
}

const perIn = (text: string): Set<string> =>
  new Set([
    ...keysIn(PER, text),
    ...[...text.matchAll(EACH_EN), ...text.matchAll(EACH_ZH)].flatMap((match) => {
      const said = match
        .slice(1)
        .find((part) => part !== undefined)!
        .toLowerCase();
      const key = SAME_PER[said] ?? said;
      return key === '' || key === '單' ? [] : [key];
    }),
  ]);
/** Chinese classifiers: words between a number and what it counts. */
const CLASSIFIERS =
  '箱顆粒包瓶袋盒罐杯桶本冊份支枝根條片塊棵株雙對套組班期屆層頁隻頭張劑票場次回輛艘架台部棟幢座處項款筆席尾朵面匹串卷捆批噸口站區里縣市鄉鎮村校';
/** Classifiers of one group are interchangeable. */
const GROUPS = [
  '支枝根條',
  '本冊',
  '場次回',
  '台部輛',
  '棟幢座處',
  '隻頭匹',
  '顆粒',
  '包袋盒',
  '項款',
  '次回班趟',
];

function wordBehind(tail: string): string {
  const sign = /^ ?([\p{Script=Han}])/u.exec(tail)?.[1];
  if (sign !== undefined) return CLASSIFIERS.includes(sign) ? sign : '';
  const word = /^[- ]?([A-Za-z][A-Za-z0-9/’'-]*)/.exec(tail)?.[1]?.toLowerCase() ?? '';
  return NO_NOUNS.test(word) ? '' : word;
}
const NO_NOUNS =
  /^(?:and|or|to|in|on|by|for|from|with|but|the|of|that|which|who|were|was|are|is|has|had|have|at|as|when|while|than|per|would|will|could|may|if|an?|each|every|last|this|next|more|less|fewer|other|others|further|up|down|so|out|after|before|until|since|during)$/;
const isOneGroup = (a: string, b: string): boolean =>
  a === b || GROUPS.some((group) => group.includes(a) && group.includes(b));
const isSign = (word: string): boolean => /^\p{Script=Han}$/u.test(word);

const NEGATED =
  /(?:無人|沒有人|沒有|未有|無|未|\b(?:no|nobody|none|without|not|never|neither|zero)\b)[^，。；,.;]{0,60}/giu;

/** The words next to a figure that show what it counts, up to the next figure or the end of the clause. */
export interface Surroundings {
  lead: string;
  tail: string;
}

/** Returns the object of a figure. */
export function countedObject(figure: Figure, { lead, tail }: Surroundings): CountedObject {
  const behind = tail.replace(/^ ?[多餘](?=[\p{Script=Han}])/u, '');
  const sign = SIGNS.find(([form]) => form.test(lead.slice(-6)))?.[1];
  const measure =
    MORE_MEASURES.find(([, form]) => form.test(behind))?.[0] ??
    (figure.unit !== null && MEASURES.has(figure.unit) ? figure.unit : undefined) ??
    sign;
  const thing = CLASSES.find(([, form]) => form.test(behind))?.[0];
  const near = keysIn(FATES, tail.slice(0, 60));
  return {
    unit: measure ?? thing ?? null,
    isMeasure: measure !== undefined,
    word: wordBehind(behind),
    fates: near.size > 0 ? near : keysIn(FATES, lead.slice(-24)),
    per: perIn(`${lead.slice(-24)} 0${tail.slice(0, 80)}`),
  };
}

const keysIn = (table: readonly (readonly [string, RegExp])[], ...texts: string[]): Set<string> =>
  new Set(table.filter(([, form]) => texts.some((text) => form.test(text))).map(([key]) => key));

/** Returns the kinds of people or things that the words after a figure name. */
export const kindsIn = (tail: string): Set<string> => keysIn(KINDS, tail);
/** Returns the fates that a sentence states, except those that it denies. */
export const fatesIn = (sentence: string): Set<string> => keysIn(FATES, sentence.replaceAll(NEGATED, ' '));

/** Measures that are always written next to their figure. */
const ALWAYS_WRITTEN = new Set([
  'percent',
  'points',
  'USD',
  'JPY',
  'EUR',
  'CNY',
  'HKD',
  'TWD',
  'GBP',
  'dollars',
]);

/**
 * Returns the words that deny that people suffered one of these fates, as in `no deaths`; null: there are
 * none.
 */
export function findDenial(text: string, fates: ReadonlySet<string>): string | null {
  const denials = [...text.matchAll(NEGATED)].map(([words]) => words);
  return denials.find((words) => [...keysIn(FATES, words)].some((fate) => fates.has(fate))) ?? null;
}

/** Returns whether both figures can count the same thing. */
export function countsSame(claimed: CountedObject, source: CountedObject): boolean {
  if (disjoint(claimed.per, source.per)) return false;
  if (isSign(claimed.word) && isSign(source.word) && !isOneGroup(claimed.word, source.word)) return false;
  if (claimed.unit === null && source.unit === null) return true;
  if (claimed.unit !== null && source.unit !== null)
    return (
      claimed.unit === source.unit ||
      isAlike(claimed.isMeasure && source.isMeasure ? ALIKE : ALIKE_CLASSES, claimed.unit, source.unit)
    );
  const [known, unknown] = claimed.unit === null ? [source, claimed] : [claimed, source];
  if (!known.isMeasure && isSign(unknown.word)) return false;
  if (known.isMeasure && ALWAYS_WRITTEN.has(known.unit!)) return false;
  // A bare figure, as in a table, may have any unit. A figure with a counted word is not a measure.
  return !known.isMeasure || unknown.word === '';
}

/** Returns whether the kinds of people or things that two figures count exclude each other. */
export const areKindsApart = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  APART.some(
    ([x, y]) =>
      (a.has(x) && !a.has(y) && b.has(y) && !b.has(x)) || (a.has(y) && !a.has(x) && b.has(x) && !b.has(y)),
  );

const isAlike = (groups: readonly (readonly string[])[], a: string, b: string): boolean =>
  groups.some((group) => group.includes(a) && group.includes(b));

/** Returns whether two non-empty sets have nothing in common. */
export const disjoint = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size > 0 && b.size > 0 && ![...a].some((one) => b.has(one));
