import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { asCasefileError, CasefileError } from '@casefile/contracts';
import { chooseBehaviour } from './choose-behaviour.js';
import { readChatRequest } from './chat-request.js';
import { createLedger } from './ledger.js';
import type { CallCounts, Ledger, SeenRequest } from './ledger.js';
import { play } from './play.js';
import { readBody } from './read-body.js';
import { readScript } from './script.js';
import type { Script, ScriptInput } from './script.js';
import { sendJson } from './send-json.js';
import { failure, MODELS } from './wire.js';

export interface SimulatorOptions {
  /** 0: any that is free. */
  port?: number;
  host?: string;
  /** What it does until it is told otherwise, and after a reset. */
  script?: ScriptInput;
}

/** A running simulator. The control API under `/_sim` does the same from outside. */
export interface Simulator {
  /** For `LLM_BASE_URL`. */
  baseUrl: string;
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

/** What one simulator knows. */
interface State {
  script: Script;
  ledger: Ledger;
  answers: number;
  reset(): void;
}

/** Starts a provider that makes its answers up. @throws when the port is taken. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { port = 0, host = '127.0.0.1', script = {} } = options;
  const first = () => readScript(script);
  const state: State = {
    script: first(),
    ledger: createLedger(),
    answers: 0,
    reset: () => {
      state.script = first();
      state.ledger.reset();
    },
  };
  const server = createServer((request, response) => {
    route(state, request, response).catch((thrown: unknown) => sendFailure(response, thrown));
  });
  // Clients keep their connections; one that the server ends just then looks like a network failure.
  server.keepAliveTimeout = 120_000;
  await listening(server, port, host);
  const bound = (server.address() as AddressInfo).port;
  return {
    baseUrl: `http://${host}:${bound}/v1`,
    port: bound,
    setScript: (wanted) => void (state.script = readScript(wanted)),
    calls: () => state.ledger.counts(),
    requests: () => state.ledger.requests(),
    reset: state.reset,
    close: () => closed(server),
  };
}

type Handler = (state: State, request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

const ROUTES: Record<string, Handler> = {
  'POST /v1/chat/completions': complete,
  'GET /v1/models': (_state, _request, response) => sendJson(response, 200, MODELS),
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
  const path = (request.url ?? '').split('?')[0];
  const name = `${request.method} ${path}`;
  const handler = Object.hasOwn(ROUTES, name) ? ROUTES[name] : undefined;
  if (handler === undefined) return sendJson(response, 404, failure(404, undefined, `There is no ${name}.`));
  await handler(state, request, response);
}

async function complete(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(request);
  const callKey = headerText(request.headers['x-casefile-call']);
  const before = state.ledger.begin(callKey, body);
  if (response.closed) return state.ledger.end(false);
  response.once('close', () => state.ledger.end(response.writableFinished));
  const chat = readChatRequest(body);
  const behaviour = chooseBehaviour(state.script, callKey ?? JSON.stringify(body.messages), before);
  await pause(behaviour.delayMs + state.script.delayMs, response);
  if (response.destroyed) return;
  state.answers += 1;
  play(behaviour, chat, response, `chatcmpl-simulated-${state.answers}`);
}

/** Waits, but not for somebody who has gone. */
function pause(ms: number, response: ServerResponse): Promise<void> | undefined {
  if (ms === 0) return undefined;
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    response.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function sendFailure(response: ServerResponse, thrown: unknown): void {
  const error = asCasefileError(thrown);
  const status = error.reasonCode === 'invalid_input' ? 400 : error.reasonCode === 'too_large' ? 413 : 500;
  sendJson(response, status, failure(status, error.reasonCode, error.message));
}

function headerText(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && header !== '' ? header : null;
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
