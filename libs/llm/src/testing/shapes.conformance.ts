import type { JsonObject, ModelRequest, ModelResponse } from '@casefile/contracts';
import type { ProviderBehaviour } from './provider-behaviour.js';
import { aModelRequest, someCallOptions, type ProviderUnderTest } from './provider.conformance.js';

const THOUGHT = 'The fee and the link look wrong.';
const ANSWER = '{"greeting":"hello"}';

/** Texts in which open-weight models write their reasoning, whatever the protocol. */
const THOUGHTS_IN_TEXT: [string, string][] = [
  ['<thought>', `<thought>${THOUGHT}</thought>${ANSWER}`],
  ['<seed:think>', `<seed:think>${THOUGHT}</seed:think>\n${ANSWER}`],
  ['<reasoning>', `<reasoning>\n${THOUGHT}\n</reasoning>\n${ANSWER}`],
  ['a tag with an attribute', `<think lang="en">${THOUGHT}</think>${ANSWER}`],
  ['[THINK]', `[THINK]${THOUGHT}[/THINK]${ANSWER}`],
  ['<|START_THINKING|>', `<|START_THINKING|>${THOUGHT}<|END_THINKING|>${ANSWER}`],
  ['◁think▷', `◁think▷${THOUGHT}◁/think▷${ANSWER}`],
  [
    'harmony channels',
    `<|channel|>analysis<|message|>${THOUGHT}<|end|><|start|>assistant<|channel|>final<|message|>${ANSWER}<|return|>`,
  ],
  [
    'harmony channels, the first opened in the prompt',
    `analysis<|message|>${THOUGHT}<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>${ANSWER}`,
  ],
  ['harmony without its marks', `analysis${THOUGHT}assistantfinal${ANSWER}`],
];

const FULL = { value: 'x' };
/** Call arguments that are nearly JSON. */
const ARGUMENTS: [string, string][] = [
  ['an empty object first', '{}{"value":"x"}'],
  ['a trailing comma', '{"value":"x",}'],
  ['single quotes', "{'value':'x'}"],
  ['fenced', '```json\n{"value":"x"}\n```'],
  ['encoded twice', JSON.stringify('{"value":"x"}')],
  ['words around them', 'Here: {"value":"x"} as asked.'],
  ['without the last brace', '{"value":"x"'],
  ['in a list', '[{"value":"x"}]'],
];

const NAMES = [
  'functions.scam_db',
  'scam_db<|channel|>commentary',
  ' scam_db ',
  'functions.scam_db:0',
  'default_api.scam_db',
  'scam-db',
  'Scam_DB',
  '`scam_db`',
];

const JSON_CALL = '{"name":"scam_db","arguments":{"value":"x"}}';
/** Tool calls that a server without a parser for them leaves in the text. */
const CALLS_IN_TEXT: [string, string][] = [
  ['Hermes, Qwen', `<tool_call>\n${JSON_CALL}\n</tool_call>`],
  ['Hermes, never closed', `I look it up.\n<tool_call>${JSON_CALL}`],
  ['Llama', `<|python_tag|>{"name":"scam_db","parameters":{"value":"x"}}`],
  ['Llama 3.2', '<function=scam_db>{"value":"x"}</function>'],
  ['Qwen3-Coder', '<tool_call><function=scam_db><parameter=value>x</parameter></function></tool_call>'],
  ['Anthropic, older', '<invoke name="scam_db"><parameter name="value">x</parameter></invoke>'],
  ['Mistral', `[TOOL_CALLS][${JSON_CALL}]`],
  ['Mistral, newer', '[TOOL_CALLS]scam_db{"value":"x"}'],
  [
    'Kimi',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.scam_db:0<|tool_call_argument_begin|>{"value":"x"}<|tool_call_end|><|tool_calls_section_end|>',
  ],
  [
    'DeepSeek',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>scam_db\n```json\n{"value":"x"}\n```<｜tool▁call▁end｜>',
  ],
  ['harmony', '<|channel|>commentary to=functions.scam_db <|constrain|>json<|message|>{"value":"x"}<|call|>'],
  ['bare', JSON_CALL],
  ['fenced', `I will look it up.\n\`\`\`json\n${JSON_CALL}\n\`\`\``],
  ['a list of them', `{"tool_calls":[{"type":"function","function":${JSON_CALL}}]}`],
];

/**
 * Requirements for reading malformed answers. A part of `describeProvider` with a separate server: a server
 * under test may keep only its newest hundred requests.
 */
export function describeShapes(
  start: () => Promise<ProviderUnderTest>,
  { stream, schema }: { stream: boolean; schema: JsonObject },
): void {
  let own: ProviderUnderTest;
  const provider = () => own;
  const ask = (request: Partial<ModelRequest> = {}): Promise<ModelResponse> =>
    own.model(stream ? { stream } : {}).complete(aModelRequest(request), someCallOptions());
  const tools = [{ name: 'scam_db', description: 'Looks it up.', parameters: schema }];
  const answering = async (
    answer: Omit<Extract<ProviderBehaviour, { kind: 'answer' }>, 'kind'>,
    request: Partial<ModelRequest> = {},
  ) => {
    await provider().behave({ kind: 'answer', ...answer });
    const before = (await provider().requests()).length;
    const response = await ask(request);
    expect(await provider().requests()).toHaveLength(before + 1);
    return response;
  };

  describe('shapes that users report', () => {
    beforeAll(async () => void (own = await start()));
    afterAll(() => own.close());

    it.each(THOUGHTS_IN_TEXT)('S2-11 reads reasoning in %s', async (_name, content) => {
      const response = await answering({ content });
      expect(response.content).toBe(ANSWER);
      expect(response.reasoning).toMatchObject({ content: THOUGHT, source: 'tags' });
    });

    it('S2-11 leaves JSON alone that speaks of tags', async () => {
      const content = '{"greeting":"a <thought> and </think> of mine"}';
      expect(await answering({ content })).toMatchObject({ content, reasoning: null });
    });

    it.each(ARGUMENTS)('S4-04 repairs the arguments of a call: %s', async (_name, text) => {
      const toolCalls = [{ id: 'c1', name: 'scam_db', arguments: text }];
      const response = await answering({ content: '', toolCalls }, { tools });
      expect(response.toolCalls).toEqual([{ id: 'c1', name: 'scam_db', args: FULL }]);
    });

    it('S4-04 makes up no end of a word in arguments that are cut', async () => {
      const toolCalls = [{ id: 'c1', name: 'scam_db', arguments: '{"value":"half a wo' }];
      const response = await answering({ content: '', toolCalls }, { tools });
      expect(response.toolCalls[0]?.args).toBe('{"value":"half a wo');
    });

    it.each(NAMES)('S4-04 finds the tool that is meant by %j', async (name) => {
      const toolCalls = [{ id: 'c1', name, arguments: '{"value":"x"}' }];
      const response = await answering({ content: '', toolCalls }, { tools });
      expect(response.toolCalls).toEqual([{ id: 'c1', name: 'scam_db', args: FULL }]);
    });

    it('S4-04 leaves the name of a tool that is not offered as it came', async () => {
      const toolCalls = [{ id: 'c1', name: 'functions.scam_db_2', arguments: '{"value":"x"}' }];
      const response = await answering({ content: '', toolCalls }, { tools });
      expect(response.toolCalls[0]?.name).toBe('functions.scam_db_2');
    });

    it.each(['json_tool_call', 'greeting', 'structured_output'])(
      'S1-24 reads an answer that comes as a call of a tool that was not offered: %s',
      async (name) => {
        const toolCalls = [{ id: 'c1', name, arguments: ANSWER }];
        const answerSchema = { name: 'greeting', schema };
        const response = await answering({ content: '', toolCalls }, { answerSchema });
        expect(response).toMatchObject({ content: ANSWER, toolCalls: [], finishReason: 'stop' });
      },
    );

    it('S1-24 leaves calls of tools that are offered, or several calls, as they are', async () => {
      const answerSchema = { name: 'greeting', schema };
      const call = { id: 'c1', name: 'scam_db', arguments: '{"value":"x"}' };
      const offered = await answering({ content: '', toolCalls: [call] }, { answerSchema, tools });
      expect(offered.toolCalls).toHaveLength(1);
      const other = { ...call, id: 'c2', name: 'other' };
      const several = await answering({ content: '', toolCalls: [other, call] }, { answerSchema, tools });
      expect(several.toolCalls).toHaveLength(2);
    });

    it.each([
      ['negative', -1],
      ['a text', '12'],
    ])('S1-29 estimates usage that is %s from the texts, and marks it', async (_name, count) => {
      const usage = { input: count, output: count, reasoning: 0, cached: 0 } as never;
      const response = await answering({ content: ANSWER, usage });
      expect(response.usage.inputTokens).toBeGreaterThan(0);
      expect(response.usage.outputTokens).toBeGreaterThan(0);
      expect(response.raw).toMatchObject({ usageEstimated: true });
    });

    it.each(CALLS_IN_TEXT)('S4-01 reads a call in the text of the answer: %s', async (_name, content) => {
      const response = await answering({ content }, { tools });
      expect(response.toolCalls).toEqual([{ id: expect.any(String), name: 'scam_db', args: FULL }]);
      expect(response.content).not.toMatch(/scam_db|[<[{]/);
      expect(response.raw).toMatchObject({ toolCallsInText: true });
    });

    it('S4-01 reads no call where no tool is offered, nor one of a tool that is not', async () => {
      const content = `<tool_call>${JSON_CALL}</tool_call>`;
      expect(await answering({ content })).toMatchObject({ content, toolCalls: [] });
      const others = [{ name: 'other', description: 'Another.', parameters: schema }];
      expect((await answering({ content }, { tools: others })).toolCalls).toEqual([]);
      const prose = 'I would call scam_db with {"value":"x"} next.';
      expect((await answering({ content: prose }, { tools })).toolCalls).toEqual([]);
    });

    it.each([
      ['json_schema', 'This response_format type is unavailable now'],
      ['a parameter that is not named', 'Unsupported parameter'],
      ['nothing at all', 'Bad Request'],
    ])('S1-24 asks once more without the schema where it is refused over %s', async (_name, message) => {
      const request: Partial<ModelRequest> = { answerSchema: { name: 'greeting', schema } };
      await provider().behave({ kind: 'status', status: 400, message }, { kind: 'answer', content: ANSWER });
      const before = (await provider().requests()).length;
      const response = await ask(request);
      expect(response).toMatchObject({
        content: ANSWER,
        paramsRejected: expect.arrayContaining(['answerSchema']),
      });
      const [first, second, ...more] = (await provider().requests()).slice(before);
      expect(more).toEqual([]);
      expect(JSON.stringify(first?.body)).toContain('"greeting"');
      expect(JSON.stringify(second?.body)).not.toContain('"greeting"');
    });

    it.each([
      ['Ollama', 400, 'registry.ollama.ai/library/gemma:2b does not support tools'],
      ['vLLM', 400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
      ['llama.cpp', 500, 'tools param requires --jinja flag'],
      ['OpenRouter', 404, 'No endpoints found that support tool use'],
    ])(
      'S4-01 describes tools in the prompt of a server without tool calls: %s',
      async (_name, status, message) => {
        const content = `<tool_call>${JSON_CALL}</tool_call>`;
        await provider().behave({ kind: 'status', status, message }, { kind: 'answer', content });
        const before = (await provider().requests()).length;
        const messages: ModelRequest['messages'] = [
          { role: 'user', content: 'Look x up.' },
          { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'scam_db', args: FULL }] },
          { role: 'tool', toolCallId: 'c1', content: 'no answer', isError: true },
        ];
        const response = await ask({ tools, messages });
        expect(response.toolCalls).toEqual([
          { id: expect.not.stringMatching(/^c1$/), name: 'scam_db', args: FULL },
        ]);
        expect(response.paramsRejected).toContain('tools');
        const [first, second, ...more] = (await provider().requests()).slice(before);
        expect(more).toEqual([]);
        expect(first?.body).toHaveProperty('tools');
        expect(second?.body).not.toHaveProperty('tools');
        const text = JSON.stringify(second?.body).replaceAll('\\', '');
        for (const part of ['"scam_db","description"', '<tool_call>{"name":"scam_db"', 'failed="true"'])
          expect(text).toContain(part);
      },
    );

    it.each([
      { status: 404, code: 'model_not_found', message: 'The model `x` does not exist' },
      { status: 404, message: "model 'x' not found, try pulling it first" },
      { status: 404, message: 'models/x is not found for API version v1beta' },
      { status: 400, message: 'Model Not Exist' },
      { status: 400, message: 'x is not a valid model ID' },
      { status: 403, code: 'model_not_found', message: 'Project does not have access to model x' },
    ])('names a model that is not there: $status $message', async (failure) => {
      await provider().behave({ kind: 'status', ...failure });
      const before = (await provider().requests()).length;
      await expect(ask()).rejects.toMatchObject({ reasonCode: 'unknown_model', retryable: false });
      expect(await provider().requests()).toHaveLength(before + 1);
    });

    it('takes an answer that ends with an error for a failure of its provider', async () => {
      await provider().behave({ kind: 'answer', content: '', finishReason: 'error' });
      const failure: unknown = await ask().catch((thrown: unknown) => thrown);
      expect(failure).toMatchObject({ reasonCode: expect.stringMatching(/^(?:server_error|empty_answer)$/) });
    });
  });
}
