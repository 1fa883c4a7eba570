import type { JsonObject, ModelMessage, ModelRequest, ModelResponse } from '@casefile/contracts';
import type { ProviderUnderTest } from './provider.conformance.js';

/** Requirements for tool calls of every provider. A part of `describeProvider`. */
export function describeToolCalls({
  ask,
  provider,
  messages,
  schema,
}: {
  ask: (request: Partial<ModelRequest>) => Promise<ModelResponse>;
  provider: () => ProviderUnderTest;
  messages: ModelMessage[];
  schema: JsonObject;
}): void {
  describe('tools', () => {
    it('hands tools over, and tool calls back with ids and parsed arguments', async () => {
      const toolCalls = [
        { id: 'c1', name: 'scam_db', arguments: '{"value":"x"}' },
        { id: 'c2', name: 'scam_db', arguments: 'not json' },
      ];
      await provider().behave({ kind: 'answer', content: '', toolCalls });
      const tools = [{ name: 'scam_db', description: 'Looks it up.', parameters: schema }];
      const response = await ask({ tools });
      expect(response.toolCalls).toEqual([
        { id: 'c1', name: 'scam_db', args: { value: 'x' } },
        { id: 'c2', name: 'scam_db', args: 'not json' },
      ]);
      expect(JSON.stringify((await provider().requests()).at(-1)?.body)).toContain('Looks it up.');
    });

    it('S4-01 asks for a tool call where one is required, in one request that is taken', async () => {
      const toolCalls = [{ id: 'c1', name: 'scam_db', arguments: '{"greeting":"x"}' }];
      const tools = [{ name: 'scam_db', description: 'Looks it up.', parameters: schema }];
      await provider().behave({ kind: 'answer', content: '', toolCalls });
      const before = (await provider().requests()).length;
      const response = await ask({ tools, toolChoice: 'required' });
      expect(response.toolCalls).toHaveLength(1);
      expect(response).not.toHaveProperty('toolChoiceRejected');
      expect(await provider().requests()).toHaveLength(before + 1);
      await ask({ tools });
      await ask({ toolChoice: 'required' });
      for (const { body } of (await provider().requests()).slice(-2))
        expect(JSON.stringify(body)).not.toMatch(/tool_?choice|tool_?config/i);
    });

    it('S4-02 sends a conversation of parallel calls, failures and repeated ids, each result with its call', async () => {
      await provider().behave({ kind: 'answer', content: 'done' });
      const calls = (turn: number) =>
        ['c1', 'c2'].map((id) => ({ id, name: `tool_${turn}`, args: { turn } }));
      const results = (turn: number) => [
        { role: 'tool' as const, toolCallId: 'c1', content: `first of ${turn}` },
        { role: 'tool' as const, toolCallId: 'c2', content: `failed in ${turn}`, isError: true },
      ];
      const turns = [1, 2].flatMap((turn) => [
        { role: 'assistant' as const, content: '', toolCalls: calls(turn) },
        ...results(turn),
      ]);
      await ask({ messages: [...messages, ...turns] });
      const sent = JSON.stringify((await provider().requests()).at(-1)?.body);
      const order = ['tool_1', 'first of 1', 'failed in 1', 'tool_2', 'first of 2', 'failed in 2'];
      const places = order.map((word) => sent.indexOf(word));
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(places).not.toContain(-1);
    });

    it('sends earlier tool calls and their results back with the same ids', async () => {
      await provider().behave({ kind: 'answer', content: 'done' });
      const toolCalls = [{ id: 'c7', name: 'scam_db', args: { value: 'x' } }];
      await ask({
        messages: [
          ...messages,
          { role: 'assistant', content: '', toolCalls },
          { role: 'tool', toolCallId: 'c7', content: 'found' },
        ],
      });
      const text = JSON.stringify((await provider().requests()).at(-1)?.body);
      expect(text.match(/"c7"/g)).toHaveLength(2);
    });
  });
}
