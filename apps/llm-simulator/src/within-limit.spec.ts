import { startSimulator, type Simulator } from './simulator.js';
import type { ScriptInput } from './script.js';

const VERDICT = { type: 'object', properties: { riskLevel: { type: 'string' } }, required: ['riskLevel'] };
const thoughts = 'Simulated thought. '.repeat(200);

describe('S2-06 the limit of the output', () => {
  let simulator: Simulator;
  beforeAll(async () => void (simulator = await startSimulator()));
  afterAll(() => simulator.close());

  async function post(path: string, body: object, script: ScriptInput): Promise<Record<string, unknown>> {
    simulator.setScript(script);
    const headers = { 'content-type': 'application/json', 'x-api-key': 'k', 'x-goog-api-key': 'k' };
    const more = { 'anthropic-version': '2023-06-01' };
    const init = { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) };
    return (await (await fetch(`${simulator.origin}${path}`, init)).json()) as Record<string, unknown>;
  }

  const gemini = (maxOutputTokens: number, thinkingBudget: number) =>
    post(
      '/v1beta/models/gemini-3-simulated:generateContent',
      {
        contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
        generationConfig: { maxOutputTokens, thinkingConfig: { includeThoughts: true, thinkingBudget } },
      },
      { then: { kind: 'answer', content: 'hello', reasoning: thoughts } },
    );

  it('is charged with thoughts on the wire of Google, and nothing is left for an answer', async () => {
    expect(await gemini(500, 2000)).toMatchObject({
      candidates: [{ finishReason: 'MAX_TOKENS', content: { parts: [{ thought: true }] } }],
      usageMetadata: { thoughtsTokenCount: 500, candidatesTokenCount: 0 },
    });
    expect(await gemini(2000, 2000)).toMatchObject({
      candidates: [{ finishReason: 'STOP', content: { parts: [{ thought: true }, { text: 'hello' }] } }],
    });
  });

  it('S2-07 is not charged where thinking is switched off', async () => {
    const answer = await gemini(500, 0);
    expect(answer).toMatchObject({
      candidates: [{ finishReason: 'STOP', content: { parts: [{ text: 'hello' }] } }],
    });
    expect(answer).not.toHaveProperty('usageMetadata.thoughtsTokenCount');
  });

  it('is charged with thoughts on the wire of Anthropic, and cuts what follows them', async () => {
    const body = {
      model: 'claude-opus-4-6',
      max_tokens: 960,
      messages: [{ role: 'user', content: 'Hello' }],
      thinking: { type: 'adaptive', display: 'summarized' },
    };
    const content = 'word '.repeat(100);
    const answer = await post('/v1/messages', body, {
      then: { kind: 'answer', content, reasoning: thoughts },
    });
    expect(answer).toMatchObject({ stop_reason: 'max_tokens', usage: { output_tokens: 960 } });
    expect(answer['content']).toMatchObject([
      { type: 'thinking' },
      { type: 'text', text: content.slice(0, 40) },
    ]);
  });

  it('leaves out calls of tools that have no room', async () => {
    const body = { model: 'm', max_completion_tokens: 20, messages: [{ role: 'user', content: 'Hello' }] };
    const toolCalls = [
      { id: 'c1', name: 'scam_db', arguments: '{}' },
      { id: 'c2', name: 'scam_db', arguments: JSON.stringify({ value: 'x'.repeat(200) }) },
    ];
    const answer = await post('/v1/chat/completions', body, {
      then: { kind: 'answer', content: '', toolCalls },
    });
    expect(answer).toMatchObject({ choices: [{ finish_reason: 'length' }] });
    expect(JSON.stringify(answer)).toContain('"c1"');
    expect(JSON.stringify(answer)).not.toContain('"c2"');
  });

  it.each([
    ['fenced', /^```json\n\{.*\}\n```$/s],
    ['wordy', /^Certainly!.*\{.*\}.*missing\.$/s],
    ['wrong', /^\{"answer":\{.*riskLevel.*\},"note":"simulated"\}$/s],
  ] as const)('a model can be %s', async (manner, shape) => {
    const format = { type: 'json_schema', json_schema: { name: 'verdict', schema: VERDICT } };
    const body = { model: 'm', messages: [{ role: 'user', content: 'Hello' }], response_format: format };
    const answer = await post('/v1/chat/completions', body, { then: { kind: 'rules', manner } });
    expect(answer).toMatchObject({ choices: [{ message: { content: expect.stringMatching(shape) } }] });
  });

  it('a model can be thoughtful, which costs it its answer where there is no room for thoughts', async () => {
    const body = { model: 'm', messages: [{ role: 'user', content: 'Hello' }] };
    const ask = (max_tokens: number) =>
      post(
        '/v1/chat/completions',
        { ...body, max_tokens },
        { then: { kind: 'rules', manner: 'thoughtful' } },
      );
    expect(await ask(1024)).toMatchObject({
      choices: [{ message: { content: '' }, finish_reason: 'length' }],
    });
    expect(await ask(1024 + 4000)).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
  });
});
