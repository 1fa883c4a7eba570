import type { ServerResponse } from 'node:http';
import { answerAsAgent } from './agent/agent-faults.js';
import type { PolicyAnswer } from './agent/policy-answers.js';
import { type Answer, answerReasoning } from './answer.js';
import { answerByRules } from './answer-by-rules.js';
import { answerCompromised } from './answer-compromised.js';
import { inManner } from './manners.js';
import type { Behaviour } from './script.js';
import { sendJson } from './read-body.js';
import type { Exchange, Wire } from './wires/wire.js';
import type { Question } from '@casefile/kit/demonstration/question';
import { CHARACTERS_A_TOKEN, textTokens } from './usage-of.js';

/** One call to answer. */
interface Call {
  wire: Wire;
  exchange: Exchange;
  /** Target of a redirect: the same URL. */
  url: string;
  response: ServerResponse;
  policyAnswers: readonly PolicyAnswer[];
  /** Number of the answer, used in ids. */
  n: number;
}

/** Answers one call with this behaviour. */
export function play(behaviour: Behaviour, call: Call): void {
  const { response, url, policyAnswers } = call;
  const { question } = call.exchange;
  switch (behaviour.kind) {
    case 'rules':
      return sendAnswer(inManner(answerByRules(question, policyAnswers), behaviour.manner), call);
    case 'agent':
      return sendAnswer(answerAsAgent(behaviour, question, policyAnswers), call);
    case 'compromised':
      return sendAnswer(answerCompromised(question, policyAnswers), call);
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

function sendAnswer(fullAnswer: Answer, { exchange, response, n }: Call): void {
  const answer = withinLimit(fullAnswer, exchange.question);
  if (!exchange.question.stream) return sendJson(response, 200, exchange.whole(answer, n));
  const events = exchange.events(answer, n);
  response.writeHead(200, { 'content-type': streamType(events), 'cache-control': 'no-cache' });
  for (const event of events) response.write(event);
  response.end();
}

/** Returns the media type of a stream. Google's stream without `alt=sse` is JSON, not events. */
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

/** Sends a failure with status 200: after half of the events, or as the whole body. */
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

/** Sends half an answer. `broken`: the connection breaks; otherwise the answer ends normally. */
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
  // The half must be sent before the connection breaks. Otherwise the client sees a plain network failure.
  response.write(half, () => setImmediate(() => response.destroy()));
}

function sendHuge(response: ServerResponse, megabytes: number): void {
  const chunk = 'x'.repeat(1_000_000);
  let remainingMegabytes = megabytes;
  const more = () => {
    while (remainingMegabytes > 0 && !response.destroyed) {
      remainingMegabytes -= 1;
      if (!response.write(chunk)) return;
    }
    response.end('"');
  };
  response.writeHead(200, { 'content-type': 'application/json' }).on('drain', more).write('"');
  more();
}

/**
 * Cuts an answer to the output limit of its request. Reasoning comes first and counts towards the limit, as
 * with Google, Anthropic and OpenAI. Content and calls get the rest. If the request turns reasoning off, the
 * reasoning is removed.
 */
function withinLimit(answer: Answer, { limit, thinks }: Question): Answer {
  const { reasoning: _, redacted: _sealed, ...unthought } = answer;
  const reply = thinks ? answer : unthought;
  if (limit === undefined || reply.finishReason !== undefined) return reply;
  const thoughts = answerReasoning(reply);
  const thought = reply.usage?.reasoning ?? textTokens(thoughts.join(''));
  if (thought >= limit)
    return cut(reply, { content: '', reasoning: cutParts(thoughts, limit), toolCalls: undefined }, limit);
  const content = reply.content.slice(0, (limit - thought) * CHARACTERS_A_TOKEN);
  if (content.length < reply.content.length) return cut(reply, { content, toolCalls: undefined }, limit);
  let remainingTokens = limit - thought - textTokens(content);
  const toolCalls = reply.toolCalls?.filter(
    ({ name, arguments: args }) => (remainingTokens -= textTokens(name + args)) >= 0,
  );
  return toolCalls?.length === reply.toolCalls?.length ? reply : cut(reply, { toolCalls }, limit);
}

/** Returns the cut answer. Usage that the script names is kept, but limited to the output limit. */
function cut(answer: Answer, changes: Partial<Answer>, limit: number): Answer {
  const { usage } = answer;
  const used = usage && {
    ...usage,
    output: Math.min(usage.output, limit),
    reasoning: Math.min(usage.reasoning, limit),
  };
  return { ...answer, ...changes, usage: used, finishReason: 'length' };
}

function cutParts(parts: string[], tokens: number): string[] {
  let remainingCharacters = tokens * CHARACTERS_A_TOKEN;
  return parts
    .map((part) => {
      const piece = part.slice(0, remainingCharacters);
      remainingCharacters -= piece.length;
      return piece;
    })
    .filter((part) => part !== '');
}
