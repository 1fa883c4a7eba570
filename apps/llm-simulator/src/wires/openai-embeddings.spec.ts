import OpenAI from 'openai';
import { startSimulator, type Simulator } from '../simulator.js';

describe('the simulator gives embeddings to the official SDK', () => {
  let simulator: Simulator;
  let client: OpenAI;
  beforeAll(async () => {
    simulator = await startSimulator({ script: { embeddings: { dimensions: 32 } } });
    client = new OpenAI({ apiKey: 'any', baseURL: simulator.baseUrl, maxRetries: 0, logLevel: 'off' });
  });
  afterAll(() => simulator.close());
  afterEach(() => simulator.reset());

  const embed = (over: Partial<OpenAI.EmbeddingCreateParams> = {}) =>
    client.embeddings.create({ model: 'any', input: 'disk full', ...over });
  const vectorOf = async (over: Partial<OpenAI.EmbeddingCreateParams> = {}) =>
    (await embed(over)).data[0]?.embedding ?? [];

  it('gives the same vector for the same words, as floats and packed', async () => {
    const floats = await vectorOf({ encoding_format: 'float' });
    const packed = await vectorOf();
    expect(floats).toHaveLength(32);
    packed.forEach((value, index) => expect(value).toBeCloseTo(floats[index] ?? NaN, 6));
    expect(await vectorOf({ input: 'FULL disk', encoding_format: 'float' })).toEqual(floats);
  });

  it('gives one for each text, in order, of the size that was asked for', async () => {
    const { data, model, usage } = await embed({ input: ['one', 'two', 'one'], dimensions: 5 });
    expect(data.map(({ index, embedding }) => [index, embedding.length])).toEqual([
      [0, 5],
      [1, 5],
      [2, 5],
    ]);
    expect(data[0]?.embedding).toEqual(data[2]?.embedding);
    expect(model).toBe('casefile-simulator');
    expect(usage.prompt_tokens).toBeGreaterThan(0);
    expect((await embed({ input: [[1, 2], [3]] })).data).toHaveLength(2);
  });

  it.each([
    ['no text', { input: '' }],
    ['an empty text among others', { input: ['one', ''] }],
    ['too many texts', { input: Array.from({ length: 2049 }, () => 'x') }],
    ['no dimension', { dimensions: 0 }],
  ])('refuses %s', async (_what, wrong) => {
    await expect(embed(wrong)).rejects.toMatchObject({ status: 400, type: 'invalid_request_error' });
  });

  it('has faults and replies of its own, and leaves those of the models alone', async () => {
    simulator.setScript({
      replies: [{ kind: 'answer', content: 'for a model' }],
      embeddings: { replies: [{ kind: 'status', status: 500 }, { kind: 'empty' }] },
    });
    await expect(embed()).rejects.toMatchObject({ status: 500 });
    expect((await embed()).data).toEqual([]);
    expect((await embed()).data).toHaveLength(1);
    const { choices } = await client.chat.completions.create({
      model: 'any',
      messages: [{ role: 'user', content: 'hi' }],
    });
    expect(choices[0]?.message.content).toBe('for a model');
    simulator.setScript({ faults: { seed: 1, percent: { rateLimited: 100 } } });
    await expect(embed()).rejects.toMatchObject({ status: 429 });
  });
});
