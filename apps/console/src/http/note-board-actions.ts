import type { CaseReader, Logger } from '@casefile/contracts';
import type { NextFunction, Request, Response } from 'express';
import { answerProblem } from '@casefile/runtime';

const READING = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Tells in the event log what somebody is about to change on the queue board (`operator.queue-board`). What cannot be
 * told is not done.
 */
export function noteBoardActions(store: Pick<CaseReader, 'noteOperatorAction'>, log: Logger) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const { method, path } = request;
    if (READING.includes(method)) return next();
    store.noteOperatorAction('queue-board', { method, path }).then(
      () => next(),
      (error: unknown) => answerProblem(response, error, log),
    );
  };
}
