import type { JsonObject } from '@casefile/contracts';
import { createMemory } from './memory.js';
import { readScript } from './script.js';
import { WIRES } from './wires/index.js';

const HEADERS = { 'x-api-key': 'any', 'x-goog-api-key': 'any', 'anthropic-version': '2026-10-21' };
const args = { query: 'x' };
const written = '{"query":"x"}';
const TOOLS = [{ name: 'pi_search' }];

/**
 * The same conversation on each wire: two parallel calls, the second with arguments that are not an object.
 */
const BODIES: Record<string, [path: string, body: JsonObject, must: JsonObject]> = {
  'openai-chat': [
    '',
    {
      model: 'any',
      messages: [
        { role: 'user', content: 'Look.' },
        {
          role: 'assistant',
          content: 'I look.',
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'pi_search', arguments: written } },
            { id: 'c2', type: 'function', function: { name: 'facts_get', arguments: 'no json' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'found' },
        { role: 'tool', tool_call_id: 'c2', content: 'failed' },
      ],
      tools: TOOLS.map((tool) => ({ type: 'function', function: tool })),
    },
    { tool_choice: 'required' },
  ],
  'openai-responses': [
    '',
    {
      model: 'any',
      input: [
        { role: 'user', content: 'Look.' },
        { role: 'assistant', content: 'I look.' },
        { type: 'function_call', call_id: 'c1', name: 'pi_search', arguments: written },
        { type: 'function_call', call_id: 'c2', name: 'facts_get', arguments: 'no json' },
        { type: 'function_call_output', call_id: 'c1', output: 'found' },
        { type: 'function_call_output', call_id: 'c2', output: 'failed' },
      ],
      tools: TOOLS.map((tool) => ({ type: 'function', ...tool })),
    },
    { tool_choice: 'required' },
  ],
  anthropic: [
    '',
    {
      model: 'any',
      max_tokens: 100,
      messages: [
        { role: 'user', content: 'Look.' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I look.' },
            { type: 'tool_use', id: 'c1', name: 'pi_search', input: args },
            { type: 'tool_use', id: 'c2', name: 'facts_get', input: 'no json' },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c1', content: 'found' },
            { type: 'tool_result', tool_use_id: 'c2', content: 'failed', is_error: true },
          ],
        },
      ],
      tools: TOOLS,
    },
    { tool_choice: { type: 'any' } },
  ],
  gemini: [
    '/v1beta/models/any:generateContent',
    {
      contents: [
        { role: 'user', parts: [{ text: 'Look.' }] },
        {
          role: 'model',
          parts: [
            { text: 'I look.' },
            { functionCall: { id: 'c1', name: 'pi_search', args } },
            { functionCall: { id: 'c2', name: 'facts_get', args: 'no json' } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { id: 'c1', name: 'pi_search', response: { output: 'found' } } },
            { functionResponse: { id: 'c2', name: 'facts_get', response: { error: 'failed' } } },
          ],
        },
      ],
      tools: [{ functionDeclarations: TOOLS }],
    },
    { toolConfig: { functionCallingConfig: { mode: 'ANY' } } },
  ],
};

const read = (protocol: string, more: JsonObject = {}) => {
  const wire = WIRES.find((one) => one.protocol === protocol);
  const [path, body] = BODIES[protocol] ?? ['', {}];
  const call = { path, query: new URLSearchParams(), headers: HEADERS, body: { ...body, ...more } };
  const question = wire?.read(call, { script: readScript({}), memory: createMemory() }).question;
  if (question === undefined) throw new Error(protocol);
  return question;
};

describe.each(Object.keys(BODIES))('S4-02 a question on %s', (protocol) => {
  it('has the calls of earlier turns and their results, by their ids', () => {
    expect(read(protocol).turns).toEqual([
      { role: 'user', text: 'Look.' },
      {
        role: 'assistant',
        text: 'I look.',
        calls: [
          { id: 'c1', name: 'pi_search', args },
          { id: 'c2', name: 'facts_get', args: 'no json' },
        ],
      },
      { role: 'tool', text: 'found', callId: 'c1' },
      { role: 'tool', text: 'failed', callId: 'c2' },
    ]);
  });

  it('S4-01 says whether a tool must be called', () => {
    const [, , must = {}] = BODIES[protocol] ?? [];
    expect([read(protocol).mustCallTools, read(protocol, must).mustCallTools]).toEqual([false, true]);
  });
});

it('S4-02 calls without ids are told apart by their places', () => {
  const call = { functionCall: { name: 'pi_search', args } };
  const result = (output: string) => ({ functionResponse: { name: 'pi_search', response: { output } } });
  const contents = [
    { role: 'user', parts: [{ text: 'Look.' }] },
    { role: 'model', parts: [call, call] },
    { role: 'user', parts: [result('one'), result('two')] },
  ];
  const { turns } = read('gemini', { contents });
  const ids = turns.find(({ calls }) => calls !== undefined)?.calls?.map(({ id }) => id);
  expect(new Set(ids).size).toBe(2);
  expect(turns.flatMap(({ callId }) => callId ?? [])).toEqual(ids);
});
