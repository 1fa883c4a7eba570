import { namesSection, sectionNumber } from '@casefile/contracts';
import { countShared, textStems } from './content-words.js';
import type { Conversation } from './conversation.js';
import { parseDate, limitsIn, timeUnit, normalizeUnit } from './measures.js';
import type { Limit } from './measures.js';
import type { FoundSpan, Reading } from './observations.js';

/** The agent's judgement of what it found. */
export interface Judgement {
  status: 'MET' | 'NOT_MET' | 'UNCERTAIN';
  confidence: number;
  why: string;
  spans: FoundSpan[];
  facts: Reading[];
}

/** Confidence of a judgement, by its basis. */
const SURE = { figure: 0.9, truth: 0.8, words: 0.7, unclear: 0.5 } as const;
/** A reading with less confidence decides nothing (S4-22). */
const LEAST_READING = 0.65;
/** Number of spans to weigh, the best first. */
const SPANS_WEIGHED = 6;
/** Least share of the criterion's stems that a sentence and its title must contain to answer it. */
const LEAST_COVERED = 0.5;
/** Words that belong to the form of a criterion and do not show its topic. */
const ASKING = textStems('time period apply applies applied right allowed required according policy');
/** Words of a clause that may reverse a sentence. */
const NOT_PLAIN = /\b(?:unless|except|instead|in place of|if|whichever|each|every|per)\b/i;
/** Words of a fact's name that show that its value is a time. */
const TIME_WORDS = textStems('date day time hour moment');
const EXCLUDES = /\b(?:not covered|excluded|not insured|never insured|is declined|nothing is insured)\b/i;
const DENIES = /\b(?:no|not|never|without|unless|free of|except)\b/i;

/**
 * Weighs spans and facts by simple rules: figures, truths and words that exclude. Undecided stay sentences
 * about another topic, with several figures, or that another section may change for the case.
 */
export function judge(conversation: Conversation): Judgement {
  const spans = bestSpans(conversation);
  const disputed = disputedNames(conversation.readings);
  const usable = conversation.readings.filter(({ name }) => !disputed.has(name));
  const topic = textStems(conversation.criterion);
  const doubtful = conversation.readings.filter(({ name }) => disputed.has(name));
  for (const span of spans.filter((one) => isPlainAnswer(one, conversation))) {
    const excluded = doubtful.length === 0 && excludes(span, topic) ? EXCLUDED : null;
    const judgement =
      byLimits(span, usable, topic) ??
      byTruths(span, usable, topic) ??
      (excluded && { ...excluded, spans: [span] });
    if (judgement === null) continue;
    const changing = changedBy(span, conversation);
    if (changing !== null) return unsure('another section may change it', [span, changing], judgement.facts);
    const [strange] = unexplainedFacts(conversation);
    if (strange === undefined) return judgement;
    return unsure(
      `there may be a rule of its own for ${strange.name}`,
      [span],
      [strange, ...judgement.facts],
    );
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

/** Returns whether a sentence covers most of the criterion, in one clause with at most one figure. */
function isPlainAnswer({ nodeId, text }: FoundSpan, { criterion, nodes }: Conversation): boolean {
  if (NOT_PLAIN.test(text) || (text.match(/\d[\d,.]*/g) ?? []).length > 1) return false;
  const criterionStems = [...textStems(criterion)].filter((stem) => !ASKING.has(stem));
  const title = nodes.find((node) => node.nodeId === nodeId)?.title ?? '';
  const [own, titledStems] = [textStems(text), textStems(`${title} ${text}`)];
  const covered = criterionStems.filter((stem) => titledStems.has(stem));
  return covered.some((stem) => own.has(stem)) && covered.length >= LEAST_COVERED * criterionStems.length;
}

/** Returns a sentence elsewhere that names this section, in words of a fact that is not simply denied. */
function changedBy(span: FoundSpan, conversation: Conversation): FoundSpan | null {
  const own = conversation.nodes.find(({ nodeId }) => nodeId === span.nodeId);
  const number = own === undefined ? null : sectionNumber(own.title);
  if (own === undefined || number === null) return null;
  const plain = textStems(`${own.title} ${own.text}`);
  const names = conversation.readings
    .filter(({ value }) => value !== false)
    .map(({ name }) => name.replaceAll('_', ' '));
  const factStems = [...readingCircumstances(conversation.readings), ...textStems(names.join(' '))].filter(
    (stem) => !plain.has(stem),
  );
  const elsewhere = wordsShown(conversation).filter(({ nodeId }) => nodeId !== span.nodeId);
  const changing = elsewhere.find(({ nodeId, text }) => {
    const title = conversation.nodes.find((node) => node.nodeId === nodeId)?.title ?? '';
    const words = textStems(`${title} ${text}`);
    return namesSection(text, number) && factStems.some((stem) => words.has(stem));
  });
  return changing ?? null;
}

/** Returns facts about circumstances whose words occur neither in the found texts nor in the criterion. */
function unexplainedFacts(conversation: Conversation): Reading[] {
  const sourceStems = textStems(
    [conversation.criterion, ...wordsShown(conversation).map(({ text }) => text)].join('\n'),
  );
  return conversation.readings.filter((reading) => {
    const stems = readingCircumstances([reading]);
    return stems.size > 0 && countShared(stems, sourceStems) === 0;
  });
}

/** Returns the words in which facts describe circumstances. Dates, figures and denied facts have none. */
function readingCircumstances(readings: readonly Reading[]): Set<string> {
  const texts = readings.flatMap(({ name, value }) => {
    if (value === true) return [name.replaceAll('_', ' ')];
    return typeof value === 'string' && parseDate(value) === null ? [value] : [];
  });
  return textStems(texts.join(' '));
}

/** Returns the exact words that are known: spans of sections that were tightened, sentences of all others. */
export function wordsShown({ spans, nodes }: Pick<Conversation, 'spans' | 'nodes'>): FoundSpan[] {
  const tightened = new Set(spans.map(({ nodeId }) => nodeId));
  return [...spans, ...nodes.filter(({ nodeId }) => !tightened.has(nodeId)).flatMap(foundSpanSentences)];
}

/** Returns the spans that share words with the criterion and with the facts. */
function bestSpans(conversation: Conversation): FoundSpan[] {
  const { criterion, readings } = conversation;
  const candidates = wordsShown(conversation);
  const topic = textStems(criterion);
  const factStems = textStems(
    readings.map(({ name, value }) => `${name.replaceAll('_', ' ')} ${String(value)}`).join(' '),
  );
  const score = ({ text }: FoundSpan) => {
    const words = textStems(text);
    return (
      2 * countShared(words, topic) + countShared(words, factStems) + (limitsIn(text).length > 0 ? 1 : 0)
    );
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

/** Returns names whose readings differ or have too little confidence. */
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
  const figure = ofKind(limit, readings, words);
  if (figure !== null) return { amount: Number(figure.value), facts: [figure] };
  if (length === undefined) return null;
  const dates = readings.filter(({ value }) => parseDate(value) !== null);
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
  const [start, end] = [parseDate(from.value) ?? 0, parseDate(to.value) ?? 0];
  return end < start ? null : { amount: (end - start) / length, facts: [from, to] };
}

/** The last word of a name shows the event: `letter_posted_on` is no time of receiving. */
function happensIn(reading: Reading, words: Set<string>): boolean {
  const eventStems = [...nameStems(reading)].filter((stem) => !TIME_WORDS.has(stem));
  const happened = eventStems.at(-1);
  return happened !== undefined && words.has(happened);
}

/** Returns a figure in the limit's own unit whose name shares words with the limit. */
function ofKind(limit: Limit, readings: Reading[], words: Set<string>): Reading | null {
  const alike = readings.filter(
    ({ value, unit }) => typeof value === 'number' && normalizeUnit(unit) === limit.unit,
  );
  const figure = mostLike(alike, words);
  return figure === undefined || countShared(nameStems(figure), words) === 0 ? null : figure;
}

function byTruths(span: FoundSpan, readings: Reading[], topic: Set<string>): Judgement | null {
  if (/\d/.test(span.text) || limitsIn(span.text).length > 0) return null;
  const truths = readings.filter(({ value }) => typeof value === 'boolean');
  const words = textStems(span.text);
  const truth = mostLike(truths, words);
  if (truth === undefined || countShared(nameStems(truth), words) === 0) return null;
  if (countShared(nameStems(truth), new Set([...words, ...topic])) < 2 || DENIES.test(span.text)) return null;
  const status = truth.value === true ? 'MET' : 'NOT_MET';
  return {
    status,
    confidence: SURE.truth,
    why: `${truth.name} is ${String(truth.value)}`,
    spans: [span],
    facts: [truth],
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
