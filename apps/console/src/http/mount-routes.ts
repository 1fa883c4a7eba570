import { Router, type NextFunction, type Request, type Response } from 'express';
import { type Logger, fieldProblems, InvalidInput, type FieldProblem, type z } from '@casefile/contracts';
import { answerProblem, wrongMethod } from '@casefile/runtime';
import type { ConsolePorts } from '../console-ports.js';
import type { Route, HandlerInput, RouteInput } from './route.js';

/** The routes of a table as an Express router. */
export function mountRoutes(routes: readonly Route[], ports: ConsolePorts, log: Logger): Router {
  const router = Router();
  // What is on the record is for who asked now; an image says otherwise for itself.
  router.use((_request, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    next();
  });
  for (const route of routes) router[route.method](expressPath(route.path), serve(route, ports));
  // Express answers OPTIONS by itself, and HEAD as it answers GET.
  router.use(({ method, path }, _response, next) =>
    next((method === 'OPTIONS' ? null : wrongMethod(router, method, path)) ?? undefined),
  );
  router.use((error: unknown, _request: Request, response: Response, _next: NextFunction) =>
    answerProblem(response, error, log),
  );
  return router;
}

// Express 5 hands a rejected promise on to the error handler.
function serve(route: Route, ports: ConsolePorts) {
  return async (request: Request, response: Response): Promise<void> => {
    const input = readInput(route.input, {
      params: request.params,
      query: request.query,
      body: request.body as unknown,
    });
    const answer = await route.handler(ports, input, { request, response });
    if (typeof route.response !== 'string') response.status(route.status).json(answer);
  };
}

function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

interface RawRequest {
  params: unknown;
  query: unknown;
  body: unknown;
}

/**
 * Checks the parts of a request that a route declares. An empty query parameter counts as not given.
 * @throws InvalidInput that names every wrong field.
 */
function readInput(input: RouteInput, raw: RawRequest): HandlerInput<RouteInput> {
  const problems: FieldProblem[] = [];
  const params = part(input.params, raw.params, problems);
  const query = part(input.query, filled(raw.query), problems);
  const body = part(input.body, raw.body, problems);
  if (problems.length > 0) throw new InvalidInput(problems, 'request');
  return { params, query, body } as HandlerInput<RouteInput>;
}

function part(schema: z.ZodType | undefined, value: unknown, problems: FieldProblem[]): unknown {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  problems.push(...unknownKeys(parsed.error), ...fieldProblems(withoutUnknownKeys(parsed.error)));
  return undefined;
}

function filled(query: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query ?? {}).filter(([, value]) => value !== ''));
}

// A key nobody knows is a problem of that key, not of the whole.
function unknownKeys(error: z.ZodError): FieldProblem[] {
  return error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((path) => ({ path, message: 'is not known here' }))
      : [],
  );
}

function withoutUnknownKeys(error: z.ZodError): z.ZodError {
  return {
    ...error,
    issues: error.issues.filter((issue) => issue.code !== 'unrecognized_keys'),
  } as z.ZodError;
}
