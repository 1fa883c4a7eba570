import type { ServerResponse } from 'node:http';
import type { Answer } from './answer.js';
import { answerByRules } from './answer-by-rules.js';
import { answerCompromised } from './answer-compromised.js';
import type { ChatRequest } from './chat-request.js';
import type { Behaviour } from './script.js';
import { sendJson } from './send-json.js';
import { completion, completionEvents, failure } from './wire.js';

/** Answers one call as it should be. `id` names the answer. */
export function play(behaviour: Behaviour, request: ChatRequest, response: ServerResponse, id: string): void {
  switch (behaviour.kind) {
    case 'rules':
      return sendAnswer(answerByRules(request), request, response, id);
    case 'compromised':
      return sendAnswer(answerCompromised(request), request, response, id);
    case 'answer':
      return sendAnswer(behaviour, request, response, id);
    case 'empty':
      return sendAnswer({ content: '' }, request, response, id);
    case 'status':
      return sendStatus(behaviour, response);
    case 'hang':
      return;
    case 'cut':
      return sendPart(request, response, id, true);
    case 'malformed':
      return sendPart(request, response, id, false);
    case 'redirect':
      return void response.writeHead(307, { location: '/v1/chat/completions' }).end();
    case 'html':
      return void response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<html><body>Simulated page</body></html>');
    case 'huge':
      return sendHuge(response, behaviour.megabytes);
  }
}

function sendAnswer(answer: Answer, request: ChatRequest, response: ServerResponse, id: string): void {
  if (request.stream !== true) return sendJson(response, 200, completion(answer, request, id));
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const event of completionEvents(answer, request, id)) response.write(event);
  response.end();
}

function sendStatus(behaviour: Extract<Behaviour, { kind: 'status' }>, response: ServerResponse): void {
  if (behaviour.retryAfterS !== undefined) response.setHeader('retry-after', String(behaviour.retryAfterS));
  if (behaviour.status < 400) response.setHeader('location', '/v1/chat/completions');
  sendJson(response, behaviour.status, failure(behaviour.status, behaviour.code, behaviour.message));
}

/** Half an answer: `broken` with the connection, else as if it were whole. */
function sendPart(request: ChatRequest, response: ServerResponse, id: string, broken: boolean): void {
  const answer = answerByRules(request);
  const events = completionEvents(answer, request, id);
  const whole = request.stream === true ? events.join('') : JSON.stringify(completion(answer, request, id));
  const half = whole.slice(0, Math.floor(whole.length / 2));
  const type = request.stream === true ? 'text/event-stream' : 'application/json';
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
