import type { IncomingMessage } from 'node:http';
import { ForbiddenException } from '@nestjs/common';
import type { Logger } from '@casefile/contracts';
import type { NextFunction, Request, Response } from 'express';
import { answerProblem } from './answer-problem.js';

const READING = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Does this request come from our own pages, or from no page at all? A foreign page in the browser of somebody
 * who can reach the console must not act, nor listen over a WebSocket, in their name.
 */
export function isSameOrigin(request: Pick<IncomingMessage, 'headers'>): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}

/** Turns away requests of foreign pages that would change something. */
export function refuseForeignPages(log: Logger) {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (READING.includes(request.method) || isSameOrigin(request)) return next();
    answerProblem(response, new ForbiddenException('requests of other sites are not taken'), log);
  };
}
