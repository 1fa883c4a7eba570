import type { JsonObject, ModelMessage, ModelToolCall, ModelToolSpec } from '@casefile/contracts';

/**
 * A conversation of four turns with tools, as a provider answers it. The shapes follow the providers'
 * references (November 2026); the texts are invented.
 */
export interface RecordedConversation {
  name: string;
  provider: string;
  turns: RecordedTurn[];
}

export interface RecordedTurn {
  /** The provider's answer. */
  body: JsonObject;
  /** Calls expected to be read from the body. */
  toolCalls: ModelToolCall[];
  /** Results of the tools, in the order of arrival. */
  results: { toolCallId: string; content: string; isError?: true }[];
}

const closed = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const text = { type: 'string' };

export const OFFERED: ModelToolSpec[] = [
  { name: 'pi_search', description: 'Searches the policy.', parameters: closed({ query: text }) },
  { name: 'facts_get', description: 'Looks a fact up.', parameters: closed({ name: text }) },
  {
    name: 'finish',
    description: 'Ends the check.',
    // An optional property and a length: strict mode allows neither.
    parameters: closed({ status: text, rationale: { ...text, maxLength: 500 }, note: text }, ['status']),
  },
];
export const ASKED: ModelMessage[] = [
  { role: 'system', content: 'Check one criterion with the tools.' },
  { role: 'user', content: 'Criterion: notified within 30 days.' },
];

interface Call {
  id: string;
  name: string;
  /** Arguments as the model wrote them. */
  written: string;
}
const SEARCH = { name: 'pi_search', written: '{"query":"notice of claims"}' };
const LOSS = { name: 'facts_get', written: '{"name":"loss_date"}' };
const NOTICE = { name: 'facts_get', written: '{"name":"notified_on"}' };
/** Cut in the middle, as models do at their length limit. */
const BROKEN = { name: 'facts_get', written: '{"name":"loss' };
const FINISH = { name: 'finish', written: '{"status":"MET","rationale":"28 days"}' };
const TURNS = [[SEARCH, LOSS], [NOTICE, { ...LOSS, written: '{"nom":"x"}' }], [BROKEN, SEARCH], [FINISH]];
const SAID: Record<string, { content: string; isError?: true }> = {
  [SEARCH.written]: { content: '[0042] 4.1 Notice of claims (p. 3)' },
  [LOSS.written]: { content: 'fact loss_date#1: loss_date = 2026-04-02' },
  [NOTICE.written]: { content: 'fact notified_on#1: notified_on = 2026-04-30' },
  '{"nom":"x"}': { content: 'error invalid_arguments: name is missing', isError: true },
  [BROKEN.written]: { content: 'error invalid_arguments: expected JSON', isError: true },
};

function argsOf(written: string): ModelToolCall['args'] {
  try {
    return JSON.parse(written) as ModelToolCall['args'];
  } catch {
    return written;
  }
}

/**
 * The four turns with these ids, in one provider's format. Results arrive in another order than the calls.
 */
function conversation(
  name: string,
  provider: string,
  ids: string[][],
  bodyOf: (calls: Call[], turn: number) => JsonObject,
  readIds = ids,
): RecordedConversation {
  const turns = TURNS.map((recordedTurn, turn): RecordedTurn => {
    const calls = recordedTurn.map((call, index) => ({ ...call, id: ids[turn]?.[index] ?? '' }));
    const toolCalls = calls.map((call, index) => ({
      id: readIds[turn]?.[index] ?? '',
      name: call.name,
      args: argsOf(call.written),
    }));
    const results = calls.map(({ written }, index) => ({
      toolCallId: toolCalls[index]?.id ?? '',
      content: '',
      ...SAID[written],
    }));
    return { body: bodyOf(calls, turn), toolCalls, results: results.reverse() };
  });
  return { name, provider, turns };
}

const usage = { prompt_tokens: 90, completion_tokens: 20, total_tokens: 110 };
const chat =
  (fields: (turn: number) => JsonObject) =>
  (calls: Call[], turn: number): JsonObject => ({
    id: `chatcmpl-${turn}`,
    object: 'chat.completion',
    created: 1_767_600_000,
    model: 'recorded-model',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: null,
          refusal: null,
          ...fields(turn),
          tool_calls: calls.map(({ id, name, written }) => ({
            id,
            type: 'function',
            function: { name, arguments: written },
          })),
        },
        finish_reason: 'tool_calls',
        logprobs: null,
      },
    ],
    usage,
  });

const message = (calls: Call[], turn: number): JsonObject => ({
  id: `msg_${turn}`,
  type: 'message',
  role: 'assistant',
  model: 'recorded-model',
  content: [
    { type: 'thinking', thinking: `Thought ${turn}.`, signature: `EqQB-signed-${turn}` },
    ...(turn === 0 ? [{ type: 'redacted_thinking', data: 'EmwK-redacted' }] : []),
    ...(turn === 1 ? [{ type: 'text', text: 'I compare the dates.' }] : []),
    ...calls.map(({ id, name, written }) => ({ type: 'tool_use', id, name, input: argsOf(written) })),
  ],
  stop_reason: 'tool_use',
  stop_sequence: null,
  usage: { input_tokens: 90, output_tokens: 20 },
});

const response = (calls: Call[], turn: number): JsonObject => ({
  id: `resp_${turn}`,
  object: 'response',
  status: 'completed',
  model: 'recorded-model',
  output: [
    { type: 'reasoning', id: `rs_${turn}`, summary: [], encrypted_content: `gAAA-sealed-${turn}` },
    ...calls.map(({ id, name, written }) => ({
      type: 'function_call',
      id: `fc_${id}`,
      call_id: id,
      name,
      arguments: written,
      status: 'completed',
    })),
  ],
  usage: { input_tokens: 90, output_tokens: 20 },
});

const generated = (calls: Call[], turn: number): JsonObject => ({
  candidates: [
    {
      content: {
        role: 'model',
        parts: [
          { text: `Thought ${turn}.`, thought: true },
          ...calls.map(({ name, written }, index) => ({
            functionCall: { name, args: argsOf(written) },
            ...(index === 0 && { thoughtSignature: `CsgB-signed-${turn}` }),
          })),
        ],
      },
      finishReason: 'STOP',
      index: 0,
    },
  ],
  usageMetadata: { promptTokenCount: 90, candidatesTokenCount: 20 },
  modelVersion: 'recorded-model',
});

const own = (prefix: string) => [
  [`${prefix}a1`, `${prefix}a2`],
  [`${prefix}b1`, `${prefix}b2`],
  [`${prefix}c1`, `${prefix}c2`],
  [`${prefix}d1`],
];
const repeated = [['call_0', 'call_1'], ['call_0', 'call_1'], ['call_0', 'call_1'], ['call_0']];
const madeUp = [['call_0', 'call_1'], ['call_2', 'call_3'], ['call_4', 'call_5'], ['call_6']];

export const RECORDED_CONVERSATIONS: RecordedConversation[] = [
  conversation(
    'openai-chat',
    'openai',
    own('call_'),
    chat(() => ({})),
  ),
  conversation(
    'vllm, which repeats its ids',
    'vllm',
    repeated,
    chat((turn) => ({ reasoning: `Thought ${turn}.` })),
  ),
  conversation(
    'deepseek, which wants its reasoning back',
    'deepseek',
    own('call_00_'),
    chat((turn) => ({ reasoning_content: `Thought ${turn}.` })),
  ),
  conversation('anthropic, with signed thinking', 'anthropic', own('toolu_01'), message),
  conversation('openai-responses, with sealed reasoning', 'openai-responses', own('call_'), response),
  conversation('gemini, which gives no ids', 'gemini', [[], [], [], []], generated, madeUp),
];
