import type { CaseReader, Logger } from '@casefile/contracts';
import { answerProblem } from '@casefile/runtime';
import type { NextFunction, Request, Response } from 'express';

const READING = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Logs each change on the queue board as the event `operator.queue-board` before the change is made. If the
 * event cannot be written, the change is refused.
 */
export function noteBoardActions(record: Pick<CaseReader, 'noteOperatorAction'>, log: Logger) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const { method, path } = request;
    if (READING.includes(method)) return next();
    record.noteOperatorAction('queue-board', { method, path }).then(
      () => next(),
      (error: unknown) => answerProblem(response, error, log),
    );
  };
}
