import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Below } from './attacks.js';

const call = (name: string, args: unknown, i = 0) => ({
  id: `c${i}`,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
});

/** Messages of a hostile or broken model, by name, as in a chat completion. `size`: in characters. */
export const HOSTILE_MESSAGES: Record<string, (size: number) => object> = {
  'an endless answer': (size) => ({ content: 'x'.repeat(size) }),
  'JSON that is costly to repair': () => ({ content: `{"${'a"b,'.repeat(24_000)}` }),
  'brackets without end': () => ({ content: '{'.repeat(200_000) }),
  'arguments of megabytes': (size) => ({
    content: null,
    tool_calls: [call('sections_search', { query: 'x'.repeat(size) })],
  }),
  'a thousand calls': () => ({
    content: null,
    tool_calls: Array.from({ length: 1_000 }, (_, i) => call('facts_get', { name: `f${i}` }, i)),
  }),
  'a hundred thousand ids': () => ({
    content: null,
    tool_calls: [call('sections_get', { nodeIds: Array.from({ length: 100_000 }, (_, i) => `${i}`) })],
  }),
};

export interface HostileModel {
  /** Base URL of a server of the wire format of chat completions. */
  url: string;
  answered(): number;
  close(): void;
}

/** Starts a model server on loopback with only hostile answers: those of `only`, otherwise drawn ones. */
export async function startHostileModel(below: Below, only?: () => string): Promise<HostileModel> {
  const names = Object.keys(HOSTILE_MESSAGES);
  let answered = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      answered += 1;
      const name = only?.() ?? names[below(names.length)] ?? '';
      const message = HOSTILE_MESSAGES[name]?.(1_000_000 + below(4_000_000)) ?? {};
      // A false usage.
      const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
      const choices = [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }];
      const body = { id: 'x', object: 'chat.completion', created: 1, model: 'm', choices, usage };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, answered: () => answered, close: () => void server.close() };
}
