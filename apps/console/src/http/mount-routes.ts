import {
  fieldProblems,
  InvalidInput,
  project,
  textProblem,
  type FieldProblem,
  type Logger,
  isObject,
  type Caller,
  z,
  CasefileError,
  readsClass,
  refusedFields,
  refusedClass,
  ROLE_FOR_CLASS,
  type FieldClass,
  type Role,
} from '@casefile/contracts';
import {
  actingAs,
  answerProblem,
  callerFrom,
  outcomeCodes,
  requireRight,
  statedError,
  wrongMethod,
  type CheckedCallers,
  type StateOutage,
} from '@casefile/runtime';
import { Router, type NextFunction, type Request, type Response } from 'express';
import type { ConsolePorts } from '../console-ports.js';
import type { ReadingLog } from './reading-log.js';
import type { HandlerInput, Route, RouteInput } from './route.js';

interface MountParts {
  log: Logger;
  readings: ReadingLog;
  /** States an outage of the database in errors. Default: the error of the request is the answer. */
  outage?: StateOutage;
  /** Callers to forget when a key or session may have changed. Default: none. */
  checked?: Pick<CheckedCallers, 'forgetAll'>;
}

/**
 * Returns the routes of a table as an Express router. Every answer is projected here to what the role of its
 * caller may read, so that no handler has to.
 */
export function mountRoutes(routes: readonly Route[], ports: ConsolePorts, parts: MountParts): Router {
  const router = Router();
  const codes = outcomeCodes(ports.playbooks);
  // Answers show the current record and must not be cached. The image route sets another header.
  router.use((_request, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    next();
  });
  for (const route of routes)
    router[route.method](expressPath(route.path), serve(route, ports, { ...parts, codes }));
  // Express answers OPTIONS automatically, and HEAD in the same way as GET.
  router.use(({ method, path }, _response, next) =>
    next((method === 'OPTIONS' ? null : wrongMethod(router, method, path)) ?? undefined),
  );
  router.use((error: unknown, _request: Request, response: Response, _next: NextFunction) =>
    answerProblem(response, statedError(error, parts.outage), parts.log),
  );
  return router;
}

/** Tag of the routes that create, change or end keys and sessions. */
const ACCESS_TAG = 'access';

// Express 5 passes a rejected promise to the error handler.
function serve(
  route: Route,
  ports: ConsolePorts,
  { readings, checked, codes }: MountParts & { codes: ReadonlySet<string> },
) {
  return async (request: Request, response: Response): Promise<void> => {
    // Checked here as well, for a router that is mounted without the guard.
    const caller = callerFrom(request);
    requireRight(caller, route.right);
    checkReadable(route, request.query, caller.role);
    const input = readInput(route.input, {
      params: request.params,
      query: request.query,
      body: namedBody(route.input.body, request.body, caller),
    });
    await readings.note(route, request, caller);
    const handle = async () => route.handler(ports, input, { request, response, role: caller.role });
    // Reads write nothing in the name of their caller.
    const answer = await (route.method === 'get' ? handle() : actingAs(caller, handle)).finally(() => {
      // After a failed act as well: the database may have done it.
      if (route.method !== 'get' && route.tag === ACCESS_TAG) checked?.forgetAll();
    });
    if (typeof route.response !== 'string')
      response.status(route.status).json(project(route.response, answer, caller.role, codes));
  };
}

// The name of a proven caller replaces the one that the client typed. Clients send the name of a user by
// default, so a typed name that differs is not refused.
function namedBody(schema: z.ZodType | undefined, body: unknown, { name, proof }: Caller): unknown {
  const takesName = schema instanceof z.ZodObject && Object.hasOwn(schema.shape, 'by');
  return proof !== 'none' && takesName && isObject(body ?? {}) ? { ...(body ?? {}), by: name } : body;
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
  const pending: { value: unknown; path: string }[] = [{ value: whole, path: '' }];
  const check = (text: string, path: string): void => {
    const message = textProblem(text);
    if (message !== null) problems.push({ path: printablePath(path), message });
  };
  for (
    let next = pending.pop();
    next !== undefined && problems.length < MOST_PROBLEMS;
    next = pending.pop()
  ) {
    const { value, path } = next;
    if (typeof value === 'string') check(value, path);
    else if (Array.isArray(value))
      value.forEach((entry, i) => pending.push({ value: entry, path: `${path}[${i}]` }));
    else if (typeof value === 'object' && value !== null)
      for (const [key, entry] of Object.entries(value)) {
        const inside = path === '' ? key : `${path}.${key}`;
        check(key, inside);
        pending.push({ value: entry, path: inside });
      }
  }
  return problems;
}

const printablePath = (path: string): string => path.replaceAll('\u0000', '\\0').toWellFormed().slice(0, 500);

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

/** Marks of answers without a schema. Events are projected one by one. */
const CLASS_OF_MEDIA: Record<Extract<Route['response'], string>, FieldClass | null> = {
  'image/*': 'personal',
  'text/event-stream': null,
};

/**
 * Refuses a request before its handler runs if the role may read nothing of the answer, or if a query
 * parameter searches fields that the role may not read: the hits of a search show what the fields hold.
 * @throws CasefileError `forbidden`.
 */
function checkReadable(
  { response, input }: Pick<Route, 'response' | 'input'>,
  query: Readonly<Record<string, unknown>>,
  role: Role | null,
): void {
  const whole = typeof response === 'string' ? CLASS_OF_MEDIA[response] : refusedClass(response, role);
  if (whole !== null && !readsClass(role, whole)) throw forbidden('This answer', whole);
  if (input.query === undefined) return;
  for (const [name, fieldClass] of refusedFields(input.query, role))
    if (query[name] !== undefined && query[name] !== '')
      throw forbidden(`The parameter "${name}"`, fieldClass);
}

function forbidden(what: string, fieldClass: FieldClass): CasefileError {
  const role = ROLE_FOR_CLASS[fieldClass];
  const needed = role === null ? 'is shown to no role' : `needs the role ${role}`;
  return new CasefileError('forbidden', `${what} ${needed}.`);
}
