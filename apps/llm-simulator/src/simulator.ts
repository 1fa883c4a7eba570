import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  type IncomingHttpHeaders,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { CasefileError, type JsonObject } from '@casefile/contracts';
import { answerCall, type State } from './answer-call.js';
import { toFailure } from './failure-of.js';
import { createLedger, type CallCounts, type SeenRequest } from './ledger.js';
import { createMemory } from './memory.js';
import { readBody, sendJson } from './read-body.js';
import type { Question } from '@casefile/kit/demonstration/question';
import { readScript, type BehaviourInput, type ScriptInput } from './script.js';
import { wireFor } from './wires/index.js';
import { openAiFailure } from './wires/openai-chat.js';
import { MODEL, OWNER } from './wires/wire.js';

export interface SimulatorOptions {
  /** 0: any free port. */
  port?: number;
  host?: string;
  /** Script until another one is set, and after a reset. */
  script?: ScriptInput;
  /** Returns the behaviour for a call; null: the script decides. An exception is answered with 500. */
  answer?(question: Question): BehaviourInput | null;
}

/** A running simulator. The control API under `/_sim` offers the same operations over HTTP. */
export interface Simulator {
  /** Base URL for `LLM_BASE_URL` and OpenAI's SDK. */
  baseUrl: string;
  /** Base URL without `/v1`, as the SDKs of Anthropic and Google expect it. */
  origin: string;
  port: number;
  /** Replaces the script. @throws InvalidInput */
  setScript(script: ScriptInput): void;
  calls(): CallCounts;
  /** Returns the newest hundred requests. */
  requests(): SeenRequest[];
  /** Forgets the calls and restores the initial script. */
  reset(): void;
  close(): Promise<void>;
}

/** Starts a simulated provider. @throws if the port is in use. */
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
      const failure = toFailure(thrown);
      sendJson(response, failure.status, openAiFailure(failure));
    });
  });
  // Clients keep their connections. If the server closed one while a client uses it, the client would see a
  // network failure.
  server.keepAliveTimeout = 120_000;
  await listening(server, port, host);
  const bound = (server.address() as AddressInfo).port;
  const origin = `http://${host}:${bound}`;
  return {
    origin,
    baseUrl: `${origin}/v1`,
    port: bound,
    setScript: (script) => void (state.script = readScript(script)),
    calls: () => state.ledger.counts(),
    requests: () => state.ledger.requests(),
    reset: state.reset,
    close: () => closedServer(server),
  };
}

/** Base for relative URLs. Only their paths are used. */
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

function closedServer(server: Server): Promise<void> {
  const done = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  return done;
}

/**
 * Returns the single model in the list format of each provider. Anthropic's requests are recognized by their
 * header.
 */
function modelsFor(path: string, headers: IncomingHttpHeaders): JsonObject {
  if (path !== '/v1/models')
    return { models: [{ name: `models/${MODEL}`, displayName: OWNER, supportedGenerationMethods: METHODS }] };
  if (headers['anthropic-version'] === undefined)
    return { object: 'list', data: [{ id: MODEL, object: 'model', created: 0, owned_by: OWNER }] };
  const model = { type: 'model', id: MODEL, display_name: OWNER, created_at: '1970-01-01T00:00:00Z' };
  return { data: [model], has_more: false, first_id: MODEL, last_id: MODEL };
}

const METHODS = ['generateContent', 'streamGenerateContent'];
