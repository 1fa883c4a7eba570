import type { z } from '@casefile/contracts';
import type { ProblemStatus } from '@casefile/runtime';
import type { Request, Response } from 'express';
import type { ConsolePorts } from '../console-ports.js';

/** Schemas of what a request may carry. A part that is left out is not read. */
export interface RouteInput {
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
}

type Part<I extends RouteInput, K extends keyof RouteInput> = I[K] extends z.ZodType
  ? z.infer<I[K]>
  : undefined;

/** A checked request, as a handler gets it. */
export interface HandlerInput<I extends RouteInput> {
  params: Part<I, 'params'>;
  query: Part<I, 'query'>;
  body: Part<I, 'body'>;
}

/** The connection itself, for a handler that answers with a stream. */
export interface Exchange {
  request: Request;
  response: Response;
}

/** Answers a request with JSON. @throws CasefileError, which is answered as a problem. */
export type Handler<I extends RouteInput, A = unknown> = (
  ports: ConsolePorts,
  input: HandlerInput<I>,
  exchange: Exchange,
) => Promise<A>;

/** One line of the route table. */
export interface Route {
  method: 'get' | 'post';
  /** Below `/api/v1`; parameters as `{name}`, as OpenAPI writes them. */
  path: string;
  /** Name in the API document, by which generated clients call it. */
  operationId: string;
  tag: ApiTag;
  summary: string;
  input: RouteInput;
  /** What a good answer holds. */
  answer: string;
  /** Shape of a JSON answer. Anything else, by its media type, the handler writes itself. */
  response: z.ZodType | 'text/event-stream' | 'image/*';
  /** Of a good answer. */
  status: 200 | 201 | 202;
  /** What can go wrong beside wrong input, an unknown thing of the path and a database that is away. */
  problems?: ProblemStatus[];
  /** What the API page says of headers and of a body that somebody else checks. */
  shown?: { headers?: z.ZodObject; body?: z.ZodType; bodyMedia?: 'multipart/form-data' };
  handler: Handler<RouteInput>;
}

/** What the routes are about. */
export const API_TAGS = {
  cases: 'What came in and what was made of it, with everything on the record.',
  runs: 'Runs that are made again, and how two of them differ.',
  alerts: 'Alerts by hand. Systems send theirs to the intake.',
  policies: 'The documents that claims are checked against.',
  runbooks: 'What people do about an alert, as they wrote it down.',
  engagements: 'What verdicts opened: conversations that the platform is engaged in.',
  imports: 'What tools look up: imported by an evidence-collector.',
  pipeline: 'What the services do now, and what is configured.',
  tools: 'Servers of tools, and what of theirs is approved.',
  'dead letters': 'Work that waits for a person.',
} as const;
export type ApiTag = keyof typeof API_TAGS;

type AnswerOf<R> = R extends z.ZodType ? z.infer<R> : unknown;

interface RouteLine<M, P, I extends RouteInput, R> extends Omit<
  Route,
  'method' | 'path' | 'input' | 'response' | 'status' | 'handler'
> {
  method: M;
  path: P;
  input: I;
  response: R;
  status?: Route['status'];
  handler: Handler<I, NoInfer<AnswerOf<R>>>;
}

/** A route that keeps the types of its request and its answer: a client that is typed by the table reads them. */
export type TypedRoute<M, P, I, R> = Route & { method: M; path: P; input: I; response: R };

/** Ties a handler to the schemas of its input and its answer: one that reads or answers anything else does not compile. */
export function route<
  const M extends Route['method'],
  const P extends string,
  const I extends RouteInput,
  const R extends Route['response'],
>(line: RouteLine<M, P, I, R>): TypedRoute<M, P, I, R> {
  return { status: 200, ...line, handler: line.handler as Handler<RouteInput> };
}
