import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '@casefile/contracts';
import type { ProviderBehaviour, SeenRequest } from './provider-behaviour.js';

/** A server on loopback that speaks chat completions and does what it is told. For tests. */
export interface FakeProvider {
  baseUrl: string;
  /** What the next calls get, in this order; the last one stays. */
  behave(...behaviours: ProviderBehaviour[]): void;
  requests(): SeenRequest[];
  close(): Promise<void>;
}

export async function startFakeProvider(): Promise<FakeProvider> {
  let script: ProviderBehaviour[] = [{ kind: 'answer', content: 'hello' }];
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    void readJson(request).then((body) => {
      const callKey = request.headers['x-casefile-call'];
      seen.push({ callKey: typeof callKey === 'string' ? callKey : null, body });
      const behaviour = script.length > 1 ? script.shift() : script[0];
      if (behaviour !== undefined) play(behaviour, request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    behave: (...behaviours) => void (script = [...behaviours]),
    requests: () => [...seen],
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function play(behaviour: ProviderBehaviour, request: IncomingMessage, response: ServerResponse): void {
  switch (behaviour.kind) {
    case 'answer':
      return sendJson(response, 200, completion(behaviour));
    case 'status':
      if (behaviour.retryAfterS !== undefined)
        response.setHeader('retry-after', String(behaviour.retryAfterS));
      return sendJson(response, behaviour.status, failure(behaviour));
    case 'hang':
      return;
    case 'cut':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"choices":[{"message":{"content":"half');
      // The client must have seen the headers, or it is a plain network failure.
      return void setImmediate(() => response.destroy());
    case 'malformed':
      response.writeHead(200, { 'content-type': 'application/json' });
      return void response.end('{"choices":[{"message":{"content":"half');
    case 'empty':
      return sendJson(response, 200, completion({ kind: 'answer', content: '' }));
    case 'redirect':
      response.writeHead(307, { location: request.url ?? '/' });
      return void response.end();
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' });
      return void response.end('<html><body>Sign in to the network</body></html>');
    case 'huge':
      return stream(response, behaviour.megabytes);
  }
}

/** A chat completion as OpenAI documents it. */
export function completion(answer: Extract<ProviderBehaviour, { kind: 'answer' }>): JsonObject {
  const calls = answer.toolCalls?.map(({ id, name, arguments: text }) => ({
    id,
    type: 'function',
    function: { name, arguments: text },
  }));
  const message: JsonObject = { role: 'assistant', content: answer.content, refusal: answer.refusal ?? null };
  if (answer.reasoning !== undefined) message.reasoning_content = answer.reasoning;
  if (calls !== undefined) message.tool_calls = calls;
  const finish = answer.finishReason ?? (calls === undefined ? 'stop' : 'tool_calls');
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_767_600_000,
    model: 'fake-model-2026-01-05',
    choices: [{ index: 0, message, finish_reason: finish, logprobs: null }],
    usage: usageOf(answer.usage ?? { input: 10, output: 5, reasoning: 0, cached: 0 }),
  };
}

function usageOf({
  input,
  output,
  reasoning,
  cached,
}: {
  input: number;
  output: number;
  reasoning: number;
  cached: number;
}) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

function failure({ status, code, message }: Extract<ProviderBehaviour, { kind: 'status' }>): JsonObject {
  return {
    error: { message: message ?? `told to answer ${status}`, type: 'told', param: null, code: code ?? null },
  };
}

function sendJson(response: ServerResponse, status: number, body: JsonObject): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** So many megabytes of one JSON string, as fast as they are read. */
function stream(response: ServerResponse, megabytes: number): void {
  const chunk = 'x'.repeat(1_000_000);
  let left = megabytes;
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left -= 1;
      if (!response.write(chunk)) return;
    }
    response.end();
  };
  response.on('drain', more);
  response.write('"');
  more();
}

async function readJson(request: IncomingMessage): Promise<JsonObject> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return JSON.parse(text) as JsonObject;
}
