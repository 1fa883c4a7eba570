import { factName, type CitableFact, type TypedClaim } from '@casefile/contracts';
import { measuresIn, type Measure } from '@casefile/pipeline/claims/index';
import { boundBefore, boundBehind, withoutComparisons } from '@casefile/pipeline/reading/bounds';
import { measureOf } from '@casefile/pipeline/reading/index';
import { nameTerms, type AnswerGround } from './ground.js';
import { hasTerm, termsIn } from './terms.js';
import { LESS, MORE, NOT, OR, REFUSES } from './word-tables.js';

/** Compares facts with the limits of the cited sentences, and the comparisons of the rationale with the facts. */
export const checkComputed = (ground: AnswerGround): TypedClaim[] => [
  ...checkLimits(ground),
  ...checkNames(ground),
];

interface FactMeasure {
  fact: CitableFact;
  dimension: string;
  base: number;
}

/** Returns the one measure of a fact; null: it has none, or several. */
export function factMeasure(fact: CitableFact, language: string): FactMeasure | null {
  const { value, unit } = fact;
  if (typeof value === 'number') {
    if (unit === undefined) return { fact, dimension: '', base: value };
    return { fact, ...measureOf(value, unit) };
  }
  const measures = measuresIn(unit === undefined ? String(value) : `${value} ${unit}`, language);
  const [only] = measures;
  if (only === undefined || measures.length > 1) return null;
  return { fact, dimension: only.dimension ?? '', base: only.base };
}

const LEAD = 40;

/** A bare figure may have a unit that means several things (`m`), or that converts to no other one (`g/km`). */
const UNIT = /^\s?(?<unit>[\p{L}²³°/]{1,16})/u;

/** Returns a measure with its unit; null: it has none that a fact has. */
function withUnit(one: Measure, behind: string, facts: readonly CitableFact[]): FactLimit | null {
  if (one.dimension !== null) return { ...one, dimension: one.dimension };
  const unit = UNIT.exec(behind)?.groups?.['unit'];
  if (unit === undefined) return null;
  const read = measureOf(one.value, unit);
  const isOfFact = facts.some(
    (fact) => fact.unit !== undefined && measureOf(1, fact.unit).dimension === read.dimension,
  );
  return isOfFact ? { ...one, ...read, to: one.to + behind.indexOf(unit) + unit.length } : null;
}

type FactLimit = Pick<Measure, 'base' | 'from' | 'to'> & { dimension: string };

/** Compares the only fact of the dimension with the only limit of a cited sentence. */
function checkLimits({ status, sentences, facts, language, asked }: AnswerGround): TypedClaim[] {
  const measured = facts.flatMap((fact) => factMeasure(fact, language) ?? []);
  return sentences.flatMap(({ text, section }): TypedClaim[] => {
    const plain = withoutComparisons(text);
    const asks = [NOT, REFUSES].some(
      (list) => list.first(asked, language) !== null || list.first(plain, language) !== null,
    );
    if (asks || OR.first(text, language) !== null) return [];
    const limits = measuresIn(text, language).flatMap(
      (one) => withUnit(one, text.slice(one.to), facts) ?? [],
    );
    const [limit] = limits;
    if (limit === undefined || limits.length > 1) return [];
    const relation = relationOf(text, limit);
    if (relation === null) return [];
    const own = measured.filter(({ dimension }) => dimension === limit.dimension);
    const [one] = own;
    if (one === undefined || own.length > 1 || RATE.test(text.slice(limit.to, limit.to + LEAD))) return [];
    const isKept = keeps(one.base, relation, limit.base);
    // Another cited sentence may be broken.
    if (isKept && status === 'NOT_MET' && sentences.length > 1) return [];
    const result = isKept === (status === 'MET') ? 'holds' : 'contradicted';
    return [
      {
        dimension: 'quantity',
        stated: text.slice(0, 200),
        says: `${factName(one.fact.name)} = ${String(one.fact.value)} ${one.fact.unit ?? ''}`.trim(),
        source: section.name,
        result,
      },
    ];
  });
}

/** `8 children per adult` limits a ratio of two facts. */
const RATE = /^[^.,;]{0,24}(?:\b(?:per|par|pro|je|por|por cada|na)\s|每)/iu;

type Relation = 'most' | 'least' | 'over' | 'under';

function relationOf(text: string, { from, to }: Pick<Measure, 'from' | 'to'>): Relation | null {
  const before = boundBefore(text.slice(Math.max(0, from - LEAD), from))?.bound;
  const bound = before ?? boundBehind(text.slice(to, to + LEAD));
  return bound === 'most' || bound === 'least' || bound === 'over' || bound === 'under' ? bound : null;
}

function keeps(value: number, relation: Relation, limit: number): boolean {
  const gap = Math.abs(value - limit) <= Math.abs(limit) * 1e-9 ? 0 : value - limit;
  if (relation === 'most') return gap <= 0;
  if (relation === 'least') return gap >= 0;
  return relation === 'over' ? gap > 0 : gap < 0;
}

/** A comparison of a rationale: who is more than whom. `right` is null if it names one side only. */
interface Comparing {
  isMore: boolean;
  left: string;
  right: string;
}

/** `Velora is lower than Abkin` with `price_velora = 18400` and `price_abkin = 17900`. */
function checkNames({ rationale, facts, language }: AnswerGround): TypedClaim[] {
  const compared = comparingIn(rationale, language);
  if (compared === null) return [];
  const rows = facts.flatMap((fact) => {
    const measure = factMeasure(fact, language);
    return measure === null
      ? []
      : [{ ...measure, terms: [...nameTerms([fact]), ...termsIn(String(fact.value))] }];
  });
  const common = (terms: readonly string[]) =>
    rows.filter((row) => terms.some((term) => hasTerm(row.terms, term)));
  const distinct = (text: string) => termsIn(text).filter((term) => common([term]).length === 1);
  const [left, right] = [common(distinct(compared.left)), common(distinct(compared.right))];
  const [one] = left;
  if (one === undefined || left.length > 1) return [];
  const others = right.length > 0 ? right : rows.filter((row) => row !== one);
  const rival = others.find((row) => row !== one && row.dimension === one.dimension);
  if (rival === undefined || others.length > 1 || one.base === rival.base) return [];
  const isRight = one.base > rival.base === compared.isMore;
  const shown = (row: FactMeasure) => `${factName(row.fact.name)} = ${String(row.fact.value)}`;
  return [
    {
      dimension: 'comparison',
      stated: rationale.slice(0, 200),
      says: `${shown(one)}, ${shown(rival)}`,
      source: 'facts',
      result: isRight ? 'holds' : 'contradicted',
    },
  ];
}

function comparingIn(text: string, language: string): Comparing | null {
  if (NOT.first(text, language) !== null || /\d/.test(text)) return null;
  const [more, less] = [MORE.first(text, language), LESS.first(text, language)];
  if ((more === null) === (less === null)) return null;
  const { from, to } = (more ?? less)!;
  return { isMore: more !== null, left: text.slice(0, from), right: text.slice(to) };
}
