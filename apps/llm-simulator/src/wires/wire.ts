import type { IncomingHttpHeaders } from 'node:http';
import { CasefileError } from '@casefile/contracts';
import type { JsonObject } from '@casefile/contracts';
import type { Answer } from '../answer.js';
import type { Memory } from '../memory.js';
import type { Question } from '@casefile/kit/demonstration/question';
import type { Script } from '../script.js';

/** Model name in every answer, whatever model was requested. */
export const MODEL = 'casefile-simulator';
/** Owner in lists of models. */
export const OWNER = 'casefile (simulated answers)';

export type Protocol = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini' | 'openai-embeddings';

/** One received request. */
export interface WireCall {
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: JsonObject;
}

/** State that a wire may read besides the request. */
export interface WireContext {
  script: Script;
  memory: Memory;
}

/** A parsed request, with functions that convert an answer to the wire format. `n` is the answer's number. */
export interface Exchange {
  question: Question;
  whole(answer: Answer, n: number): JsonObject;
  /** Returns the answer as a stream, one text per write. */
  events(answer: Answer, n: number): string[];
}

export interface Failure {
  status: number;
  code?: string | undefined;
  message?: string | undefined;
  /** Path of the wrong field. */
  param?: string | undefined;
  retryAfterS?: number | undefined;
}

/** One wire format. It converts requests to questions, and answers and failures to its own format. */
export interface Wire {
  protocol: Protocol;
  /** Returns whether this wire serves a POST to this path. */
  serves(path: string): boolean;
  /** @throws InvalidInput; a refusal for requests that the real server rejects too. */
  read(call: WireCall, context: WireContext): Exchange;
  failure(failure: Failure): JsonObject;
  /** Returns the failure as an event of a stream that started normally. */
  lateFailure(failure: Failure): string;
}

export const REFUSED = 'refused_request';

/** Returns the error of a real server for a request that it rejects. */
export function refusal(
  message: string,
  { status = 400, code, param }: Partial<Failure> = {},
): CasefileError {
  return new CasefileError(REFUSED, message, { details: { status, code, param } });
}

/** @throws a refusal for the first unknown key. */
export function refuseUnknown(body: JsonObject, knownKeys: string[], say: (key: string) => string): void {
  const key = Object.keys(body).find((name) => !knownKeys.includes(name));
  if (key !== undefined) throw refusal(say(key), { code: 'unknown_parameter', param: key });
}

/** One server-sent event with a name. */
export function namedEvent(type: string, body: JsonObject): string {
  return `event: ${type}\n${dataEvent({ type, ...body })}`;
}

export function dataEvent(body: JsonObject): string {
  return `data: ${JSON.stringify(body)}\n\n`;
}

/** Returns whether the key is the one that the script requires. Without a required key any key fits. */
export function keyFits({ script }: WireContext, suppliedKey: string | undefined): boolean {
  return script.key === undefined || suppliedKey === script.key;
}

/** Returns the token of a `Bearer` authorization header. */
export function headerBearer(headers: IncomingHttpHeaders): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

export function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
