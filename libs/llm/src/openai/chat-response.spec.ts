import { silentLogger } from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import fc from 'fast-check';
import { readAnswer } from '../model-response.js';
import { readProviderTable } from '../provider-table.js';
import { completion } from '../testing/wires/openai-chat.js';
import { readChat } from './chat-response.js';
import { assembleChat, chatDelta } from './chat-stream.js';

const parts = { apiKey: null, send: fetch, clock: manualClock(), log: silentLogger };
const reader = {
  read: (body: Parameters<typeof readChat>[0]) => readChat(body, []),
  assemble: assembleChat,
  delta: chatDelta,
};

function read(body: unknown) {
  const entry = readProviderTable().get('vllm');
  if (entry === undefined) throw new Error('no entry');
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const came = { status: 200, headers: new Headers(), contentType: 'application/json', incomplete: null };
  return readAnswer(
    entry,
    { ...came, text, events: null, endMarked: false, brokenEvents: [] },
    reader,
    parts,
  );
}

const withUsage = (usage: unknown) => ({ ...completion({ kind: 'answer', content: 'x' }), usage });
const withMessage = (message: object) => ({ choices: [{ message, finish_reason: 'stop' }] });

describe('readChatResponse', () => {
  it.each([
    ['absent', undefined],
    ['null', null],
    ['a text', 'many'],
    ['negative', { prompt_tokens: -1, completion_tokens: -5, prompt_tokens_details: { cached_tokens: -2 } }],
    ['half a count', { prompt_tokens: 12, completion_tokens: -5 }],
    ['absurd', { prompt_tokens: 1e300, completion_tokens: '7', completion_tokens_details: null }],
  ])('S1-29 estimates usage that is %s from the texts, and marks it', (_what, usage) => {
    const response = read(withUsage(usage));
    expect(response.usage.outputTokens).toBeGreaterThan(0);
    expect(response.usage).toMatchObject({ reasoningTokens: 0, cachedTokens: 0 });
    expect(response.raw).toMatchObject({ usageEstimated: true });
  });

  it('takes counts of 0 as they are', () => {
    const response = read(withUsage({ prompt_tokens: 0, completion_tokens: 0 }));
    expect(response.usage).toMatchObject({ inputTokens: 0, outputTokens: 0 });
    expect(response.raw).not.toHaveProperty('usageEstimated');
  });

  it.each([
    ['a part', { type: 'text', text: 'a' }, 'a'],
    ['the answer itself', { riskLevel: 'high' }, '{"riskLevel":"high"}'],
  ])('reads content that is one object: %s', (_what, content, text) => {
    expect(read(withMessage({ content })).content).toBe(text);
  });

  it('reads an answer that stands in `parsed`, and LiteLLM’s `thinking_blocks`', () => {
    const thinking_blocks = [{ type: 'thinking', thinking: 'the link is odd', signature: 's' }];
    expect(read(withMessage({ content: null, parsed: { a: 1 }, thinking_blocks }))).toMatchObject({
      content: '{"a":1}',
      reasoning: { content: 'the link is odd', source: 'thinking_blocks' },
    });
  });

  it('counts reasoning as output once, wherever the provider counts it', () => {
    const details = { completion_tokens_details: { reasoning_tokens: 40 } };
    const within = { prompt_tokens: 10, completion_tokens: 50, total_tokens: 60, ...details };
    const beside = { prompt_tokens: 10, completion_tokens: 50, total_tokens: 100, ...details };
    expect(read(withUsage(within)).usage.outputTokens).toBe(50);
    expect(read(withUsage(beside)).usage.outputTokens).toBe(90);
  });

  it('reads the cached tokens of DeepSeek', () => {
    const usage = { prompt_tokens: 10, completion_tokens: 1, prompt_cache_hit_tokens: 8 };
    expect(read(withUsage(usage)).usage.cachedTokens).toBe(8);
  });

  it('reads content in parts, and tool calls without id or arguments', () => {
    const parted = withMessage({
      content: [{ type: 'text', text: 'a' }, { type: 'image' }, { type: 'text', text: 'b' }],
    });
    expect(read(parted).content).toBe('ab');
    const called = withMessage({
      tool_calls: [{ function: { name: 't' } }, { function: { name: 'u', arguments: { a: 1 } } }],
    });
    expect(read(called).toolCalls).toEqual([
      { id: 'call_0', name: 't', args: {} },
      { id: 'call_1', name: 'u', args: { a: 1 } },
    ]);
  });

  it('S2-10 keeps reasoning that came without an answer', () => {
    expect(read(withMessage({ content: '<think>cut of' }))).toMatchObject({
      content: '',
      reasoning: { content: 'cut of', source: 'tags' },
    });
  });

  it.each([
    ['bad_answer', {}],
    ['bad_answer', []],
    ['bad_answer', 'null'],
    ['bad_answer', { choices: 'none' }],
    ['bad_answer', withMessage({ content: 7 })],
    ['empty_answer', { choices: [] }],
    ['empty_answer', ''],
    ['cut_answer', '{"choices":[{"mess'],
    ['rate_limited', { error: { message: 'slow down', code: 429 } }],
    ['server_error', { error: { message: 'upstream failed' } }],
    ['quota_exhausted', { error: { message: 'no money', code: 'insufficient_quota' } }],
    ['refused', { choices: [{ message: { content: 'half' }, finish_reason: 'content_filter' }] }],
  ])('says %s of %j', (reasonCode, body) => {
    expect(() => read(body)).toThrow(expect.objectContaining({ reasonCode }));
  });

  it('R13 throws nothing but its own errors, whatever the body', () => {
    const message = fc.record({
      content: fc.anything(),
      tool_calls: fc.anything(),
      reasoning: fc.anything(),
    });
    const body = fc.oneof(
      fc.string(),
      fc.json(),
      message.map((given) =>
        JSON.stringify(withMessage(given), (_key, value) => (typeof value === 'bigint' ? 0 : value)),
      ),
    );
    fc.assert(
      fc.property(body, (text) => {
        try {
          expect(typeof read(text).content).toBe('string');
        } catch (thrown) {
          expect(thrown).toHaveProperty('reasonCode');
        }
      }),
    );
  });
});
