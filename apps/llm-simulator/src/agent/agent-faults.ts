import type { JsonObject } from '@casefile/contracts';
import type { Answer } from '../answer.js';
import { answerByRules } from '../answer-by-rules.js';
import { answerCompromised } from '../answer-compromised.js';
import type { Question } from '../question.js';
import { asksForAgent, FINISH, readConversation } from './conversation.js';
import type { Conversation } from './conversation.js';
import { agentTurn, finishTurn, conversationQuery, knownTurn } from './react-agent.js';
import type { WantedCall } from './react-agent.js';

/** Kinds of misbehaviour of an agent. */
export const AGENT_FAULTS = [
  'never-finishes',
  'repeats',
  'twelve-calls',
  'unknown-tool',
  'wrong-types',
  'prose',
  'bad-citations',
  'bad-finish',
  'fixed-turns',
  'obeys',
] as const;
export type AgentFault = (typeof AGENT_FAULTS)[number];

export interface AgentScript {
  fault?: AgentFault | undefined;
  n?: number | undefined;
}

/** Turns of `fixed-turns`. A script can set another number. */
const USUAL_TURNS = 4;
const MANY_CALLS = 12;

/**
 * Returns an agent's next turn with the fault of the script. Questions of another sort get an answer by
 * rules.
 */
export function answerAsAgent({ fault, n }: AgentScript, question: Question): Answer {
  if (fault === 'obeys') return answerCompromised(question);
  if (!asksForAgent(question)) return answerByRules(question);
  const known = readConversation(question);
  if (fault === undefined) return agentTurn(known);
  if (fault === 'fixed-turns') return fixedTurn(known, n ?? USUAL_TURNS);
  const lasts = n ?? (fault === 'twelve-calls' ? 1 : Number.POSITIVE_INFINITY);
  return known.turns < lasts ? FAULTS[fault](known) : agentTurn(known);
}

type Faulty = (known: Conversation) => Answer;

/** Faulty turns call tools without checking that they are offered: most faults include this. */
const FAULTS: Record<Exclude<AgentFault, 'fixed-turns' | 'obeys'>, Faulty> = {
  'never-finishes': (known) => faulty(known, 'one more search, as ever', [search(known)]),
  repeats: (known) => faulty(known, 'the same call again', [search(known, conversationQuery(known))]),
  'twelve-calls': (known) =>
    faulty(
      known,
      'all at once',
      Array.from({ length: MANY_CALLS }, (_none, index) =>
        search(known, `${conversationQuery(known)} part ${index + 1}`),
      ),
    ),
  'unknown-tool': (known) =>
    faulty(known, 'a tool that was never offered', [{ name: 'delete_policy', args: { turn: known.turns } }]),
  'wrong-types': (known) =>
    faulty(known, 'arguments of the wrong types', [
      { name: 'pi_search', args: { query: known.turns, limit: 'many' } },
      { name: 'facts_get', args: { name: ['loss', 'date'], extra: true } },
    ]),
  prose: () => ({
    content: 'Simulated answer in words: I would search the policy with pi_search, and then I would finish.',
    reasoning: 'Simulated reasoning: no tool is called.',
  }),
  'bad-citations': (known) =>
    known.turns === 0
      ? faulty(known, 'a look first', [search(known, conversationQuery(known))])
      : inventedFinish(known),
  'bad-finish': (known) =>
    faulty(known, 'it finishes with what the schema does not take', [
      { name: FINISH, args: { status: 'MAYBE', confidence: 7, rationale: null, citations: 'none' } },
    ]),
};

/**
 * Searches with a new query in each of n - 1 turns and finishes in the n-th, so the number of calls is known.
 */
function fixedTurn(known: Conversation, n: number): Answer {
  if (known.turns >= n - 1 || !known.offered.has('pi_search')) return finishTurn(known);
  return faulty(known, `turn ${known.turns + 1} of ${n}`, [search(known)]);
}

/**
 * Returns a `finish` call with quotes, pages and values that exist nowhere, some of them for existing
 * sections.
 */
function inventedFinish(known: Conversation): Answer {
  const quote = 'Simulated words that stand in no policy whatsoever, clause 99.';
  const nodeId = known.nodes[0]?.nodeId ?? 'n-9998';
  const citations: JsonObject[] = [
    { kind: 'quote', nodeId, quote, page: 9_999 },
    { kind: 'quote', nodeId: 'n-9999', quote },
    { kind: 'fact', fact: known.factNames[0] ?? 'no_such_fact', value: 'simulated value that was not read' },
    { kind: 'fact', fact: 'simulated_fact_of_nobody', value: 1 },
  ];
  const rationale = 'Simulated answer with citations that are made up.';
  return faulty(known, 'it cites what is not there', [
    { name: FINISH, args: { status: 'MET', confidence: 0.95, rationale, citations } },
  ]);
}

function search(
  known: Conversation,
  query = `${conversationQuery(known)} look ${known.turns + 1}`,
): WantedCall {
  return { name: 'pi_search', args: { query, limit: 4 } };
}

function faulty(known: Conversation, why: string, calls: WantedCall[]): Answer {
  return knownTurn(known, calls, why);
}
