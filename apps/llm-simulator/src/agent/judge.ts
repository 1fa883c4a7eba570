import { namesSection, sectionNumber, type JsonObject } from '@casefile/contracts';
import { countShared, textStems } from './content-words.js';
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
/** Part of what the criterion asks about that a sentence, with its title, must speak of to answer it. */
const LEAST_COVERED = 0.5;
/** In a criterion these ask, they do not say what about. */
const ASKING = textStems('time period apply applies applied right allowed required according policy');
/** Another clause may turn a sentence round. */
const NOT_PLAIN = /\b(?:unless|except|instead|in place of|if|whichever|each|every|per)\b/i;
/** Of a fact's name these say that it is a time. */
const TIME_WORDS = textStems('date day time hour moment');
const EXCLUDES = /\b(?:not covered|excluded|not insured|never insured|is declined|nothing is insured)\b/i;
const DENIES = /\b(?:no|not|never|without|unless|free of|except)\b/i;

/**
 * Weighs spans and facts by simple rules: a figure against a fact of its kind, a truth against what a span asks for,
 * words that exclude. What is not plain is left undecided: a sentence about something else, or with more than one figure,
 * and one that another section may change for such a case, or may not: where a fact tells of what nothing found speaks of.
 */
export function judge(known: Conversation): Judgement {
  const spans = bestSpans(known);
  const disputed = disputedNames(known.readings);
  const usable = known.readings.filter(({ name }) => !disputed.has(name));
  const topic = textStems(known.criterion);
  const doubtful = known.readings.filter(({ name }) => disputed.has(name));
  for (const span of spans.filter((one) => isPlainAnswer(one, known))) {
    const excluded = doubtful.length === 0 && excludes(span, topic) ? EXCLUDED : null;
    const found =
      byLimits(span, usable, topic) ??
      byTruths(span, usable, topic) ??
      (excluded && { ...excluded, spans: [span] });
    if (found === null) continue;
    const changing = changedBy(span, known);
    if (changing !== null) return unsure('another section may change it', [span, changing], found.facts);
    const [strange] = unexplained(known);
    if (strange === undefined) return found;
    return unsure(`there may be a rule of its own for ${strange.name}`, [span], [strange, ...found.facts]);
  }
  if (doubtful.length > 0)
    return unsure(`the readings of ${[...disputed].join(', ')} disagree or are not sure`, spans, doubtful);
  return unsure('nothing that was found answers it plainly', spans, usable);
}

const EXCLUDED: Omit<Judgement, 'spans'> = {
  status: 'NOT_MET',
  confidence: SURE.words,
  why: 'the words exclude it',
  facts: [],
};

function unsure(why: string, spans: FoundSpan[], facts: Reading[]): Judgement {
  return {
    status: 'UNCERTAIN',
    confidence: SURE.unclear,
    why,
    spans: spans.slice(0, 2),
    facts: facts.slice(0, 3),
  };
}

/** Does a sentence speak of most of what is asked, in one clause with one figure at most? */
function isPlainAnswer({ nodeId, text }: FoundSpan, { criterion, nodes }: Conversation): boolean {
  if (NOT_PLAIN.test(text) || (text.match(/\d[\d,.]*/g) ?? []).length > 1) return false;
  const asked = [...textStems(criterion)].filter((stem) => !ASKING.has(stem));
  const title = nodes.find((node) => node.nodeId === nodeId)?.title ?? '';
  const [own, said] = [textStems(text), textStems(`${title} ${text}`)];
  const covered = asked.filter((stem) => said.has(stem));
  return covered.some((stem) => own.has(stem)) && covered.length >= LEAST_COVERED * asked.length;
}

/** A sentence elsewhere that names the section of this one, in words of a fact that is not simply denied. */
function changedBy(span: FoundSpan, known: Conversation): FoundSpan | null {
  const own = known.nodes.find(({ nodeId }) => nodeId === span.nodeId);
  const number = own === undefined ? null : sectionNumber(own.title);
  if (own === undefined || number === null) return null;
  const plain = textStems(`${own.title} ${own.text}`);
  const names = known.readings
    .filter(({ value }) => value !== false)
    .map(({ name }) => name.replaceAll('_', ' '));
  const told = [...readingCircumstances(known.readings), ...textStems(names.join(' '))].filter(
    (stem) => !plain.has(stem),
  );
  const elsewhere = wordsShown(known).filter(({ nodeId }) => nodeId !== span.nodeId);
  const changing = elsewhere.find(({ nodeId, text }) => {
    const title = known.nodes.find((node) => node.nodeId === nodeId)?.title ?? '';
    const words = textStems(`${title} ${text}`);
    return namesSection(text, number) && told.some((stem) => words.has(stem));
  });
  return changing ?? null;
}

/** Facts that tell of circumstances in words which nothing that was found has, nor the criterion. */
function unexplained(known: Conversation): Reading[] {
  const shown = textStems([known.criterion, ...wordsShown(known).map(({ text }) => text)].join('\n'));
  return known.readings.filter((reading) => {
    const stems = readingCircumstances([reading]);
    return stems.size > 0 && countShared(stems, shown) === 0;
  });
}

/** What facts say of how things are, in words: dates, figures and what is denied say nothing. */
function readingCircumstances(readings: readonly Reading[]): Set<string> {
  const told = readings.flatMap(({ name, value }) => {
    if (value === true) return [name.replaceAll('_', ' ')];
    return typeof value === 'string' && dateOf(value) === null ? [value] : [];
  });
  return textStems(told.join(' '));
}

/** Exact words that are known: of sections that were tightened the spans, of others their sentences. */
export function wordsShown({ spans, nodes }: Pick<Conversation, 'spans' | 'nodes'>): FoundSpan[] {
  const tightened = new Set(spans.map(({ nodeId }) => nodeId));
  return [...spans, ...nodes.filter(({ nodeId }) => !tightened.has(nodeId)).flatMap(foundSpanSentences)];
}

/** Of these, what shares words with the criterion and with what the facts say. */
function bestSpans(known: Conversation): FoundSpan[] {
  const { criterion, readings } = known;
  const candidates = wordsShown(known);
  const topic = textStems(criterion);
  const told = textStems(
    readings.map(({ name, value }) => `${name.replaceAll('_', ' ')} ${String(value)}`).join(' '),
  );
  const score = ({ text }: FoundSpan) => {
    const words = textStems(text);
    return 2 * countShared(words, topic) + countShared(words, told) + (limitsIn(text).length > 0 ? 1 : 0);
  };
  return candidates
    .map((span, at) => ({ span, at, score: score(span) }))
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, SPANS_WEIGHED)
    .map(({ span }) => span);
}

function foundSpanSentences({ nodeId, page, text }: FoundSpan): FoundSpan[] {
  const sentences = text.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => textStems(sentence).size > 2);
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
      status: met ? 'MET' : 'NOT_MET',
      confidence: SURE.figure,
      why: figures,
      spans: [span],
      facts,
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
  const words = new Set([...textStems(span.text), ...topic]);
  const told = ofKind(limit, readings, words);
  if (told !== null) return { amount: Number(told.value), facts: [told] };
  if (length === undefined) return null;
  const dates = readings.filter(({ value }) => dateOf(value) !== null);
  const events = textStems(limit.rest);
  const from = mostLike(
    dates.filter((one) => happensIn(one, events)),
    events,
  );
  const to = mostLike(
    dates.filter((one) => one !== from && happensIn(one, words)),
    words,
  );
  if (from === undefined || to === undefined) return null;
  const [start, end] = [dateOf(from.value) ?? 0, dateOf(to.value) ?? 0];
  return end < start ? null : { amount: (end - start) / length, facts: [from, to] };
}

/** Of a name the last word says what happened: `letter_posted_on` is no time of receiving. */
function happensIn(reading: Reading, words: Set<string>): boolean {
  const told = [...nameStems(reading)].filter((stem) => !TIME_WORDS.has(stem));
  const happened = told.at(-1);
  return happened !== undefined && words.has(happened);
}

/** A figure in the limit's own unit, whose name has something to do with it. */
function ofKind(limit: Limit, readings: Reading[], words: Set<string>): Reading | null {
  const alike = readings.filter(
    ({ value, unit }) => typeof value === 'number' && unitOf(unit) === limit.unit,
  );
  const found = mostLike(alike, words);
  return found === undefined || countShared(nameStems(found), words) === 0 ? null : found;
}

function byTruths(span: FoundSpan, readings: Reading[], topic: Set<string>): Judgement | null {
  if (/\d/.test(span.text) || limitsIn(span.text).length > 0) return null;
  const truths = readings.filter(({ value }) => typeof value === 'boolean');
  const words = textStems(span.text);
  const found = mostLike(truths, words);
  if (found === undefined || countShared(nameStems(found), words) === 0) return null;
  if (countShared(nameStems(found), new Set([...words, ...topic])) < 2 || DENIES.test(span.text)) return null;
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
  return EXCLUDES.test(span.text) && countShared(textStems(span.text), topic) >= 2;
}

function mostLike(readings: Reading[], words: Set<string>): Reading | undefined {
  return readings
    .map((reading, at) => ({ reading, at, score: countShared(nameStems(reading), words) }))
    .sort((a, b) => b.score - a.score || a.at - b.at)[0]?.reading;
}

const nameStems = ({ name }: Reading) => textStems(name.replaceAll('_', ' '));
const round = (amount: number) => Math.round(amount * 100) / 100;

/** The arguments of the call that ends the check: what was judged, with quotes copied word for word and facts as they were read. */
export function finishArgs(known: Conversation): JsonObject {
  const nothing = known.nodes.length === 0 && known.spans.length === 0;
  if (nothing) return nothingFound(known);
  const { status, confidence, why, spans, facts } = judge(known);
  const missing = known.missing.map((asked) => ({ kind: 'absence', of: 'fact', asked }));
  return {
    status,
    confidence,
    rationale: `Simulated answer, made by rules and not by a language model: ${why}.`,
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
    status: 'UNCERTAIN',
    confidence: 0.3,
    rationale: 'Simulated answer, made by rules and not by a language model: nothing was found to go by.',
    citations: [
      ...asked.slice(-1).map((query) => ({ kind: 'absence', of: 'policy', asked: query })),
      ...missing.slice(0, 2).map((name) => ({ kind: 'absence', of: 'fact', asked: name })),
    ],
  };
}
