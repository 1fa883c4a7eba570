import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isObject, type JsonObject } from '@casefile/contracts';
import type { Protocol } from '../provider-entry.js';
import type { AnswerBehaviour, ProviderBehaviour, SeenRequest } from './provider-behaviour.js';
import { serverSentEvents } from './server-sent-events.js';
import { FAKE_WIRES } from './wires/index.js';
import type { FakeWire } from './wires/wire.js';

/**
 * Loopback server for tests that speaks one protocol, streamed or not as requested, with scripted behaviour.
 */
export interface FakeProvider {
  baseUrl: string;
  /** Sets the behaviour of the next calls, in this order; the last one repeats. */
  behave(...behaviours: FakeBehaviour[]): void;
  requests(): SeenRequest[];
  close(): Promise<void>;
}

/** In addition to the behaviours of every server under test: any body. */
export type FakeBehaviour = ProviderBehaviour | { kind: 'raw'; contentType: string; body: string };

export async function startFakeProvider(protocol: Protocol = 'openai-chat'): Promise<FakeProvider> {
  const wire = FAKE_WIRES[protocol];
  let script: FakeBehaviour[] = [{ kind: 'answer', content: 'hello' }];
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    // A query for models finds every model; scripted behaviour applies only to calls.
    if (request.method === 'GET') return send(response, 200, 'application/json', '{}');
    void readJson(request).then((body) => {
      const callKey = request.headers['x-casefile-call'];
      seen.push({ callKey: typeof callKey === 'string' ? callKey : null, body });
      const behaviour = script.length > 1 ? script.shift() : script[0];
      const streamed = body.stream === true || (request.url ?? '').includes(':streamGenerateContent');
      if (behaviour !== undefined) play(behaviour, { wire, streamed, body, request, response });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}${wire.basePath}`,
    behave: (...behaviours) => void (script = [...behaviours]),
    requests: () => [...seen],
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

interface Asked {
  wire: FakeWire;
  streamed: boolean;
  body: JsonObject;
  request: IncomingMessage;
  response: ServerResponse;
}

function play(behaviour: FakeBehaviour, { wire, streamed, body, request, response }: Asked): void {
  const contentType = streamed ? 'text/event-stream; charset=utf-8' : 'application/json';
  const whole = (meant: AnswerBehaviour) => {
    const answer = withinLimit(meant, limitIn(body));
    return streamed ? serverSentEvents(wire.events(answer), wire) : JSON.stringify(wire.body(answer));
  };
  switch (behaviour.kind) {
    case 'answer':
      return send(response, 200, contentType, whole(behaviour));
    case 'raw':
      return send(response, 200, behaviour.contentType, behaviour.body);
    case 'status':
      if (behaviour.retryAfterS !== undefined)
        response.setHeader('retry-after', String(behaviour.retryAfterS));
      return send(response, behaviour.status, 'application/json', JSON.stringify(wire.failure(behaviour)));
    case 'hang':
      return;
    case 'cut':
      response.writeHead(200, { 'content-type': contentType, 'content-length': '100000' });
      response.write(beginning(wire, streamed));
      // The client must have received the headers, else this is a plain network failure.
      return void setImmediate(() => response.destroy());
    case 'malformed':
      return send(response, 200, contentType, `${beginning(wire, streamed)}data: {"half`);
    case 'empty':
      return send(response, 200, contentType, whole({ kind: 'answer', content: '' }));
    case 'redirect':
      response.writeHead(307, { location: request.url ?? '/' });
      return void response.end();
    case 'html':
      return send(response, 200, 'text/html', '<html><body>Sign in to the network</body></html>');
    case 'huge':
      return stream(response, behaviour.megabytes);
  }
}

/** A usual estimate for English. */
const CHARACTERS_A_TOKEN = 4;

/** Returns the output limit, under whichever name the protocol uses for it. */
function limitIn(body: JsonObject): number {
  const config = body['generationConfig'];
  const places: JsonObject[] = [body, ...(isObject(config) ? [config] : [])];
  const names = ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'maxOutputTokens'];
  const limits = places.flatMap((place) => names.map((name) => place[name]));
  return limits.find((limit) => typeof limit === 'number') ?? Infinity;
}

/** Thoughts come first and count within the limit; the answer gets the rest. */
function withinLimit(answer: AnswerBehaviour, limit: number): AnswerBehaviour {
  const { content, reasoning = '' } = answer;
  const room = limit * CHARACTERS_A_TOKEN;
  if (answer.finishReason !== undefined || reasoning.length + content.length <= room) return answer;
  const thought = reasoning.slice(0, room);
  const left = content.slice(0, room - thought.length);
  return { ...answer, content: left, ...(thought !== '' && { reasoning: thought }), finishReason: 'length' };
}

/** The first half of a long answer. */
function beginning(wire: FakeWire, streamed: boolean): string {
  const answer = { kind: 'answer' as const, content: 'half of an answer that had more to say' };
  if (!streamed) return JSON.stringify(wire.body(answer)).slice(0, 60);
  const events = wire.events(answer);
  return serverSentEvents(events.slice(0, Math.ceil(events.length / 2)), { named: wire.named });
}

function send(response: ServerResponse, status: number, contentType: string, body: string): void {
  response.writeHead(status, { 'content-type': contentType });
  response.end(body);
}

/** Sends the given number of megabytes as one JSON string, as fast as they are read. */
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
