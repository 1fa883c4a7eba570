import type { CaseReader, Logger } from '@casefile/contracts';
import { actingAs, answerProblem, callerFrom, outageError, type QueueReading } from '@casefile/runtime';
import type { NextFunction, Request, Response } from 'express';
import type { ReadingLog } from './http/reading-log.js';

const READING = ['GET', 'HEAD', 'OPTIONS'];

/** Paths of the board without content: its page and its files. */
const FILES = /^\/(?:(?:static|queue)(?:\/.*)?)?$/i;
/** A job or its log: `/api/queues/QUEUE/JOB`. Other paths are lists. */
const JOB = /^\/api\/queues\/[^/]+\/[^/]+/i;

/**
 * Logs each change on the queue board as the event `operator.queue-board`, and each reading of jobs as
 * `record.read`, because jobs hold alerts. If the event cannot be written, the request is refused.
 */
export function noteBoardUse(
  record: Pick<CaseReader, 'noteOperatorAction'>,
  readings: Pick<ReadingLog, 'noteContent'>,
  log: Logger,
) {
  const note = async (request: Request): Promise<void> => {
    const { method, path, baseUrl } = request;
    const caller = callerFrom(request);
    if (!READING.includes(method))
      return actingAs(caller, () => record.noteOperatorAction('queue-board', { method, path }));
    if (!FILES.test(path))
      await readings.noteContent({ path: baseUrl + path, isItem: JOB.test(path) }, caller);
  };
  return (request: Request, response: Response, next: NextFunction): void => {
    note(request).then(
      () => next(),
      (error: unknown) => answerProblem(response, error, log),
    );
  };
}

/** Refuses the queue board while the queue store does not answer, because its pages would wait for it. */
export function refuseWhileOut(queues: () => Promise<QueueReading>, log: Logger) {
  return (_request: Request, response: Response, next: NextFunction): void => {
    queues().then(
      ({ outage }) => (outage === null ? next() : answerProblem(response, outageError(outage), log)),
      next,
    );
  };
}
