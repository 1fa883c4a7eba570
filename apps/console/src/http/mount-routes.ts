import {
  fieldProblems,
  InvalidInput,
  textProblem,
  type FieldProblem,
  type Logger,
  type z,
} from '@casefile/contracts';
import { answerProblem, wrongMethod } from '@casefile/runtime';
import { Router, type NextFunction, type Request, type Response } from 'express';
import type { ConsolePorts } from '../console-ports.js';
import type { HandlerInput, Route, RouteInput } from './route.js';

/** Returns the routes of a table as an Express router. */
export function mountRoutes(routes: readonly Route[], ports: ConsolePorts, log: Logger): Router {
  const router = Router();
  // Answers show the current record and must not be cached. The image route sets another header.
  router.use((_request, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    next();
  });
  for (const route of routes) router[route.method](expressPath(route.path), serve(route, ports));
  // Express answers OPTIONS automatically, and HEAD in the same way as GET.
  router.use(({ method, path }, _response, next) =>
    next((method === 'OPTIONS' ? null : wrongMethod(router, method, path)) ?? undefined),
  );
  router.use((error: unknown, _request: Request, response: Response, _next: NextFunction) =>
    answerProblem(response, error, log),
  );
  return router;
}

// Express 5 passes a rejected promise to the error handler.
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

/** Unchecked parts of a request. */
interface RawRequest {
  params: unknown;
  query: unknown;
  body: unknown;
}

/** Maximum number of text problems listed in an answer. */
const MOST_PROBLEMS = 20;

/**
 * Checks the parts of a request that a route declares. An empty query parameter counts as absent. No text of
 * a request may contain a NUL or half a surrogate pair: Postgres cannot store them.
 * @throws InvalidInput that names every wrong field.
 */
function readInput(input: RouteInput, raw: RawRequest): HandlerInput<RouteInput> {
  const problems: FieldProblem[] = [];
  const params = part(input.params, raw.params, problems);
  const query = part(input.query, filledQuery(raw.query), problems);
  const body = part(input.body, raw.body, problems);
  if (problems.length > 0) throw new InvalidInput(problems, 'request');
  return { params, query, body } as HandlerInput<RouteInput>;
}

function part(schema: z.ZodType | undefined, value: unknown, problems: FieldProblem[]): unknown {
  if (schema === undefined) return undefined;
  const unstorable = textProblems(value);
  const parsed = schema.safeParse(value ?? {});
  if (parsed.success && unstorable.length === 0) return parsed.data;
  problems.push(...unstorable);
  if (!parsed.success)
    problems.push(...unknownKeys(parsed.error), ...fieldProblems(withoutUnknownKeys(parsed.error)));
  return undefined;
}

// Uses an explicit list instead of recursion: a body may be nested as deep as its bytes allow.
function textProblems(whole: unknown): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const left: { value: unknown; path: string }[] = [{ value: whole, path: '' }];
  const check = (text: string, path: string): void => {
    const message = textProblem(text);
    if (message !== null) problems.push({ path: shown(path), message });
  };
  for (let next = left.pop(); next !== undefined && problems.length < MOST_PROBLEMS; next = left.pop()) {
    const { value, path } = next;
    if (typeof value === 'string') check(value, path);
    else if (Array.isArray(value))
      value.forEach((entry, i) => left.push({ value: entry, path: `${path}[${i}]` }));
    else if (typeof value === 'object' && value !== null)
      for (const [key, entry] of Object.entries(value)) {
        const inside = path === '' ? key : `${path}.${key}`;
        check(key, inside);
        left.push({ value: entry, path: inside });
      }
  }
  return problems;
}

const shown = (path: string): string => path.replaceAll('\u0000', '\\0').toWellFormed().slice(0, 500);

function filledQuery(query: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query ?? {}).filter(([, value]) => value !== ''));
}

// An unknown key is reported at the path of this key, not at the path of its parent.
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
