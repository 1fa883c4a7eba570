import { CasefileError, silentLogger, type Logger } from '@casefile/contracts';
import type { Response } from 'express';
import { answerProblem } from './problem-filter.js';

/** Returns the lines logged at level error when a request fails with this error. */
function reported(thrown: unknown, { clientHasLeft }: { clientHasLeft: boolean }): string[] {
  const messages: string[] = [];
  const log: Logger = { ...silentLogger, error: (_fields, message) => void messages.push(message ?? '') };
  const response = { destroyed: clientHasLeft, headersSent: true, end: () => undefined };
  answerProblem(response as unknown as Response, thrown, log);
  return messages;
}

describe('answerProblem', () => {
  const outage = new CasefileError('store_unreachable', 'the database does not answer', { retryable: true });

  it('reports an outage that a client meets, and not one that meets a request whose connection was cut', () => {
    expect(reported(outage, { clientHasLeft: false })).toEqual(['a request failed']);
    expect(reported(outage, { clientHasLeft: true })).toEqual([]);
  });

  it('reports a defect even if the client has left', () => {
    expect(reported(new TypeError('x is not a function'), { clientHasLeft: true })).toEqual([
      'a request failed',
    ]);
  });
});
