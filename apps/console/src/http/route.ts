import type { Right, Role, z } from '@casefile/contracts';
import type { ProblemStatus } from '@casefile/runtime';
import type { Request, Response } from 'express';
import type { ConsolePorts } from '../console-ports.js';

/** Schemas of the parts of a request. A part without a schema is not read. */
export interface RouteInput {
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
}

type Part<I extends RouteInput, K extends keyof RouteInput> = I[K] extends z.ZodType
  ? z.infer<I[K]>
  : undefined;

/** A checked request, as passed to a handler. */
export interface HandlerInput<I extends RouteInput> {
  params: Part<I, 'params'>;
  query: Part<I, 'query'>;
  body: Part<I, 'body'>;
}

/** The connection, for a handler that answers with a stream. */
export interface Exchange {
  request: Request;
  response: Response;
  /** Role of the caller; null: a program without a role. */
  role: Role | null;
}

/** Answers a request with JSON. A thrown CasefileError is answered as a problem. */
export type Handler<I extends RouteInput, A = unknown> = (
  ports: ConsolePorts,
  input: HandlerInput<I>,
  exchange: Exchange,
) => Promise<A>;

/** One line of the route table. */
export interface Route {
  method: 'get' | 'post';
  /** Path below `/api/v1`, with parameters as `{name}`, as in OpenAPI. */
  path: string;
  /** Operation name in the API document; generated clients use it as the method name. */
  operationId: string;
  /** Lowest role, or scope, that may use the route. */
  right: Right;
  tag: ApiTag;
  summary: string;
  input: RouteInput;
  /** Description of a successful answer. */
  answer: string;
  /** Shape of a JSON answer. For any other media type the handler writes the answer itself. */
  response: z.ZodType | 'text/event-stream' | 'image/*';
  /** Status of a successful answer. */
  status: 200 | 201 | 202;
  /** Statuses besides those for wrong input, an unknown item in the path and an unavailable database. */
  problems?: ProblemStatus[];
  /** The request reads and is no act, although its method is POST. It is logged as a reading. Default: false. */
  isReading?: boolean;
  /** Headers and body to show on the API page if other code checks them. */
  shown?: { headers?: z.ZodObject; body?: z.ZodType; bodyMedia?: 'multipart/form-data' };
  handler: Handler<RouteInput>;
}

/** Groups of routes in the API document. */
export const API_TAGS = {
  cases: 'Cases: alerts, runs, verdicts and their whole record.',
  quality: 'How many verdicts are right, how fast they are made, and at what cost.',
  reviews: 'The review desk: verdicts that wait for a person, and answers of people.',
  runs: 'Runs that repeat a case, and differences between two runs.',
  prompts: 'Texts that models are asked with: their versions, and which one is in force.',
  flags: 'Switches of experiments, in force for new runs in every service.',
  evolutions: 'Evolutions of prompts on labelled cases.',
  experiments: 'Comparisons of two ways of judging, in shadow or on a share of the cases.',
  alerts: 'Alerts submitted by a person. Systems send alerts to the intake.',
  policies: 'Policies: documents with versions and sections.',
  runbooks: 'Runbooks: instructions for the response to an alert.',
  engagements: 'Engagement sessions: conversations that verdicts opened.',
  imports: 'Knowledge bases of tools, imported by an evidence-collector.',
  pipeline: 'Current state and configuration of the services.',
  destinations: 'Receivers of verdicts in addition to the queue, and the messages that they got.',
  silences: 'Silences and maintenance windows: times without messages about matching alerts.',
  access: 'Access keys, sign-in sessions, and the caller of a request.',
  audit: 'What people did, in a log that shows later changes.',
  erasures: 'Erasure of the content of cases.',
  tools: 'MCP servers and the approval of their tools.',
  sources: 'Data sources: services that cases may ask, each by a file of requests.',
  'dead letters': 'Work that needs an operator.',
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

/** A route that keeps the types of its request and answer, for clients that are typed by the route table. */
export type TypedRoute<M, P, I, R> = Route & { method: M; path: P; input: I; response: R };

/**
 * Ties a handler to the schemas of its input and answer. A handler with another input or answer does not
 * compile.
 */
export function route<
  const M extends Route['method'],
  const P extends string,
  const I extends RouteInput,
  const R extends Route['response'],
>(line: RouteLine<M, P, I, R>): TypedRoute<M, P, I, R> {
  return { status: 200, ...line, handler: line.handler as Handler<RouteInput> };
}
