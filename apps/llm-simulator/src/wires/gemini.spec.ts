import { GoogleGenAI } from '@google/genai';
import type { Content, GenerateContentParameters, GenerateContentResponse, Part } from '@google/genai';
import { startSimulator, type Simulator } from '../simulator.js';

const CALL = { id: 'c1', name: 'scam_db', arguments: '{"value":"x"}' };
const TOOLS = [{ functionDeclarations: [{ name: 'scam_db', parametersJsonSchema: { type: 'object' } }] }];
const THOUGHTS = { thinkingConfig: { includeThoughts: true } };
const ASK: GenerateContentParameters = { model: 'any', contents: 'Look it up.' };

describe('S2-01 the simulator speaks generateContent to the official SDK', () => {
  let simulator: Simulator;
  let client: GoogleGenAI;
  beforeAll(async () => {
    simulator = await startSimulator();
    client = new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl: simulator.origin, fetch } });
  });
  afterAll(() => simulator.close());
  afterEach(() => simulator.reset());

  const next = (answer: object) => simulator.setScript({ then: { kind: 'answer', content: '', ...answer } });
  const ask = (over: Partial<GenerateContentParameters> = {}) =>
    client.models.generateContent({ ...ASK, ...over });
  const partsOf = (response: GenerateContentResponse) => response.candidates?.[0]?.content?.parts ?? [];
  const failure = async (over: Partial<GenerateContentParameters> = {}) => {
    const thrown = (await ask(over).catch((error: unknown) => error)) as Error & { status: number };
    return { status: thrown.status, ...JSON.parse(thrown.message).error };
  };

  it('answers whole and streamed alike', async () => {
    const usage = { input: 120, output: 30, reasoning: 12, cached: 64 };
    const content = 'Hello 😀'.repeat(20);
    next({ content, reasoning: ['x'.repeat(90), 'two'], toolCalls: [CALL], usage });
    const whole = await ask({ config: { ...THOUGHTS, tools: TOOLS } });
    expect(whole).toMatchObject({
      modelVersion: 'casefile-simulator',
      candidates: [{ finishReason: 'STOP', content: { role: 'model' } }],
      usageMetadata: {
        promptTokenCount: 120,
        candidatesTokenCount: 18,
        thoughtsTokenCount: 12,
        cachedContentTokenCount: 64,
        totalTokenCount: 150,
      },
    });
    expect(partsOf(whole)).toEqual([
      { text: 'x'.repeat(90), thought: true },
      { text: 'two', thought: true },
      { text: content },
      {
        functionCall: { id: 'c1', name: 'scam_db', args: { value: 'x' } },
        thoughtSignature: expect.any(String),
      },
    ]);
    const parts: Part[] = [];
    let last: string | undefined;
    for await (const chunk of await client.models.generateContentStream({ ...ASK, config: THOUGHTS })) {
      parts.push(...partsOf(chunk));
      last = chunk.candidates?.[0]?.finishReason;
    }
    const said = (thought: boolean) =>
      parts.filter((part) => (part.thought ?? false) === thought).map((part) => part.text ?? '');
    expect(said(false).join('')).toBe(content);
    expect(said(true).join('')).toBe(`${'x'.repeat(90)}two`);
    expect(parts.at(-1)).toEqual(partsOf(whole).at(-1));
    expect(last).toBe('STOP');
  });

  it('streams one JSON array to who does not ask for events', async () => {
    next({ content: 'Hello 😀'.repeat(20) });
    const response = await fetch(`${simulator.origin}/v1beta/models/any:streamGenerateContent?key=any`, {
      method: 'POST',
      body: JSON.stringify({ contents: [{ parts: [{ text: 'hi' }] }] }),
    });
    const chunks = (await response.json()) as GenerateContentResponse[];
    expect(chunks.length).toBeGreaterThan(1);
    expect(
      chunks
        .flatMap(partsOf)
        .map(({ text }) => text)
        .join(''),
    ).toBe('Hello 😀'.repeat(20));
  });

  it('S2-10 shows thoughts only where that was asked for, and signs what it says', async () => {
    next({ content: 'hi', reasoning: 'why' });
    const signed = { text: 'hi', thoughtSignature: expect.any(String) };
    expect(partsOf(await ask())).toEqual([signed]);
    expect(partsOf(await ask({ config: THOUGHTS }))).toEqual([{ text: 'why', thought: true }, signed]);
    next({ content: 'hi', reasoning: 'why', redacted: true });
    expect(partsOf(await ask({ config: THOUGHTS }))).toEqual([signed]);
  });

  it('says when an answer is cut, refused or empty', async () => {
    next({ content: '{"a":', finishReason: 'length' });
    expect(await ask()).toMatchObject({ candidates: [{ finishReason: 'MAX_TOKENS' }] });
    next({ refusal: 'I will not.' });
    expect(await ask()).toMatchObject({ candidates: [{ finishReason: 'SAFETY' }] });
    simulator.setScript({ then: { kind: 'empty' } });
    expect(partsOf(await ask())).toEqual([]);
  });

  it('answers schemas by a sample, in the words of either kind, and offers calls of its tools', async () => {
    const json = { responseMimeType: 'application/json' };
    const schema = { type: 'object', properties: { risk: { type: 'string', enum: ['HIGH'] } } };
    expect((await ask({ config: { ...json, responseJsonSchema: schema } })).text).toBe('{"risk":"HIGH"}');
    const responseSchema = { type: 'OBJECT', properties: { on: { type: 'BOOLEAN' } } } as never;
    expect((await ask({ config: { ...json, responseSchema } })).text).toBe('{"on":false}');
    expect((await ask({ config: { tools: TOOLS } })).functionCalls).toMatchObject([{ name: 'scam_db' }]);
  });

  describe('S2-10 in a tool turn', () => {
    const goOn = async (change: (part: Part) => Part, model = 'gemini-3-pro') => {
      next({ toolCalls: [CALL, { ...CALL, id: 'c2' }], reasoning: 'why' });
      const parts = partsOf(await ask({ model })).map(change);
      const result = (id: string) => ({ functionResponse: { id, name: 'scam_db', response: { found: 1 } } });
      const contents: Content[] = [
        { role: 'user', parts: [{ text: 'Look it up.' }] },
        { role: 'model', parts },
        { role: 'user', parts: [result('c1'), result('c2')] },
      ];
      return { contents, model };
    };
    const unsigned = ({ thoughtSignature: _none, ...part }: Part) => part;
    const resigned = (thoughtSignature: string) => (part: Part) => ({ ...part, thoughtSignature });

    it('continues with its signatures as they were, or with what Google has for calls of others', async () => {
      await expect(ask(await goOn((part) => part))).resolves.toBeDefined();
      await expect(ask(await goOn(resigned('skip_thought_signature_validator')))).resolves.toBeDefined();
    });

    it('refuses calls without their signature from Gemini 3 on, not before', async () => {
      expect(await failure(await goOn(unsigned))).toMatchObject({
        status: 'INVALID_ARGUMENT',
        message: expect.stringMatching(/missing a thought_signature.*`scam_db`, position 2/),
      });
      await expect(ask(await goOn(unsigned, 'gemini-2.5-flash'))).resolves.toBeDefined();
    });

    it('refuses a signature that is not its own, and calls without results', async () => {
      expect(await failure(await goOn(resigned('c2ln')))).toMatchObject({
        message: 'Corrupted thought signature.',
      });
      const { contents } = await goOn((part) => part);
      expect(await failure({ contents: contents.slice(0, 2) })).toMatchObject({
        message: expect.stringContaining('number of function response parts'),
      });
    });
  });

  it.each([
    [
      'a role that there is not',
      { contents: [{ role: 'robot', parts: [{ text: 'x' }] }] },
      'contents[0].role',
    ],
    ['an empty turn', { contents: [{ role: 'user', parts: [] }] }, 'contents[0].parts'],
    ['no room for an answer', { config: { maxOutputTokens: 0 } }, 'maxOutputTokens'],
    ['a field that there is not', { config: { httpOptions: { extraBody: { contens: [] } } } }, '"contens"'],
  ])('refuses %s', async (_what, wrong, message) => {
    expect(await failure(wrong)).toMatchObject({
      code: 400,
      status: 'INVALID_ARGUMENT',
      message: expect.stringContaining(message),
    });
  });

  it('wants a key, and the right one where the script has one', async () => {
    const url = `${simulator.origin}/v1beta/models/any:generateContent`;
    const body = JSON.stringify({ contents: [{ parts: [{ text: 'hi' }] }] });
    expect((await fetch(url, { method: 'POST', body })).status).toBe(403);
    expect((await fetch(`${url}?key=any`, { method: 'POST', body })).status).toBe(200);
    simulator.setScript({ key: 'this one' });
    expect(await failure()).toMatchObject({ code: 400, details: [{ reason: 'API_KEY_INVALID' }] });
  });

  it.each([
    [{ status: 429, retryAfterS: 7 }, 'RESOURCE_EXHAUSTED', 'PerMinute', 'retryDelay":"7s"'],
    [{ status: 429, code: 'insufficient_quota' }, 'RESOURCE_EXHAUSTED', 'PerDay', 'insufficient_quota'],
    [{ status: 500 }, 'INTERNAL', '', ''],
    [{ status: 503 }, 'UNAVAILABLE', '', ''],
  ])('fails with %j as Google does', async (wanted, status, quota, more) => {
    simulator.setScript({ replies: [{ kind: 'status', ...wanted }] });
    const { details, ...error } = await failure();
    expect(error).toMatchObject({ code: wanted.status, status });
    expect(JSON.stringify(details) ?? '').toContain(quota);
    expect(JSON.stringify(details) ?? '').toContain(more);
  });
});
