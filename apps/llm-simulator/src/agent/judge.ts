import type { JsonObject } from '@casefile/contracts';
import { shared, stemsOf } from './content-words.js';
import type { Conversation } from './conversation.js';
import { dateOf, limitsIn, timeUnit, unitOf } from './measures.js';
import type { Limit } from './measures.js';
import { isCut } from './observations.js';
import type { FoundSpan, Reading } from './observations.js';

/** What the agent makes of what it found. */
export interface Judgement {
  status: 'MET' | 'NOT_MET' | 'UNCERTAIN';
  confidence: number;
  why: string;
  spans: FoundSpan[];
  facts: Reading[];
}

/** How sure the agent says it is, by what it went by. */
const SURE = { figure: 0.9, truth: 0.8, words: 0.7, unclear: 0.5 } as const;
/** A reading below this decides nothing: below it an answer is not given either (S4-22). */
const LEAST_READING = 0.65;
/** Spans that are looked at, the best first. */
const SPANS_WEIGHED = 6;
const EXCLUDES = /\b(?:not covered|excluded|not insured|never insured|is declined|nothing is insured)\b/i;
const DENIES = /\b(?:no|not|never|without|unless|free of|except)\b/i;

/**
 * Weighs spans and facts by simple rules: a figure against a fact of its kind, a truth against what a span asks for,
 * words that exclude. What the rules do not see is left undecided.
 */
export function judge(known: Conversation): Judgement {
  const spans = bestSpans(known);
  const disputed = disputedNames(known.readings);
  const usable = known.readings.filter(({ name }) => !disputed.has(name));
  const topic = stemsOf(known.criterion);
  for (const span of spans) {
    const found = byLimits(span, usable, topic) ?? byTruths(span, usable, topic);
    if (found !== null) return found;
  }
  const [first] = spans;
  const doubtful = known.readings.filter(({ name }) => disputed.has(name));
  if (first !== undefined && doubtful.length === 0 && excludes(first, topic))
    return {
      ...{ status: 'NOT_MET', confidence: SURE.words },
      why: 'the words exclude it',
      spans: [first],
      facts: [],
    };
  const why =
    doubtful.length > 0
      ? `the readings of ${[...disputed].join(', ')} disagree or are not sure`
      : 'no figure and no fact of one kind were found';
  return {
    ...{ status: 'UNCERTAIN', confidence: SURE.unclear, why },
    ...{ spans: spans.slice(0, 2), facts: (doubtful.length > 0 ? doubtful : usable).slice(0, 3) },
  };
}

/** Exact words that are known: of sections that were tightened the spans, of others their sentences. */
export function wordsShown({ spans, nodes }: Pick<Conversation, 'spans' | 'nodes'>): FoundSpan[] {
  const tightened = new Set(spans.map(({ nodeId }) => nodeId));
  return [...spans, ...nodes.filter(({ nodeId }) => !tightened.has(nodeId)).flatMap(sentencesOf)];
}

/** Of these, what shares words with the criterion and with what the facts say. */
function bestSpans(known: Conversation): FoundSpan[] {
  const { criterion, readings } = known;
  const candidates = wordsShown(known);
  const topic = stemsOf(criterion);
  const told = stemsOf(
    readings.map(({ name, value }) => `${name.replaceAll('_', ' ')} ${String(value)}`).join(' '),
  );
  const score = ({ text }: FoundSpan) => {
    const words = stemsOf(text);
    return 2 * shared(words, topic) + shared(words, told) + (limitsIn(text).length > 0 ? 1 : 0);
  };
  return candidates
    .map((span, at) => ({ span, at, score: score(span) }))
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, SPANS_WEIGHED)
    .map(({ span }) => span);
}

function sentencesOf({
  nodeId,
  page,
  text,
}: {
  nodeId: string;
  page: number | null;
  text: string;
}): FoundSpan[] {
  const sentences = text.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => stemsOf(sentence).size > 2);
  return sentences.map((sentence) => ({ nodeId, page, text: sentence.trim() }));
}

/** Names whose readings differ, or of which none is sure. */
function disputedNames(readings: Reading[]): Set<string> {
  const names = new Set(readings.map(({ name }) => name));
  return new Set(
    [...names].filter((name) => {
      const own = readings.filter((reading) => reading.name === name);
      const values = new Set(own.map(({ value, unit }) => `${String(value)} ${unit ?? ''}`));
      return values.size > 1 || own.every(({ confidence }) => (confidence ?? 1) < LEAST_READING);
    }),
  );
}

function byLimits(span: FoundSpan, readings: Reading[], topic: Set<string>): Judgement | null {
  for (const limit of limitsIn(span.text)) {
    const measured = measure(limit, span, readings, topic);
    if (measured === null) continue;
    const { amount, facts } = measured;
    const met = limit.kind === 'at-least' ? amount >= limit.amount : amount <= limit.amount;
    const figures = `${round(amount)} against ${limit.amount}${limit.unit === null ? '' : ` (${limit.unit})`}`;
    return {
      ...{ status: met ? 'MET' : 'NOT_MET', confidence: SURE.figure, why: figures },
      ...{ spans: [span], facts },
    };
  }
  return null;
}

function measure(
  limit: Limit,
  span: FoundSpan,
  readings: Reading[],
  topic: Set<string>,
): { amount: number; facts: Reading[] } | null {
  const length = timeUnit(limit.unit);
  const words = new Set([...stemsOf(span.text), ...topic]);
  const told = ofKind(limit, readings, words);
  if (told !== null) return { amount: Number(told.value), facts: [told] };
  if (length === undefined) return null;
  const dates = readings.filter(({ value }) => dateOf(value) !== null);
  const from = mostLike(dates, stemsOf(limit.rest));
  const to = mostLike(
    dates.filter((one) => one !== from),
    words,
  );
  if (from === undefined || to === undefined) return null;
  const [start, end] = [dateOf(from.value) ?? 0, dateOf(to.value) ?? 0];
  return end < start ? null : { amount: (end - start) / length, facts: [from, to] };
}

/** A figure in the limit's own unit, whose name has something to do with it. */
function ofKind(limit: Limit, readings: Reading[], words: Set<string>): Reading | null {
  const alike = readings.filter(
    ({ value, unit }) => typeof value === 'number' && unitOf(unit) === limit.unit,
  );
  const found = mostLike(alike, words);
  return found === undefined || shared(nameStems(found), words) === 0 ? null : found;
}

function byTruths(span: FoundSpan, readings: Reading[], topic: Set<string>): Judgement | null {
  const truths = readings.filter(({ value }) => typeof value === 'boolean');
  const words = stemsOf(span.text);
  const found = mostLike(truths, words);
  if (found === undefined || shared(nameStems(found), words) === 0) return null;
  if (shared(nameStems(found), new Set([...words, ...topic])) < 2 || DENIES.test(span.text)) return null;
  const status = found.value === true ? 'MET' : 'NOT_MET';
  return {
    status,
    confidence: SURE.truth,
    why: `${found.name} is ${String(found.value)}`,
    spans: [span],
    facts: [found],
  };
}

function excludes(span: FoundSpan, topic: Set<string>): boolean {
  return EXCLUDES.test(span.text) && shared(stemsOf(span.text), topic) >= 2;
}

function mostLike(readings: Reading[], words: Set<string>): Reading | undefined {
  return readings
    .map((reading, at) => ({ reading, at, score: shared(nameStems(reading), words) }))
    .sort((a, b) => b.score - a.score || a.at - b.at)[0]?.reading;
}

const nameStems = ({ name }: Reading) => stemsOf(name.replaceAll('_', ' '));
const round = (amount: number) => Math.round(amount * 100) / 100;

/** The arguments of the call that ends the check: what was judged, with quotes copied word for word and facts as they were read. */
export function finishArgs(known: Conversation): JsonObject {
  const nothing = known.nodes.length === 0 && known.spans.length === 0;
  if (nothing) return nothingFound(known);
  const { status, confidence, why, spans, facts } = judge(known);
  const missing = known.missing.map((asked) => ({ kind: 'absence', of: 'fact', asked }));
  return {
    ...{
      status,
      confidence,
      rationale: `Simulated answer, made by rules and not by a language model: ${why}.`,
    },
    citations: [
      ...spans.slice(0, 2).map(({ nodeId, text, page }) => {
        return { kind: 'quote', nodeId, quote: text, ...(page !== null && { page }) };
      }),
      // The value of a cut reading is not the fact's.
      ...facts
        .filter(({ value }) => typeof value !== 'string' || !isCut(value))
        .map(({ id, value, unit }) => {
          return { kind: 'fact', fact: id, value, ...(unit !== null && { unit }) };
        }),
      ...(status === 'UNCERTAIN' ? missing.slice(0, 2) : []),
    ],
  };
}

function nothingFound({ done, missing }: Conversation): JsonObject {
  const asked = done.flatMap(({ name, args, said }) =>
    name === 'pi_search' && typeof args.query === 'string' && said !== null ? [args.query] : [],
  );
  return {
    ...{ status: 'UNCERTAIN', confidence: 0.3 },
    rationale: 'Simulated answer, made by rules and not by a language model: nothing was found to go by.',
    citations: [
      ...asked.slice(-1).map((query) => ({ kind: 'absence', of: 'policy', asked: query })),
      ...missing.slice(0, 2).map((name) => ({ kind: 'absence', of: 'fact', asked: name })),
    ],
  };
}
