import fc from 'fast-check';
import type { JsonObject, ModelMessage, ModelRequest, ModelToolCall } from '@casefile/contracts';
import { messagesRequest } from './providers/anthropic.js';
import { generateRequest } from './providers/gemini.js';
import { chatRequest } from './providers/openai-chat.js';
import { responsesRequest } from './providers/openai-responses.js';
import type { ProviderEntry } from './provider-entry.js';
import { readProviderTable } from './provider-table.js';
import { providerState } from './provider-state.js';
import { aModelRequest } from './testing/index.js';
import { messageCallIds, namedCalls, withinSize } from './tool-calls.js';

function entry(name: string, over: Partial<ProviderEntry> = {}): ProviderEntry {
  const found = readProviderTable().get(name);
  if (found === undefined) throw new Error(name);
  return { ...found, ...over };
}

const call = (id: string, name = 'facts_get'): ModelToolCall => ({ id, name, args: { name: 'x' } });
const turn = (...toolCalls: ModelToolCall[]): ModelMessage => ({
  role: 'assistant',
  content: '',
  toolCalls,
});
const result = (toolCallId: string, content = 'found'): ModelMessage => ({
  role: 'tool',
  toolCallId,
  content,
});
const none = { idsOf: () => null };
const parameters: JsonObject = {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
  additionalProperties: false,
};
const TOOL = { name: 'facts_get', description: 'Looks a fact up.', parameters };
const forced = (over: Partial<ModelRequest> = {}) =>
  aModelRequest({ tools: [TOOL], toolChoice: 'required', ...over });

describe('S4-02 ids of calls', () => {
  it('that an earlier turn had are made others, and results follow their calls', () => {
    const talk = [turn(call('a'), call('b')), result('b'), result('a'), turn(call('a')), result('a')];
    expect(messageCallIds(talk, none)).toEqual([['a', 'b'], ['b'], ['a'], ['a_2'], ['a_2']]);
  });

  it('that one turn has twice belong to results in the calls’ order', () => {
    const talk = [turn(call('a'), call('a')), result('a'), result('a'), result('a')];
    expect(messageCallIds(talk, none)).toEqual([['a', 'a_2'], ['a'], ['a_2'], ['a_2']]);
  });

  it('are distinct on the wire and answered by one result each, whatever a provider gave', () => {
    const ids = fc.array(fc.constantFrom('a', 'b', 'a_2', 'functions.x:0'), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(ids, { maxLength: 4 }), (turns) => {
        const talk = turns.flatMap((own) => [
          turn(...own.map((id) => call(id))),
          ...own.map((id) => result(id)),
        ]);
        const wire = messagesRequest(entry('anthropic'), aModelRequest({ messages: talk }), {});
        const blocks = wire.messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
        const used = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
        const resultIds = blocks.flatMap((block) =>
          block.type === 'tool_result' ? [block.tool_use_id] : [],
        );
        expect(new Set(used).size).toBe(turns.flat().length);
        expect(resultIds).toEqual(used);
        expect(used.every((id) => /^[\w-]+$/.test(id))).toBe(true);
      }),
    );
  });

  it('of an answer are the provider’s; where it gives none they are like no other of the conversation', () => {
    const earlier = [turn(call('call_0'), call('call_3'))];
    expect(namedCalls([call(''), call('x'), call('')], earlier).map(({ id }) => id)).toEqual([
      'call_2',
      'x',
      'call_4',
    ]);
    // It repeats over turns what it likes, within one it may not.
    expect(namedCalls([call('call_0'), call('call_0')], earlier).map(({ id }) => id)).toEqual([
      'call_0',
      'call_3_2',
    ]);
  });

  it('stay as they are for chat completions', () => {
    const messages = [turn(call('functions.x:0')), result('functions.x:0'), turn(call('functions.x:0'))];
    const sent = JSON.stringify(chatRequest(entry('vllm'), aModelRequest({ messages }), {}).messages);
    expect(sent.match(/"functions\.x:0"/g)).toHaveLength(3);
  });

  it('follow what goes back verbatim', () => {
    const gemini = entry('gemini');
    const items: JsonObject[] = [
      { functionCall: { name: 'facts_get', args: {} }, thoughtSignature: 's' },
      { functionCall: { id: 'g2', name: 'facts_get', args: {} } },
    ];
    const messages: ModelMessage[] = [
      { ...turn(call('call_0'), call('g2')), providerState: providerState(gemini, items) } as ModelMessage,
      result('g2', 'second'),
      result('call_0', 'first'),
    ];
    const { contents } = generateRequest(gemini, aModelRequest({ messages }), {}).verbatim;
    expect(contents).toEqual([
      { role: 'model', parts: items },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'facts_get', response: { output: 'first' } } },
          { functionResponse: { id: 'g2', name: 'facts_get', response: { output: 'second' } } },
        ],
      },
    ]);
  });
});

describe('S4-01 a tool call that is required', () => {
  const thinking = { thinking: { type: 'adaptive', display: 'summarized' } };

  it('is asked for in each protocol’s words, parallel calls left as they are', () => {
    const chat = chatRequest(entry('vllm'), forced(), {});
    const responses = responsesRequest(entry('openai-responses'), forced(), {});
    const anthropic = messagesRequest(entry('anthropic'), forced(), {});
    expect([chat.tool_choice, responses.tool_choice]).toEqual(['required', 'required']);
    expect(anthropic.tool_choice).toEqual({ type: 'any' });
    expect(generateRequest(entry('gemini'), forced(), {}).params.config).toMatchObject({
      toolConfig: { functionCallingConfig: { mode: 'ANY' } },
    });
    expect(JSON.stringify([chat, responses, anthropic])).not.toContain('parallel');
  });

  it.each([
    ['nothing is said', forced({ toolChoice: undefined } as never)],
    ['the model may choose', forced({ toolChoice: 'auto' })],
    ['there are no tools', forced({ tools: [] })],
  ])('is not asked for when %s', (_when, request) => {
    const sent = JSON.stringify([
      chatRequest(entry('vllm'), request, {}),
      responsesRequest(entry('openai-responses'), request, {}),
      messagesRequest(entry('anthropic'), request, {}),
      generateRequest(entry('gemini'), request, {}),
    ]);
    expect(sent).not.toMatch(/tool_choice|toolConfig/);
  });

  it('is not asked of an Anthropic model that thinks, but of one whose thinking is off', () => {
    expect(messagesRequest(entry('anthropic'), forced(), thinking)).not.toHaveProperty('tool_choice');
    const off = messagesRequest(entry('anthropic'), forced(), { thinking: { type: 'disabled' } });
    expect(off).toHaveProperty('tool_choice');
  });
});

describe('S4-04 strict arguments', () => {
  const open: JsonObject = { ...parameters, properties: { name: {}, note: { type: 'string' } } };
  const limited = { ...parameters, properties: { name: { type: 'string', minLength: 1 } } };
  const strictIn = (name: string, schema: JsonObject) => {
    const request = aModelRequest({ tools: [{ ...TOOL, parameters: schema }] });
    const requests = {
      openai: () => chatRequest(entry('openai'), request, {}),
      vllm: () => chatRequest(entry('vllm'), request, {}),
      anthropic: () => messagesRequest(entry('anthropic'), request, {}),
      'openai-responses': () => responsesRequest(entry('openai-responses'), request, {}),
    };
    const sent = JSON.stringify(requests[name as keyof typeof requests]());
    expect(sent).toContain(JSON.stringify(schema).slice(1, -1));
    return sent.includes('"strict":true');
  };

  it.each([
    ['openai', parameters, true],
    ['openai', open, false],
    ['openai', limited, false],
    ['vllm', parameters, false],
    ['anthropic', parameters, true],
    ['anthropic', limited, false],
    ['openai-responses', parameters, true],
    ['openai-responses', open, false],
  ])('%s: only where the schema allows it as it stands (%#)', (name, schema, strict) => {
    expect(strictIn(name, schema)).toBe(strict);
  });
});

describe('the arguments of a call', () => {
  it('E-04 are kept as they are up to 32 kB, and a beginning of them beyond', () => {
    const honest = { id: '1', name: 'look', args: { query: 'a'.repeat(31_000) } };
    expect(withinSize(honest)).toBe(honest);
    const { args, cutFrom } = withinSize({ ...honest, args: { query: 'a'.repeat(5_000_000) } });
    expect(cutFrom).toBe(5_000_012);
    expect(args).toMatch(/^\{"query":"a{1900}/);
    expect(String(args).length).toBeLessThan(3_000);
  });

  it('E-04 are measured in bytes, and cut between characters', () => {
    const { args, cutFrom } = withinSize({ id: '1', name: 'look', args: 'a' + '\u{1f600}'.repeat(10_000) });
    expect(cutFrom).toBe(40_003);
    expect(String(args).isWellFormed()).toBe(true);
  });
});
