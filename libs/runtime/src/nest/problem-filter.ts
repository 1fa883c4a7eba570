import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { CasefileError, InvalidInput, type Logger, type ProblemBody } from '@casefile/contracts';
import type { Response } from 'express';

/** An error for HTTP as RFC 9457 has it, with the fields that are wrong where there are any. */
export type Problem = ProblemBody;

const STATUS_OF: Record<string, number> = {
  invalid_input: 400,
  not_found: 404,
  unknown_case: 404,
  too_large: 413,
  idempotency_key_reused: 422,
  overloaded: 503,
  store_unreachable: 503,
};

const TITLE_OF: Record<number, string> = {
  400: 'The request is not valid',
  404: 'Not found',
  413: 'Too large',
  415: 'Media type not taken',
  422: 'Cannot be done with this request',
  503: 'Not now',
};

/** The problem document of anything thrown; what nobody foresaw tells nothing of the inside. */
export function problemOf(thrown: unknown): { problem: Problem; retryAfterSeconds: number | null } {
  if (thrown instanceof InvalidInput) {
    return {
      problem: problem(400, 'invalid_input', thrown.message, thrown.problems),
      retryAfterSeconds: null,
    };
  }
  if (thrown instanceof CasefileError && STATUS_OF[thrown.reasonCode] !== undefined) {
    const status = STATUS_OF[thrown.reasonCode] ?? 500;
    const wait = status === 503 ? Math.ceil((thrown.retryAfterMs ?? 5_000) / 1000) : null;
    return { problem: problem(status, thrown.reasonCode, thrown.message), retryAfterSeconds: wait };
  }
  return { problem: foreignProblem(thrown), retryAfterSeconds: null };
}

// Errors of the body parser and of Nest carry a status; their text is about the request alone.
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
    return problem(413, 'too_large', 'The body is larger than this service takes.');
  if (typeof status === 'number' && status >= 400 && status < 500) {
    const detail = thrown instanceof Error ? thrown.message : 'The body cannot be read.';
    return problem(status, 'invalid_input', detail, [{ path: '', message: detail }]);
  }
  return problem(500, 'unexpected', 'Something went wrong here; it is in the log.');
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

/** Answers every error as `application/problem+json`. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly log: Logger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    if (host.getType() !== 'http') throw thrown;
    const { problem: body, retryAfterSeconds } = problemOf(thrown);
    if (body.status >= 500) this.log.error({ error: thrown, status: body.status }, 'a request failed');
    const response = host.switchToHttp().getResponse<Response>();
    if (response.headersSent) return void response.end();
    if (retryAfterSeconds !== null) response.setHeader('Retry-After', String(retryAfterSeconds));
    response.status(body.status).type('application/problem+json').send(JSON.stringify(body));
  }
}
