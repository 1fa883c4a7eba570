import {
  Catch,
  HttpException,
  NotFoundException,
  ServiceUnavailableException,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import {
  asCasefileError,
  CasefileError,
  InvalidInput,
  type Logger,
  type ProblemBody,
} from '@casefile/contracts';
import type { Request, Response } from 'express';
import { BadSignature } from '../intake/format.js';

/** An error for HTTP by RFC 9457, with the wrong fields if there are any. */
export type Problem = ProblemBody;

const STATUS_OF: Record<string, number> = {
  invalid_input: 400,
  bad_signature: 401,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  foreign_page: 403,
  method_not_allowed: 405,
  unknown_case: 404,
  conflict: 409,
  not_configured: 409,
  contradicts_record: 409,
  needs_an_answer: 409,
  too_large: 413,
  media_type: 415,
  unknown_host: 421,
  idempotency_key_reused: 422,
  too_many: 429,
  budget_exhausted: 429,
  cookies_too_large: 431,
  overloaded: 503,
  not_ready: 503,
  store_unreachable: 503,
  queue_unavailable: 503,
  queue_unusable: 503,
  unreachable: 503,
};

const TITLE_OF: Record<number, string> = {
  400: 'The request is not valid',
  401: 'Not authenticated',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict with the current state',
  413: 'Too large',
  415: 'Unsupported media type',
  421: 'Unknown host name',
  422: 'Unprocessable request',
  429: 'Too many requests',
  431: 'Cookies too large',
  503: 'Temporarily unavailable',
};

/** Error of a known path without a handler for the method. RFC 9110, 15.5.6. */
export class MethodNotAllowed extends CasefileError {
  constructor(
    method: string,
    /** Methods of the path, in capitals. */
    readonly allowed: readonly string[],
  ) {
    super('method_not_allowed', `this path does not take ${method}; it takes ${allowed.join(', ')}`);
  }
}

/** Returns the problem document of any error, with its headers. An unexpected error reveals no internals. */
export function problemOf(thrown: unknown): { problem: Problem; headers: Record<string, string> } {
  if (thrown instanceof InvalidInput)
    return { problem: problem(400, 'invalid_input', thrown.message, thrown.problems), headers: {} };
  const status = thrown instanceof CasefileError ? STATUS_OF[thrown.reasonCode] : undefined;
  if (thrown instanceof CasefileError && status !== undefined)
    return {
      problem: problem(status, thrown.reasonCode, thrown.message),
      headers: headersOf(thrown, status),
    };
  return { problem: foreignProblem(thrown), headers: {} };
}

function headersOf(error: CasefileError, status: number): Record<string, string> {
  if (error instanceof MethodNotAllowed) return { Allow: error.allowed.join(', ') };
  if (error.reasonCode === 'unauthenticated') return { 'WWW-Authenticate': 'Bearer realm="casefile"' };
  if (error instanceof BadSignature)
    return error.challenge === undefined ? {} : { 'WWW-Authenticate': error.challenge };
  const waitMs = error.retryAfterMs ?? (status === 503 ? 5_000 : null);
  return waitMs === null || ![429, 503].includes(status)
    ? {}
    : { 'Retry-After': String(Math.ceil(waitMs / 1000)) };
}

// Errors of the body parser and of Nest have a status. Their text describes only the request, so it can be
// shown.
function foreignProblem(thrown: unknown): Problem {
  if (thrown instanceof HttpException) {
    const whole = thrown.getStatus() === 400 ? [{ path: '', message: thrown.message }] : undefined;
    return problem(
      thrown.getStatus(),
      whole === undefined ? 'http_error' : 'invalid_input',
      thrown.message,
      whole,
    );
  }
  const { status, type } = (thrown ?? {}) as { status?: unknown; type?: unknown };
  if (type === 'entity.too.large')
    return problem(413, 'too_large', 'The body exceeds the size limit of this service.');
  if (typeof status === 'number' && status >= 400 && status < 500) {
    const detail = thrown instanceof Error ? thrown.message : 'The body cannot be read.';
    return problem(status, 'invalid_input', detail, [{ path: '', message: detail }]);
  }
  return problem(500, 'unexpected', 'Internal error; see the log.');
}

function problem(status: number, reasonCode: string, detail: string, errors?: Problem['errors']): Problem {
  const title = TITLE_OF[status] ?? 'Error';
  return {
    type: `urn:casefile:problem:${reasonCode}`,
    title,
    status,
    detail,
    reasonCode,
    ...(errors ? { errors } : {}),
  };
}

/** Answer of a probe that is not healthy. It does not count as a failed request. */
export class NotHealthy extends ServiceUnavailableException {}

/** Answers every error as `application/problem+json`. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly log: Logger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    if (host.getType() !== 'http') throw thrown;
    answerProblem(host.switchToHttp().getResponse<Response>(), foreseen(thrown, host), this.log);
  }
}

/** Answers anything thrown as `application/problem+json` (RFC 9457), with its headers. */
export function answerProblem(response: Response, thrown: unknown, log: Logger): void {
  const { problem: body, headers } = problemOf(thrown);
  if (body.status >= 500 && !(thrown instanceof NotHealthy)) {
    // When a service stops, long connections are cut before the store is closed, and their handlers get
    // expected errors. Other errors are logged even if the client has disconnected.
    const isExpected = response.destroyed && asCasefileError(thrown).reasonCode !== 'unexpected';
    log[isExpected ? 'debug' : 'error']({ error: thrown, status: body.status }, 'a request failed');
  }
  if (response.headersSent) return void response.end();
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.status(body.status).type('application/problem+json').send(JSON.stringify(body));
}

/** Data of Express's router (2.x) about a route. Its types omit `match`. */
interface RouteLayer {
  match(path: string): boolean;
  route?: { stack: { method: string }[] };
}

/**
 * Returns the error of a method that no route handled, if the router has the path with another method; null:
 * it does not.
 */
export function wrongMethod(
  router: { stack: unknown },
  method: string,
  path: string,
): MethodNotAllowed | null {
  const layers = router.stack as RouteLayer[];
  const there = layers.flatMap((layer) => (layer.route && layer.match(path) ? layer.route.stack : []));
  const allowed = [...new Set(there.map((one) => one.method.toUpperCase()))];
  if (allowed.length === 0 || allowed.includes(method)) return null;
  return new MethodNotAllowed(method, allowed);
}

// Nest answers 404 for a path that has no handler of this method.
function foreseen(thrown: unknown, host: ArgumentsHost): unknown {
  if (!(thrown instanceof NotFoundException)) return thrown;
  const { app, method, path } = host.switchToHttp().getRequest<Request>();
  return wrongMethod(app.router, method, path) ?? thrown;
}
