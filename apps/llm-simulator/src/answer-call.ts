import type { IncomingMessage, ServerResponse } from 'node:http';
import { toFailure } from './failure-of.js';
import type { Ledger, SeenRequest } from './ledger.js';
import type { Memory } from './memory.js';
import { play } from './play.js';
import { readBody, sendJson } from './read-body.js';
import type { Question } from '@casefile/kit/demonstration/question';
import {
  behaviourSchema,
  type Behaviour,
  type BehaviourInput,
  type Script,
  FAULT_NAMES,
  FAULTS,
} from './script.js';
import { headerOf, type Exchange, type Wire } from './wires/wire.js';
import { createHash } from 'node:crypto';

/** State of one simulator. */
export interface State {
  script: Script;
  answer(question: Question): BehaviourInput | null;
  ledger: Ledger;
  memory: Memory;
  answers: number;
  reset(): void;
}

/**
 * Answers a call on one of the wires: counts and reads it, waits for the delay, and sends the script's
 * behaviour.
 */
export async function answerCall(
  state: State,
  wire: Wire,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const fail = (thrown: unknown) => {
    const failure = toFailure(thrown);
    sendJson(response, failure.status, wire.failure(failure));
  };
  try {
    const body = await readBody(request);
    const callKey = headerOf(request.headers, 'x-casefile-call') ?? null;
    const seenRequest: SeenRequest = { callKey, protocol: wire.protocol, body };
    const before = state.ledger.begin(seenRequest);
    if (response.closed) return state.ledger.end(false);
    response.once('close', () => state.ledger.end(response.writableFinished));
    const { pathname: path, searchParams: query } = url;
    const exchange = readOrRefuse(state, seenRequest, () =>
      wire.read({ path, query, headers: request.headers, body }, state),
    );
    const behaviour = behaviourFor(state, seenRequest, before, exchange);
    await pause(behaviour.delayMs + state.script.delayMs, response);
    if (response.destroyed) return;
    state.answers += 1;
    const { policyAnswers } = state.script;
    const target = url.pathname + url.search;
    play(behaviour, { wire, exchange, url: target, response, policyAnswers, n: state.answers });
  } catch (thrown) {
    fail(thrown);
  }
}

function readOrRefuse(state: State, seenRequest: SeenRequest, read: () => Exchange): Exchange {
  try {
    return read();
  } catch (thrown) {
    state.ledger.gets(seenRequest, 'refused');
    throw thrown;
  }
}

function behaviourFor(
  state: State,
  seenRequest: SeenRequest,
  before: number,
  { question }: Exchange,
): Behaviour {
  const chosenBehaviour = seenRequest.protocol === 'openai-embeddings' ? null : state.answer(question);
  const choose = seenRequest.protocol === 'openai-embeddings' ? chooseForEmbeddings : chooseBehaviour;
  const behaviour =
    chosenBehaviour === null
      ? choose(state.script, seenRequest.callKey ?? JSON.stringify(question.turns), before)
      : behaviourSchema.parse(chosenBehaviour);
  state.ledger.gets(seenRequest, behaviourName(behaviour));
  return behaviour;
}

/** Waits until the time is over or the client disconnects. */
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

/**
 * Returns the behaviour for the next call. A fault is drawn from the seed, the call and the number of earlier
 * equal calls, so that the mix does not depend on the order of calls.
 */
export function chooseBehaviour(script: Script, call: string, before: number): Behaviour {
  return script.replies.shift() ?? scriptFault(script, `${call}#${before}`) ?? script.then;
}

/** Returns the behaviour for the next embeddings call. Embeddings have their own replies. */
function chooseForEmbeddings(script: Script, call: string, before: number): Behaviour {
  const { replies } = script.embeddings;
  return replies.shift() ?? scriptFault(script, `${call}#${before}`) ?? { kind: 'rules', delayMs: 0 };
}

/** Returns the name under which a behaviour is counted: the fault's name if it is a fault. */
export function behaviourName(behaviour: Behaviour): string {
  if (behaviour === FAULTS.slow) return 'slow';
  if (behaviour.kind === 'rules') return behaviour.manner ?? behaviour.kind;
  if (behaviour.kind !== 'status') return behaviour.kind;
  const { status, code } = behaviour;
  if (status === 402 || code === 'insufficient_quota') return 'quota';
  if (status === 429) return 'rateLimited';
  if (status === 529 || status === 503) return 'overloaded';
  return status >= 500 ? 'serverError' : `status${status}`;
}

function scriptFault({ faults }: Script, draw: string): Behaviour | undefined {
  if (faults === undefined) return undefined;
  const digest = createHash('sha256').update(`${faults.seed}/${draw}`).digest();
  let place = (digest.readUInt32BE(0) / 2 ** 32) * 100;
  for (const name of FAULT_NAMES) {
    place -= faults.percent[name] ?? 0;
    if (place >= 0) continue;
    const fault = FAULTS[name];
    return 'retryAfterS' in fault ? { ...fault, retryAfterS: faults.retryAfterS } : fault;
  }
  return undefined;
}
