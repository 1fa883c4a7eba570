import type { Response } from 'express';
import type { Logger } from '@casefile/contracts';
import { problemOf } from '@casefile/runtime';

/** Answers anything thrown as `application/problem+json` (RFC 9457). */
export function answerProblem(response: Response, thrown: unknown, log: Logger): void {
  const { problem, headers } = problemOf(thrown);
  if (problem.status >= 500) log.error({ error: thrown, status: problem.status }, 'a request failed');
  if (response.headersSent) return void response.end();
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.status(problem.status).type('application/problem+json').send(JSON.stringify(problem));
}
