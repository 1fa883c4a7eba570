import type { JsonObject, ModelMessage, ModelRequest } from '@casefile/contracts';
import { messagesRequest } from './providers/anthropic.js';
import { generateRequest } from './providers/gemini.js';
import { chatRequest } from './providers/openai-chat.js';
import { responsesRequest } from './providers/openai-responses.js';
import type { ProviderEntry } from './provider-entry.js';
import { readProviderTable } from './provider-table.js';
import { aModelRequest } from './testing/index.js';

function entry(name: string, over: Partial<ProviderEntry> = {}): ProviderEntry {
  const found = readProviderTable().get(name);
  if (found === undefined) throw new Error(name);
  return { ...found, ...over };
}

const CALLS = [
  { id: 'c1', name: 'scam_db', args: { value: 'x' } },
  { id: 'c2', name: 'web_search', args: 'no json' },
];
const TALK: ModelMessage[] = [
  { role: 'system', content: 'Be short.' },
  { role: 'user', content: 'Look it up.' },
  { role: 'assistant', content: '', toolCalls: CALLS },
  { role: 'tool', toolCallId: 'c1', content: 'found' },
  { role: 'tool', toolCallId: 'c2', content: 'nothing' },
  { role: 'user', content: 'And now?' },
];
const NUMBER = { type: 'number', minimum: 0, maximum: 1 };
const SCHEMA: JsonObject = {
  type: 'object',
  properties: { confidence: NUMBER, why: { type: 'string', maxLength: 10 } },
  required: ['confidence'],
  additionalProperties: {},
};
const FREE: JsonObject = { type: 'object', additionalProperties: { type: 'string' } };
const asking = (schema: JsonObject, over: Partial<ModelRequest> = {}) =>
  aModelRequest({ answerSchema: { name: 'answer', schema }, ...over });
const TOOL = { name: 'scam_db', description: 'Looks it up.', parameters: SCHEMA };

describe("requests in each protocol's words", () => {
  it('Anthropic: the system apart, the results of one turn and their text in one message', () => {
    const plain = entry('anthropic', { promptCache: false });
    const { system, messages } = messagesRequest(plain, aModelRequest({ messages: TALK }), {});
    expect(system).toBe('Be short.');
    expect(messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Look it up.' }] },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'c1', name: 'scam_db', input: { value: 'x' } },
          { type: 'tool_use', id: 'c2', name: 'web_search', input: { unparsed: 'no json' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c1', content: 'found' },
          { type: 'tool_result', tool_use_id: 'c2', content: 'nothing' },
          { type: 'text', text: 'And now?' },
        ],
      },
    ]);
  });

  it('S2-02 Anthropic: marks the instructions for its cache, and with tools the end of the conversation', () => {
    const cache_control = { type: 'ephemeral' };
    const request = aModelRequest({ messages: TALK });
    const marked = messagesRequest(entry('anthropic'), { ...request, tools: [TOOL] }, {});
    expect(marked.system).toEqual([{ type: 'text', text: 'Be short.', cache_control }]);
    const marks = (messages: unknown) => JSON.stringify(messages).match(/"[^"]*","cache_control"/g);
    expect(marks(marked.messages)).toEqual(['"And now?","cache_control"']);
    expect(marks(messagesRequest(entry('anthropic'), { ...request, tools: [] }, {}).messages)).toBeNull();
  });

  it('Gemini: the results of one turn in one message, by the names of their tools', () => {
    const { verbatim } = generateRequest(entry('gemini'), aModelRequest({ messages: TALK }), {});
    expect(verbatim.contents).toMatchObject([
      { role: 'user' },
      { role: 'model', parts: [{ functionCall: CALLS[0] }, { functionCall: { id: 'c2' } }] },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'c1', name: 'scam_db', response: { output: 'found' } } },
          { functionResponse: { id: 'c2', name: 'web_search' } },
          { text: 'And now?' },
        ],
      },
    ]);
  });

  it('Responses: calls and their results as items, nothing stored', () => {
    const params = responsesRequest(entry('openai-responses'), aModelRequest({ messages: TALK }), {});
    expect(params).toMatchObject({ store: false, max_output_tokens: 100 });
    expect(params.input).toMatchObject([
      { role: 'system' },
      { role: 'user' },
      { type: 'function_call', call_id: 'c1', arguments: '{"value":"x"}' },
      { type: 'function_call', call_id: 'c2', arguments: '{"unparsed":"no json"}' },
      { type: 'function_call_output', call_id: 'c1', output: 'found' },
      { type: 'function_call_output', call_id: 'c2', output: 'nothing' },
      { role: 'user' },
    ]);
  });

  it('S1-24 Anthropic: a closed schema without the limits it refuses', () => {
    const { output_config: config } = messagesRequest(entry('anthropic'), asking(SCHEMA), {
      output_config: { effort: 'low' },
    });
    expect(config).toMatchObject({ effort: 'low', format: { type: 'json_schema' } });
    const schema = config?.format?.schema;
    expect(schema).toMatchObject({ additionalProperties: false, required: ['confidence'] });
    expect(schema?.properties).toEqual({
      confidence: { type: 'number', description: '{minimum: 0, maximum: 1}' },
      why: { type: 'string', description: '{maxLength: 10}' },
    });
  });

  it('S1-24 Anthropic: no schema where keys are free, none where it is turned off', () => {
    expect(messagesRequest(entry('anthropic'), asking(FREE), {})).not.toHaveProperty('output_config');
    const off = entry('anthropic', { structuredOutput: 'none' });
    expect(messagesRequest(off, asking(SCHEMA), {})).not.toHaveProperty('output_config');
  });

  it('S1-24 Gemini: a schema, but not together with functions', () => {
    const { verbatim } = generateRequest(entry('gemini'), asking(SCHEMA), {});
    expect(verbatim.generationConfig).toMatchObject({
      responseMimeType: 'application/json',
      responseJsonSchema: SCHEMA,
    });
    const beside = generateRequest(entry('gemini'), asking(SCHEMA, { tools: [TOOL] }), {});
    expect(beside.verbatim.generationConfig).toEqual({ maxOutputTokens: 100 });
    expect(beside.params.config).toMatchObject({
      tools: [{ functionDeclarations: [{ name: 'scam_db', parametersJsonSchema: SCHEMA }] }],
    });
  });

  it('S1-24 Responses: strict where the schema allows it', () => {
    const closed = {
      ...SCHEMA,
      properties: { confidence: NUMBER },
      additionalProperties: false,
    };
    const formatOf = (schema: JsonObject) =>
      responsesRequest(entry('openai-responses'), asking(schema), {}).text?.format;
    expect(formatOf(closed)).toMatchObject({ type: 'json_schema', name: 'answer', strict: true });
    expect(formatOf(SCHEMA)).toMatchObject({ strict: false });
  });

  it('S2-04 nothing that goes along as it is replaces what the request says', () => {
    const rude = { model: 'other', max_tokens: 9, max_output_tokens: 9, stream: true, store: true };
    const request = aModelRequest();
    expect(chatRequest(entry('vllm'), request, rude)).toMatchObject({ max_tokens: 100, stream: false });
    expect(responsesRequest(entry('openai-responses'), request, rude)).toMatchObject({
      model: 'gpt-5.4-mini',
      max_output_tokens: 100,
      store: false,
      stream: false,
    });
    expect(messagesRequest(entry('anthropic'), request, rude)).toMatchObject({
      model: 'claude-sonnet-5-5',
      max_tokens: 100,
      stream: false,
    });
    expect(generateRequest(entry('gemini'), request, { maxOutputTokens: 9 }).verbatim).toMatchObject({
      generationConfig: { maxOutputTokens: 100 },
    });
  });

  it('no temperature where there is none', () => {
    const request = aModelRequest({ temperature: 0 });
    expect(messagesRequest(entry('anthropic', { sendsTemperature: true }), request, {})).not.toHaveProperty(
      'temperature',
    );
    expect(responsesRequest(entry('openai-responses'), request, {})).not.toHaveProperty('temperature');
    expect(generateRequest(entry('gemini'), request, {}).verbatim).toMatchObject({
      generationConfig: { temperature: 0 },
    });
  });
});
