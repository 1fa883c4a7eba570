import type { ShownRun } from '@casefile/contracts';
import { judgingProgress } from './judging-progress.js';

const progress = (...artifacts: string[]) =>
  judgingProgress({ artifacts: artifacts.map((artifact) => ({ artifact })) } as unknown as ShownRun);

describe('progress of a submitted case', () => {
  it('S2-32 counts the stages that are done, each once, and names the next one', () => {
    expect(progress()).toEqual({ done: 0, total: 6, next: 'Triage' });
    expect(progress('brief', 'evidence')).toEqual({ done: 2, total: 6, next: 'Reason' });
    expect(progress('brief', 'evidence', 'draft', 'evidence', 'draft')).toMatchObject({
      done: 3,
      next: 'Critique',
    });
  });

  it('S2-32 names no stage when all are done', () => {
    expect(progress('brief', 'evidence', 'draft', 'review', 'report', 'verdict').next).toBe(null);
  });
});
