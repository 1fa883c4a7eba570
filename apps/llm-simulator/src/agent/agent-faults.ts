import type { JsonObject } from '@casefile/contracts';
import type { Answer } from '../answer.js';
import { answerByRules } from '../answer-by-rules.js';
import { answerCompromised } from '../answer-compromised.js';
import type { Question } from '@casefile/kit/demonstration/question';
import { asksForAgent, FINISH, readConversation } from './conversation.js';
import type { Conversation } from './conversation.js';
import { agentTurn, finishTurn, conversationQuery, answerWithCalls } from './react-agent.js';
import type { WantedCall } from './react-agent.js';
import type { PolicyAnswer } from './policy-answers.js';

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
export function answerAsAgent(
  { fault, n }: AgentScript,
  question: Question,
  policyAnswers: readonly PolicyAnswer[] = [],
): Answer {
  if (fault === 'obeys') return answerCompromised(question, policyAnswers);
  if (!asksForAgent(question)) return answerByRules(question);
  const conversation = readConversation(question, policyAnswers);
  if (fault === undefined) return agentTurn(conversation);
  if (fault === 'fixed-turns') return fixedTurn(conversation, n ?? USUAL_TURNS);
  const lasts = n ?? (fault === 'twelve-calls' ? 1 : Number.POSITIVE_INFINITY);
  return conversation.turns < lasts ? FAULTS[fault](conversation) : agentTurn(conversation);
}

type Faulty = (conversation: Conversation) => Answer;

/** Faulty turns call tools without checking that they are offered: most faults include this. */
const FAULTS: Record<Exclude<AgentFault, 'fixed-turns' | 'obeys'>, Faulty> = {
  'never-finishes': (conversation) =>
    faulty(conversation, 'one more search, as ever', [search(conversation)]),
  repeats: (conversation) =>
    faulty(conversation, 'the same call again', [search(conversation, conversationQuery(conversation))]),
  'twelve-calls': (conversation) =>
    faulty(
      conversation,
      'all at once',
      Array.from({ length: MANY_CALLS }, (_none, index) =>
        search(conversation, `${conversationQuery(conversation)} part ${index + 1}`),
      ),
    ),
  'unknown-tool': (conversation) =>
    faulty(conversation, 'a tool that was never offered', [
      { name: 'delete_policy', args: { turn: conversation.turns } },
    ]),
  'wrong-types': (conversation) =>
    faulty(conversation, 'arguments of the wrong types', [
      { name: 'pi_search', args: { query: conversation.turns, limit: 'many' } },
      { name: 'facts_get', args: { name: ['loss', 'date'], extra: true } },
    ]),
  prose: () => ({
    content: 'Simulated answer in words: I would search the policy with pi_search, and then I would finish.',
    reasoning: 'Simulated reasoning: no tool is called.',
  }),
  'bad-citations': (conversation) =>
    conversation.turns === 0
      ? faulty(conversation, 'a look first', [search(conversation, conversationQuery(conversation))])
      : inventedFinish(conversation),
  'bad-finish': (conversation) =>
    faulty(conversation, 'it finishes with what the schema does not take', [
      { name: FINISH, args: { status: 'MAYBE', confidence: 7, rationale: null, citations: 'none' } },
    ]),
};

/**
 * Searches with a new query in each of n - 1 turns and finishes in the n-th, so the number of calls is known.
 */
function fixedTurn(conversation: Conversation, n: number): Answer {
  if (conversation.turns >= n - 1 || !conversation.offered.has('pi_search')) return finishTurn(conversation);
  return faulty(conversation, `turn ${conversation.turns + 1} of ${n}`, [search(conversation)]);
}

/**
 * Returns a `finish` call with quotes, pages and values that exist nowhere, some of them for existing
 * sections.
 */
function inventedFinish(conversation: Conversation): Answer {
  const quote = 'Simulated words that stand in no policy whatsoever, clause 99.';
  const nodeId = conversation.nodes[0]?.nodeId ?? 'n-9998';
  const citations: JsonObject[] = [
    { kind: 'quote', nodeId, quote, page: 9_999 },
    { kind: 'quote', nodeId: 'n-9999', quote },
    {
      kind: 'fact',
      fact: conversation.factNames[0] ?? 'no_such_fact',
      value: 'simulated value that was not read',
    },
    { kind: 'fact', fact: 'simulated_fact_of_nobody', value: 1 },
  ];
  const rationale = 'Simulated answer with citations that are made up.';
  return faulty(conversation, 'it cites what is not there', [
    { name: FINISH, args: { status: 'MET', confidence: 0.95, rationale, citations } },
  ]);
}

function search(
  conversation: Conversation,
  query = `${conversationQuery(conversation)} look ${conversation.turns + 1}`,
): WantedCall {
  return { name: 'pi_search', args: { query, limit: 4 } };
}

function faulty(conversation: Conversation, why: string, calls: WantedCall[]): Answer {
  return answerWithCalls(conversation, calls, why);
}
