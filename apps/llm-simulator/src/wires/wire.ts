import type { IncomingHttpHeaders } from 'node:http';
import { CasefileError } from '@casefile/contracts';
import type { JsonObject } from '@casefile/contracts';
import type { Answer } from '../answer.js';
import type { Memory } from '../memory.js';
import type { Question } from '../question.js';
import type { Script } from '../script.js';

/** The name under which the simulator answers, whatever model it was asked for. */
export const MODEL = 'casefile-simulator';
/** Who owns it, where a list of models says so. */
export const OWNER = 'casefile (simulated answers)';

export type Protocol = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini' | 'openai-embeddings';

/** One request as it came in. */
export interface WireCall {
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: JsonObject;
}

/** What a wire may look at besides the request. */
export interface WireContext {
  script: Script;
  memory: Memory;
}

/** One request that was understood, and how an answer to it is put on the wire. `n` counts the answers. */
export interface Exchange {
  question: Question;
  whole(answer: Answer, n: number): JsonObject;
  /** The same as it is streamed, one text a write. */
  events(answer: Answer, n: number): string[];
}

export interface Failure {
  status: number;
  code?: string | undefined;
  message?: string | undefined;
  /** The field that is wrong, by its path. */
  param?: string | undefined;
  retryAfterS?: number | undefined;
}

/** One wire format: it translates requests into questions, and answers and failures into its own words. */
export interface Wire {
  protocol: Protocol;
  /** Does a POST to this path speak it? */
  serves(path: string): boolean;
  /** @throws InvalidInput; a refusal for what the real server would not take either. */
  read(call: WireCall, context: WireContext): Exchange;
  failure(failure: Failure): JsonObject;
  /** The same as an event of a stream that had begun well. */
  lateFailure(failure: Failure): string;
}

export const REFUSED = 'refused_request';

/** What a real server says to a request that it does not take. */
export function refusal(
  message: string,
  { status = 400, code, param }: Partial<Failure> = {},
): CasefileError {
  return new CasefileError(REFUSED, message, { details: { status, code, param } });
}

/** @throws a refusal for the first key that is not among the known ones. */
export function refuseUnknown(body: JsonObject, known: string[], say: (key: string) => string): void {
  const key = Object.keys(body).find((name) => !known.includes(name));
  if (key !== undefined) throw refusal(say(key), { code: 'unknown_parameter', param: key });
}

/** One server-sent event with a name. */
export function namedEvent(type: string, body: JsonObject): string {
  return `event: ${type}\n${dataEvent({ type, ...body })}`;
}

export function dataEvent(body: JsonObject): string {
  return `data: ${JSON.stringify(body)}\n\n`;
}

/** The key that the script wants is there, or any where it wants none in particular. */
export function keyFits({ script }: WireContext, given: string | undefined): boolean {
  return script.key === undefined || given === script.key;
}

/** What follows `Bearer` in the authorization. */
export function bearerOf(headers: IncomingHttpHeaders): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

export function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
