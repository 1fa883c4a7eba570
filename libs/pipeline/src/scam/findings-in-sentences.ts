import { gapsOf, reasonInWords, type Evidence, type EvidenceItem } from '@casefile/contracts';
import { inLine } from '../plain-text.js';
import { asksInOtherLanguages } from '../text-signals/asks-in-other-languages.js';
import { LIKE_SCAMS_FROM, signInWords, type SignalsFound } from '../text-signals/signals-found.js';

/** Maximum number of findings that an explanation names in full. */
export const NAMED = 3;
/** Maximum number of entities that one sentence names per tool. */
const NAMED_ENTITIES = 2;

const TOOLS: Record<string, string> = {
  scam_db: 'the scam database',
  exa_search: 'the web search',
  domain_reputation: 'the domain check',
  phone_validator: 'the phone number check',
  text_signals: 'the reading of the text',
  find_similar_scams: 'the search for known scam patterns',
  past_cases: 'the search for past cases',
};

/** Joins parts with commas and a final `and`: `a`, `a and b`, `a, b, and c`. */
export function listInWords(parts: readonly string[]): string {
  if (parts.length < 3) return parts.join(' and ');
  return `${parts.slice(0, -1).join(', ')}, and ${parts.at(-1)}`;
}

/**
 * Returns sentences about the text itself: its signs with their number, and how similar its words are to
 * scams.
 */
export function textInSentences(textSignals: SignalsFound, id: string): string[] {
  const { signals, notes, legitimacy, message_model: model } = textSignals;
  const words = (model?.words ?? []).map((word) => `"${inLine(word, 40)}"`);
  const above = words.length === 0 ? '' : `, above all ${listInWords(words.slice(0, NAMED))}`;
  return [
    ...(signals.length === 0 ? [] : [signsSentence(signals, id)]),
    ...(signals.length > 0 || notes.length === 0
      ? []
      : [`What could be a sign is too weak or outweighed: the message ${strongest(notes)} [${id}].`]),
    ...(model === null || model.score < LIKE_SCAMS_FROM
      ? []
      : [`Its words resemble those of known scams (${model.score.toFixed(2)} of 1)${above} [${id}].`]),
    ...(legitimacy.length === 0
      ? []
      : [`What speaks for an honest sender: the message ${strongest(legitimacy)} [${id}].`]),
  ];
}

/** Returns a sentence on words that ask for something, in a text whose language the rules do not read; empty: too few. */
export function singleWordsSentence(text: string): string[] {
  const asks = asksInOtherLanguages(text);
  return asks.length === 0 ? [] : [`Single words suggest that it ${listInWords(asks.slice(0, NAMED))}.`];
}

function signsSentence(signals: SignalsFound['signals'], id: string): string {
  const count = signals.length === 1 ? 'One sign' : `${signals.length} signs`;
  const above = signals.length > NAMED ? ', the strongest' : '';
  return `${count} of a scam${above}: the message ${strongest(signals)} [${id}].`;
}

const strongest = (signs: SignalsFound['signals']): string =>
  listInWords(signs.slice(0, NAMED).map((sign) => signInWords({ ...sign, words: sign.words.slice(0, 1) })));

/**
 * Returns a sentence on the combined weight of the findings in a text; empty: there is no weight.
 * @param bound effect of a weight, such as `the rules call a message a scam from 2`
 */
export function weightSentence(weight: number, isReported: boolean, bound: string): string[] {
  if (weight <= 0) return [];
  const total = Math.round(weight * 10) / 10;
  return [
    `Together${isReported ? ' with the scam reports' : ''} this weighs ${total}; a plain sign weighs 1, and ${bound}.`,
  ];
}

/**
 * Returns a sentence on missing information: tools that are not set up or gave no answer, and other gaps;
 * empty: nothing is missing.
 * @param others clauses such as `no source has cleared example.com`
 */
export function missingSentence(evidence: Evidence, others: readonly string[] = []): string[] {
  const gaps = gapsOf(evidence);
  const isAbsent = ({ reason }: EvidenceItem) => reason === 'not_configured';
  const absent = [...new Set(gaps.filter(isAbsent).map(({ toolName }) => toolInWords(toolName)))];
  const failures = new Map<string, EvidenceItem[]>();
  for (const gap of gaps.filter((one) => !isAbsent(one))) {
    const key = `${gap.toolName} ${gap.reason}`;
    failures.set(key, [...(failures.get(key) ?? []), gap]);
  }
  const clauses = [
    ...others,
    ...[...failures.values()].map(failureClause),
    ...(absent.length === 0
      ? []
      : [`${listInWords(absent)} ${absent.length === 1 ? 'is' : 'are'} not configured`]),
  ];
  return clauses.length === 0 ? [] : [`What is missing: ${clauses.join('; ')}.`];
}

function failureClause(gaps: readonly EvidenceItem[]): string {
  const [{ toolName, reason } = { toolName: '', reason: undefined }] = gaps;
  const values = [...new Set(gaps.map(({ entityValue }) => inLine(entityValue, 80)))].filter(
    (value) => value !== '',
  );
  const more = values.length > NAMED_ENTITIES ? [`${values.length - NAMED_ENTITIES} more`] : [];
  const about =
    values.length === 0 ? '' : ` about ${listInWords([...values.slice(0, NAMED_ENTITIES), ...more])}`;
  const why = reason === undefined ? 'it failed' : reasonInWords(reason);
  return `${toolInWords(toolName)} gave no answer${about} (${why})`;
}

function toolInWords(name: string): string {
  return Object.hasOwn(TOOLS, name) ? TOOLS[name]! : `the tool ${inLine(name, 60)}`;
}
