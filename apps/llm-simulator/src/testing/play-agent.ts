import type { JsonObject } from '@casefile/contracts';
import type { Answer } from '../answer.js';
import { callArguments } from '../answer.js';
import type { Question, Turn } from '@casefile/kit/demonstration/question';

/** Questions for an agent, and a small policy's tools. For tests. */

export const fence = (text: string) => `<<<DATA 0123abcd\n${text}\nDATA 0123abcd>>>`;
export const AGENT_TOOLS = ['pi_search', 'facts_get', 'spans_tighten', 'finish'];

export function agentQuestion(criterion: string, facts: string[], tools = AGENT_TOOLS): Question {
  const prompt = `Criterion\n${fence(criterion)}\n\nFacts on file\n${fence(facts.join(', '))}\n`;
  const turns: Turn[] = [
    { role: 'system', text: 'Check one criterion of a policy.' },
    { role: 'user', text: prompt },
  ];
  const offered = tools.map((name) => ({ name, parameters: {} }));
  const outputOptions = { schema: undefined, json: false, stream: false, limit: undefined, thinks: true };
  return { turns, tools: offered, mayCallTools: true, mustCallTools: false, ...outputOptions };
}

export interface Called {
  id: string;
  name: string;
  args: JsonObject;
}

export function callsOf({ toolCalls = [] }: Answer): Called[] {
  return toolCalls.map((call) => ({ id: call.id, name: call.name, args: callArguments(call) as JsonObject }));
}

/** Returns a tool's result for a call. */
export type Say = (call: Called) => string;

/** Plays turn by turn until the agent finishes or the turns are used up. */
export function playAgent(question: Question, answer: (question: Question) => Answer, say: Say, most = 12) {
  const turns: Called[][] = [];
  let current = question;
  while (turns.length < most) {
    const reply = answer(current);
    const calls = callsOf(reply);
    turns.push(calls);
    if (calls.some(({ name }) => name === 'finish')) break;
    const results = calls.map((call): Turn => ({ role: 'tool', callId: call.id, text: fence(say(call)) }));
    const assistantTurn: Turn = {
      role: 'assistant',
      text: reply.content,
      ...(calls.length > 0 && { calls }),
    };
    const nudge: Turn[] = calls.length === 0 ? [{ role: 'user', text: 'Call a tool.' }] : [];
    current = { ...current, turns: [...current.turns, assistantTurn, ...results, ...nudge] };
  }
  const finish = turns.flat().find(({ name }) => name === 'finish')?.args;
  return { turns, finish };
}
