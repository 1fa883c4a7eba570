import type { IncomingMessage, ServerResponse } from 'node:http';
import { chooseBehaviour, chooseForEmbeddings, nameOf } from './choose-behaviour.js';
import { failureOf } from './failure-of.js';
import type { Ledger, SeenRequest } from './ledger.js';
import type { Memory } from './memory.js';
import { play } from './play.js';
import { readBody } from './read-body.js';
import type { Question } from './question.js';
import { behaviourSchema } from './script.js';
import type { Behaviour, BehaviourInput, Script } from './script.js';
import { sendJson } from './send-json.js';
import { headerOf } from './wires/wire.js';
import type { Exchange, Wire } from './wires/wire.js';

/** What one simulator knows. */
export interface State {
  script: Script;
  answer(question: Question): BehaviourInput | null;
  ledger: Ledger;
  memory: Memory;
  answers: number;
  reset(): void;
}

/** A call on one of the wires: counted, read, held back, and given what the script has for it. */
export async function answerCall(
  state: State,
  wire: Wire,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const fail = (thrown: unknown) => {
    const failure = failureOf(thrown);
    sendJson(response, failure.status, wire.failure(failure));
  };
  try {
    const body = await readBody(request);
    const callKey = headerOf(request.headers, 'x-casefile-call') ?? null;
    const seen: SeenRequest = { callKey, protocol: wire.protocol, body };
    const before = state.ledger.begin(seen);
    if (response.closed) return state.ledger.end(false);
    response.once('close', () => state.ledger.end(response.writableFinished));
    const { pathname: path, searchParams: query } = url;
    const exchange = readOrRefuse(state, seen, () =>
      wire.read({ path, query, headers: request.headers, body }, state),
    );
    const behaviour = behaviourFor(state, seen, before, exchange);
    await pause(behaviour.delayMs + state.script.delayMs, response);
    if (response.destroyed) return;
    state.answers += 1;
    play(behaviour, { wire, exchange, url: url.pathname + url.search, response, n: state.answers });
  } catch (thrown) {
    fail(thrown);
  }
}

function readOrRefuse(state: State, seen: SeenRequest, read: () => Exchange): Exchange {
  try {
    return read();
  } catch (thrown) {
    state.ledger.gets(seen, 'refused');
    throw thrown;
  }
}

function behaviourFor(state: State, seen: SeenRequest, before: number, { question }: Exchange): Behaviour {
  const wanted = seen.protocol === 'openai-embeddings' ? null : state.answer(question);
  const choose = seen.protocol === 'openai-embeddings' ? chooseForEmbeddings : chooseBehaviour;
  const behaviour =
    wanted === null
      ? choose(state.script, seen.callKey ?? JSON.stringify(question.turns), before)
      : behaviourSchema.parse(wanted);
  state.ledger.gets(seen, nameOf(behaviour));
  return behaviour;
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
