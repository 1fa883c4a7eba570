import type { ServerResponse } from 'node:http';
import { answerAsAgent } from './agent/agent-faults.js';
import type { Answer } from './answer.js';
import { answerByRules } from './answer-by-rules.js';
import { answerCompromised } from './answer-compromised.js';
import { inManner } from './manners.js';
import type { Behaviour } from './script.js';
import { sendJson } from './send-json.js';
import { withinLimit } from './within-limit.js';
import type { Exchange, Wire } from './wires/wire.js';

/** One call that is to be answered. */
export interface Call {
  wire: Wire;
  exchange: Exchange;
  /** Where a redirect leads: to itself. */
  url: string;
  response: ServerResponse;
  /** Names the answer. */
  n: number;
}

/** Answers one call as it should be. */
export function play(behaviour: Behaviour, call: Call): void {
  const { exchange, response, url } = call;
  switch (behaviour.kind) {
    case 'rules':
      return sendAnswer(inManner(answerByRules(exchange.question), behaviour.manner), call);
    case 'agent':
      return sendAnswer(answerAsAgent(behaviour, exchange.question), call);
    case 'compromised':
      return sendAnswer(answerCompromised(exchange.question), call);
    case 'answer':
      return sendAnswer(behaviour, call);
    case 'empty':
      return sendAnswer({ content: '' }, call);
    case 'status':
      return sendStatus(behaviour, call);
    case 'hang':
      return;
    case 'cut':
      return sendPart(call, true);
    case 'malformed':
      return sendPart(call, false);
    case 'redirect':
      return void response.writeHead(307, { location: url }).end();
    case 'html':
      return void response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<html><body>Simulated page</body></html>');
    case 'huge':
      return sendHuge(response, behaviour.megabytes);
    case 'raw':
      return void response
        .writeHead(behaviour.status, { 'content-type': behaviour.contentType })
        .end(behaviour.text);
  }
}

function sendAnswer(meant: Answer, { exchange, response, n }: Call): void {
  const answer = withinLimit(meant, exchange.question);
  if (!exchange.question.stream) return sendJson(response, 200, exchange.whole(answer, n));
  const events = exchange.events(answer, n);
  response.writeHead(200, { 'content-type': streamType(events), 'cache-control': 'no-cache' });
  for (const event of events) response.write(event);
  response.end();
}

/** One stream is no stream of events: Google's without `alt=sse`. */
function streamType([first = '']: string[]): string {
  return first.startsWith('[') ? 'application/json' : 'text/event-stream';
}

function sendStatus(behaviour: Extract<Behaviour, { kind: 'status' }>, call: Call): void {
  const { wire, response, url } = call;
  if (behaviour.late === true) return sendLate(behaviour, call);
  if (behaviour.retryAfterS !== undefined) response.setHeader('retry-after', String(behaviour.retryAfterS));
  if (behaviour.status < 400) response.setHeader('location', url);
  sendJson(response, behaviour.status, wire.failure(behaviour));
}

/** A failure behind a 200: after half of the events, or as the whole body. */
function sendLate(
  failure: Extract<Behaviour, { kind: 'status' }>,
  { wire, exchange, response, n }: Call,
): void {
  const { question } = exchange;
  if (!question.stream) return sendJson(response, 200, wire.failure(failure));
  const events = exchange.events(answerByRules(question), n);
  response.writeHead(200, { 'content-type': streamType(events), 'cache-control': 'no-cache' });
  for (const event of events.slice(0, Math.ceil(events.length / 2))) response.write(event);
  response.end(wire.lateFailure(failure));
}

/** Half an answer: `broken` with the connection, else as if it were whole. */
function sendPart({ exchange, response, n }: Call, broken: boolean): void {
  const answer = answerByRules(exchange.question);
  const events = exchange.question.stream ? exchange.events(answer, n) : [];
  const whole = exchange.question.stream ? events.join('') : JSON.stringify(exchange.whole(answer, n));
  const half = whole.slice(0, Math.floor(whole.length / 2));
  const type = exchange.question.stream ? streamType(events) : 'application/json';
  response.writeHead(200, {
    'content-type': type,
    ...(broken && { 'content-length': Buffer.byteLength(whole) }),
  });
  if (!broken) return void response.end(half);
  // The half must be on its way before the connection breaks, or it is a plain network failure.
  response.write(half, () => setImmediate(() => response.destroy()));
}

function sendHuge(response: ServerResponse, megabytes: number): void {
  const chunk = 'x'.repeat(1_000_000);
  let left = megabytes;
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left -= 1;
      if (!response.write(chunk)) return;
    }
    response.end('"');
  };
  response.writeHead(200, { 'content-type': 'application/json' }).on('drain', more).write('"');
  more();
}
