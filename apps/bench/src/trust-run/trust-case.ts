import type { Sort } from './read-sorts.js';
import type { AlertInput, JsonObject, ModelRequest, ModelResponse, Verdict } from '@casefile/contracts';

export const KINDS = ['scam-verdict', 'message-screening', 'policy-check', 'incident', 'research'] as const;
export type Kind = (typeof KINDS)[number];

/**
 * Examiners of a run.
 * - `none`: a cross-examination gets no usable answer.
 * - `same`: the model agrees with its own claims, and recognises each planted one. This is the hardest case.
 * - `yes`: the model agrees with every claim, also with planted ones.
 * - `labels`: the labels of the set answer.
 */
export const EXAMINERS = ['none', 'same', 'yes', 'labels'] as const;
export type Examiner = (typeof EXAMINERS)[number];

/** Modes in which the sets are judged. */
export const MODES: readonly { title: string; honest: boolean; examiner: Examiner }[] = [
  { title: 'Dishonest, examiner out', honest: false, examiner: 'none' },
  { title: 'Dishonest, same model agrees', honest: false, examiner: 'same' },
  { title: 'Dishonest, examiner supports everything', honest: false, examiner: 'yes' },
  { title: 'Dishonest, examiner knows', honest: false, examiner: 'labels' },
  { title: 'Honest, same model agrees', honest: true, examiner: 'same' },
  { title: 'Honest, examiner knows', honest: true, examiner: 'labels' },
];

export type Label = 'supports' | 'contradicts' | 'not_in_it';

/** A claim of a model's answer, as the set labels it. */
export interface LabelledClaim {
  text: string;
  label: Label;
  /** Words of the evidence for `supports` and `contradicts`; empty: the examiner takes words of a cited source. */
  quote: string;
  /** Words that the answer itself cites for the claim. Default: the examiner takes words of a cited source. */
  cited?: readonly string[];
}

/** One answer of a set, with the input that it answers. */
export interface TrustCase {
  id: string;
  kind: Kind;
  honest: boolean;
  /** Whether the record contradicts a dishonest conclusion. */
  contradicted: boolean;
  alert: AlertInput;
  /** Whether its words may be printed. Words of unseen messages may not. */
  printable: boolean;
  /** The conclusion in one line, for lists of examples. */
  conclusion: string;
  /** Sort of the wrong answer of the pair. Default: the case belongs to the sets without sorts. */
  sort?: Sort;
  /** Disposition in which a wrong conclusion is accepted. `act` accuses, pages or passes. */
  wrongWay: 'act' | 'dismiss';
  /** Dispositions that a correct answer may lead to. */
  expected: readonly Verdict['disposition'][];
  claims: readonly LabelledClaim[];
  /** Look-ups of tools that are live in this case, by tool and by arguments. */
  results: Record<string, LiveResult[]>;
  /** Answers a question of the kind's own prompts. */
  reply(request: ModelRequest): Reply;
}

/** A result of null is a look-up that fails. */
export interface LiveResult {
  subject: string;
  result: JsonObject | string | null;
}

export type Reply = Pick<ModelResponse, 'content'> & Partial<Pick<ModelResponse, 'toolCalls'>>;

export const replyWith = (value: unknown): Reply => ({ content: JSON.stringify(value) });

/** Returns everything that a request shows its model. */
export const promptTextOf = ({ messages }: ModelRequest): string =>
  messages.map(({ content }) => content).join('\n');

/** Returns calls of tools as a model makes them; `turn` keeps their ids apart. */
export function callsOf(turn: number, calls: readonly { name: string; args: JsonObject }[]): Reply {
  return {
    content: '',
    toolCalls: calls.map((call, place) => ({ id: `call-${turn}-${place}`, ...call })),
  };
}

/** Returns the number of turns that the model has taken in this conversation. */
export const turnsOf = ({ messages }: ModelRequest): number =>
  messages.filter(({ role }) => role === 'assistant').length;

/** Returns the clause of a text that shares most characters with a sentence, as a quote for an examiner. */
export function nearestClause(text: string, sentence: string): string {
  const clauses = text.split(/(?<=[。；;])|(?<=[.!?])\s+/u).filter((clause) => clause.trim().length > 3);
  const own = pairsOf(sentence);
  const shared = (clause: string) => [...pairsOf(clause)].filter((pair) => own.has(pair)).length;
  return [...clauses].sort((one, other) => shared(other) - shared(one))[0]?.trim() ?? text;
}

const pairsOf = (text: string): Set<string> => {
  const letters = Array.from(text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''));
  return new Set(letters.slice(1).map((letter, at) => `${letters[at]}${letter}`));
};
