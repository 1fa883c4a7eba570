import { readFileSync } from 'node:fs';
import type { ModelMessage, ModelRequest } from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { createLanguageModel } from './create-language-model.js';
import { readProviderTable } from './provider-table.js';
import { aModelRequest, someCallOptions } from './testing/index.js';
import { fetchOf } from './testing/fetch-of.js';
import { ASKED, OFFERED, RECORDED_CONVERSATIONS } from './testing/recorded/conversations.js';
import type { RecordedConversation } from './testing/recorded/conversations.js';

const CASES = RECORDED_CONVERSATIONS.map((one) => [one.name, one] as const);

/** Replays a conversation up to its last question; what was asked, and what was sent then. */
async function replay({ provider, turns }: RecordedConversation) {
  const entry = readProviderTable().get(provider);
  if (entry === undefined) throw new Error(`no ${provider}`);
  const messages: ModelMessage[] = [...ASKED];
  let sent: unknown = null;
  for (const { body, toolCalls, results } of turns) {
    const own = fetchOf(JSON.stringify(body), { contentType: 'application/json' });
    const model = createLanguageModel(entry, { apiKey: 'sk-1', clock: manualClock(), fetch: own.fetch });
    const request: ModelRequest = aModelRequest({ messages, tools: OFFERED, toolChoice: 'required' });
    const answer = await model.complete(request, someCallOptions());
    expect(answer.toolCalls).toEqual(toolCalls);
    expect(own.sent()).toHaveLength(1);
    sent = JSON.parse(own.sent()[0] ?? 'null');
    const { content, providerState } = answer;
    const state = providerState === undefined ? {} : { providerState };
    messages.push({ role: 'assistant', content, toolCalls: answer.toolCalls, ...state });
    messages.push(...results.map((result) => ({ role: 'tool' as const, ...result })));
  }
  return { messages, sent };
}

const goldenOf = (provider: string): unknown =>
  JSON.parse(
    readFileSync(new URL(`./testing/recorded/golden/${provider}.json`, import.meta.url), 'utf8'),
  ) as unknown;

describe('recorded conversations of four turns with parallel calls', () => {
  it.each(CASES)(
    'S4-01 S4-02 %s: read, and sent back as it is taken, ids intact',
    async (_name, conversation) => {
      const { sent } = await replay(conversation);
      expect(sent).toEqual(goldenOf(conversation.provider));
    },
  );

  it.each(CASES)('S4-02 %s: continues at any other provider', async (_name, conversation) => {
    const { messages } = await replay(conversation);
    for (const { provider, turns } of RECORDED_CONVERSATIONS) {
      if (provider === conversation.provider) continue;
      const entry = readProviderTable().get(provider);
      const last = turns.at(-1);
      if (entry === undefined || last === undefined) throw new Error(`no ${provider}`);
      const own = fetchOf(JSON.stringify(last.body), { contentType: 'application/json' });
      const model = createLanguageModel(entry, { apiKey: 'sk-1', clock: manualClock(), fetch: own.fetch });
      await model.complete(aModelRequest({ messages, tools: OFFERED }), someCallOptions());
      const sent = own.sent()[0] ?? '';
      // Neither the reasoning of another nor what only that one can read.
      expect(sent).not.toMatch(/Thought \d|-signed-|-sealed-|-redacted/);
      const said = messages.flatMap((message) => (message.role === 'tool' ? [message.content] : []));
      for (const content of said) expect(sent).toContain(JSON.stringify(content).slice(1, -1));
    }
  });
});
