import type { Json, JsonObject } from '@casefile/contracts';
import { fencedAfter, outsideText } from '@casefile/kit/demonstration/outside-text';
import { questionText } from '@casefile/kit/demonstration/question';
import type { Question } from '@casefile/kit/demonstration/question';
import { missingIn, nodesIn, readingsIn, spansIn } from './observations.js';
import type { FoundNode, FoundSpan, Reading } from './observations.js';
import { policyAnswerFor } from './policy-answers.js';
import type { PolicyAnswer } from './policy-answers.js';

/** Name of the call that ends a check. */
export const FINISH = 'finish';

/** Last line of a list that was cut short. */
const MORE = /^and \d+ more$/;

/** A tool call with its result. */
export interface Done {
  name: string;
  args: JsonObject;
  /** The tool's result without marks; null: no result yet. */
  observation: string | null;
  /** Turn of the model, from 0. */
  turn: number;
}

/** Everything that the agent knows: the conversation, and the answer of the script. */
export interface Conversation {
  criterion: string;
  /** Answer of the script for this criterion; undefined: it has none. */
  scripted: PolicyAnswer | undefined;
  /** Names of the known facts. */
  factNames: string[];
  offered: ReadonlySet<string>;
  /** Turns of the model so far. */
  turns: number;
  done: Done[];
  nodes: FoundNode[];
  spans: FoundSpan[];
  readings: Reading[];
  /** Requested names without a known fact. */
  missing: string[];
}

/** Returns whether the prompt offers the tools of an agent that must call `finish`. */
export function asksForAgent({ mayCallTools, tools }: Question): boolean {
  return mayCallTools && tools.some(({ name }) => name === FINISH);
}

export function readConversation(
  question: Question,
  policyAnswers: readonly PolicyAnswer[] = [],
): Conversation {
  const prompt = questionText({ ...question, turns: question.turns.slice(0, firstAnswer(question)) }, 'user');
  const criterion = fencedAfter(prompt, 'Criterion') ?? outsideText(prompt);
  const [, caseTitle = null] = /^case: (.*)$/m.exec(fencedAfter(prompt, 'About') ?? '') ?? [];
  const done = doneIn(question);
  const observations = (name: string) =>
    done.flatMap((one) => (one.name === name && one.observation ? [one.observation] : []));
  return {
    criterion,
    scripted: policyAnswerFor(policyAnswers, criterion, caseTitle),
    factNames: (fencedAfter(prompt, 'Facts on file') ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && name !== 'none' && !MORE.test(name)),
    offered: new Set(question.tools.map(({ name }) => name)),
    turns: question.turns.filter(({ role }) => role === 'assistant').length,
    done,
    nodes: uniqueBy(observations('pi_search').flatMap(nodesIn), ({ nodeId }) => nodeId),
    spans: uniqueBy(
      observations('spans_tighten').flatMap(spansIn),
      ({ nodeId, text }) => `${nodeId} ${text}`,
    ),
    readings: uniqueBy(observations('facts_get').flatMap(readingsIn), ({ id }) => id),
    missing: observations('facts_get').flatMap(missingIn),
  };
}

function firstAnswer({ turns }: Question): number {
  const first = turns.findIndex(({ role }) => role === 'assistant');
  return first < 0 ? turns.length : first;
}

/** Assigns each result to the call with its id in the preceding turn. Later turns may reuse an id. */
function doneIn({ turns }: Question): Done[] {
  const done: Done[] = [];
  let open = new Map<string, Done>();
  let at = -1;
  for (const turn of turns) {
    if (turn.role === 'assistant') at += 1;
    if (turn.role === 'assistant' && turn.calls !== undefined) {
      const calls = turn.calls.map(
        ({ id, name, args }) => [id, { name, args: argsIn(args), observation: null, turn: at }] as const,
      );
      open = new Map<string, Done>(calls);
      done.push(...open.values());
    } else if (turn.role === 'tool' && turn.callId !== undefined) {
      const call = open.get(turn.callId);
      if (call !== undefined) call.observation = outsideText(turn.text);
    }
  }
  return done;
}

function argsIn(args: Json): JsonObject {
  return typeof args === 'object' && args !== null && !Array.isArray(args) ? args : {};
}

function uniqueBy<T>(list: T[], key: (one: T) => string): T[] {
  return [...new Map(list.map((one) => [key(one), one])).values()];
}
