import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CasefileError } from '@casefile/contracts';
import { answerCall } from './answer-call.js';
import type { State } from './answer-call.js';
import { failureOf } from './failure-of.js';
import { createLedger } from './ledger.js';
import type { CallCounts, SeenRequest } from './ledger.js';
import { createMemory } from './memory.js';
import { modelsFor } from './models.js';
import { readBody } from './read-body.js';
import type { Question } from './question.js';
import { readScript } from './script.js';
import type { BehaviourInput, ScriptInput } from './script.js';
import { sendJson } from './send-json.js';
import { wireFor } from './wires/index.js';
import { openAiFailure } from './wires/openai-chat.js';

export interface SimulatorOptions {
  /** 0: any that is free. */
  port?: number;
  host?: string;
  /** What it does until it is told otherwise, and after a reset. */
  script?: ScriptInput;
  /** Asked before the script what a call gets; null: what the script has for it. What it throws is answered as a 500. */
  answer?(question: Question): BehaviourInput | null;
}

/** A running simulator. The control API under `/_sim` does the same from outside. */
export interface Simulator {
  /** For `LLM_BASE_URL` and OpenAI's SDK. */
  baseUrl: string;
  /** The same without `/v1`, as the SDKs of Anthropic and Google want it. */
  origin: string;
  port: number;
  /** Replaces what it does. @throws InvalidInput */
  setScript(script: ScriptInput): void;
  calls(): CallCounts;
  /** The newest hundred requests. */
  requests(): SeenRequest[];
  /** Forgets the calls and goes back to the script it was started with. */
  reset(): void;
  close(): Promise<void>;
}

/** Starts a provider that makes its answers up. @throws when the port is taken. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { port = 0, host = '127.0.0.1', script = {}, answer = () => null } = options;
  const first = () => readScript(script);
  const state: State = {
    script: first(),
    answer,
    ledger: createLedger(),
    memory: createMemory(),
    answers: 0,
    reset: () => {
      state.script = first();
      state.ledger.reset();
      state.memory.forget();
    },
  };
  const server = createServer((request, response) => {
    route(state, request, response).catch((thrown: unknown) => {
      const failure = failureOf(thrown);
      sendJson(response, failure.status, openAiFailure(failure));
    });
  });
  // Clients keep their connections; one that the server ends just then looks like a network failure.
  server.keepAliveTimeout = 120_000;
  await listening(server, port, host);
  const bound = (server.address() as AddressInfo).port;
  const origin = `http://${host}:${bound}`;
  return {
    origin,
    baseUrl: `${origin}/v1`,
    port: bound,
    setScript: (wanted) => void (state.script = readScript(wanted)),
    calls: () => state.ledger.counts(),
    requests: () => state.ledger.requests(),
    reset: state.reset,
    close: () => closed(server),
  };
}

/** What paths are relative to; only they are looked at. */
const NOWHERE = 'http://simulator';

type Handler = (state: State, request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

const models: Handler = (_state, { url = '', headers }, response) =>
  sendJson(response, 200, modelsFor(url.split('?')[0] ?? '', headers));

const ROUTES: Record<string, Handler> = {
  'GET /v1/models': models,
  'GET /v1beta/models': models,
  'PUT /_sim/script': async (state, request, response) => {
    state.script = readScript(await readBody(request));
    sendJson(response, 200, { ok: true });
  },
  'GET /_sim/calls': ({ ledger }, _request, response) => sendJson(response, 200, ledger.counts()),
  'GET /_sim/requests': ({ ledger }, _request, response) =>
    sendJson(response, 200, { requests: ledger.requests() }),
  'POST /_sim/reset': (state, _request, response) => {
    state.reset();
    sendJson(response, 200, { ok: true });
  },
};

async function route(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader('server', 'casefile-simulator');
  const target = request.url ?? '/';
  const url = new URL(URL.canParse(target, NOWHERE) ? target : '/', NOWHERE);
  const wire = request.method === 'POST' ? wireFor(url.pathname) : undefined;
  if (wire !== undefined) return answerCall(state, wire, url, request, response);
  const name = `${request.method} ${url.pathname}`;
  const handler = Object.hasOwn(ROUTES, name) ? ROUTES[name] : undefined;
  if (handler !== undefined) return handler(state, request, response);
  sendJson(response, 404, openAiFailure({ status: 404, message: `There is no ${name}.` }));
}

function listening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      reject(
        new CasefileError(
          'port_not_free',
          `The simulator cannot listen on ${host}:${port}: ${cause.message}`,
          { cause },
        ),
      );
    });
    server.listen(port, host, resolve);
  });
}

function closed(server: Server): Promise<void> {
  const done = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  return done;
}
