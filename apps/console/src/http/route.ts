import type { z } from '@casefile/contracts';
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
export type Handler<I extends RouteInput> = (
  ports: ConsolePorts,
  input: HandlerInput<I>,
  exchange: Exchange,
) => Promise<unknown>;

/** One line of the route table. */
export interface Route {
  method: 'get' | 'post';
  /** Below `/api/v1`; parameters as `{name}`, as OpenAPI writes them. */
  path: string;
  summary: string;
  input: RouteInput;
  /** What a good answer holds. */
  answer: string;
  /** Anything but JSON the handler writes itself. */
  answers: 'json' | 'event-stream' | 'image';
  /** Of a good answer. */
  status: 200 | 202;
  /** What the API page says of a body that somebody else checks. */
  bodyShown?: z.ZodType;
  handler: Handler<RouteInput>;
}

interface RouteLine<I extends RouteInput> extends Omit<Route, 'input' | 'answers' | 'status' | 'handler'> {
  input: I;
  answers?: Route['answers'];
  status?: Route['status'];
  handler: Handler<I>;
}

/** Ties a handler to the schemas of its input, so that one that reads anything else does not compile. */
export function route<const I extends RouteInput>(line: RouteLine<I>): Route {
  return { answers: 'json', status: 200, ...line, handler: line.handler as Handler<RouteInput> };
}
