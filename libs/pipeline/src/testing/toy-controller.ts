import {
  type Json,
  type JsonObject,
  type ModelMessage,
  type ModelRequest,
  type TraceStep,
  z,
} from '@casefile/contracts';
import type { Playbook } from '../playbook.js';
import { definePrompt } from '../prompts/prompt.js';
import { defineOptions } from '../options.js';
import { defineController, turnOptionsSchema, type LoopEnd } from '../strategies/react/controller.js';
import { react } from '../strategies/react/index.js';
import { anInput } from './scam-builders.js';
import { toyKind, toyRules as rules } from './toy-kind.js';
import { call, playTurns, type Played, type TurnScript, type WorldTool } from './turn-world.js';

export const asks = z.strictObject({ query: z.string().min(1), limit: z.number().int().default(4) });
export const finish = call('finish', { status: 'MET' }, 'call-end');

export const controller = defineController({
  prompt: definePrompt({
    id: 'toy/react@1',
    file: new URL('./toy-react@1.md', import.meta.url),
    sections: { 'no-call': [], 'finish-now': [] },
  }),
  tools: ['look', 'fetch'],
  finish: {
    name: 'finish',
    description: 'Ends it.',
    parameters: { type: 'object' },
    schema: z.object({ status: z.enum(['MET', 'NOT_MET']) }),
  },
  open: (_input, unit, mark) => [
    { role: 'system', content: 'Check.' },
    { role: 'user', content: `${unit} ${mark}` },
  ],
  bind: () => ({ bound: 'yes' }),
  observe: ({ state, result, reasonCode }) =>
    state === 'succeeded' ? JSON.stringify(result) : `error ${reasonCode}`,
  settle: async (end) => ({
    answer: end as unknown as JsonObject,
    explanation: '',
    claims: [],
    evidenceUsed: [],
    confidence: 1,
    remarks: end.remarks,
    confidenceSource: 'llm',
    method: 'llm',
  }),
});

export const options = defineOptions('toy', turnOptionsSchema);

/** A kind of case whose controller has two tools, and whose draft is how the loop ended. */
export const playbook: Playbook = {
  ...toyKind,
  options,
  onOutage: 'fallback',
  strategies: { ...toyKind.strategies, react: react(controller, rules, options) },
};

export { rules };

const answerOf = (args: JsonObject): Json => ({ seen: args['query'] ?? null });
export const tools: Record<string, WorldTool> = {
  look: { asks, answer: answerOf },
  fetch: { asks, locality: 'remote', answer: answerOf },
};
export const look = (query: string, id?: string) => call('look', { query }, id);
export const fetchIt = (query: string, id?: string) => call('fetch', { query }, id);

/** Plays a script of turns to its end. */
export const play = (
  script: TurnScript,
  options: JsonObject = {},
  more: Partial<Parameters<typeof playTurns>[0]> = {},
) => playTurns({ playbook, input: anInput(), script, tools, options, ...more });
export function endOf({ outcome }: Played): LoopEnd<{ status: string }> {
  if (outcome.kind !== 'done') throw new Error(`it ended in ${outcome.kind}`);
  return outcome.artifact.answer as unknown as LoopEnd<{ status: string }>;
}
export const traceOf = (played: Played): TraceStep[] => endOf(played).trace;
export const toolMessages = ({ messages }: ModelRequest) =>
  messages.filter((message): message is Extract<ModelMessage, { role: 'tool' }> => message.role === 'tool');
export const last = <T>(list: readonly T[]): T => list.at(-1)!;
