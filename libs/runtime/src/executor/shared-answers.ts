import { CasefileError, type ArtifactOf, type ClaimedWork } from '@casefile/contracts';
import type { SharedAnswers } from '@casefile/pipeline';
import type { ExecutorPorts } from './executor-ports.js';
import type { Recording } from '../rerun/recording.js';

/**
 * Answers that live runs take over from one another. A replay takes over what the run took that it reads; whatever else is
 * judged again makes an answer of its own.
 */
export function sharedAnswers(
  { answers, recordings }: Pick<ExecutorPorts, 'answers' | 'recordings'>,
  { lease, lane, settings }: Pick<ClaimedWork, 'lease' | 'lane' | 'settings'>,
  recording: Recording | null,
): SharedAnswers {
  return {
    take: async (key, forMs) => {
      if (recording !== null) {
        const reused =
          settings.recorded?.misses === 'stop' ? recording.artifact('evidence')?.reused : undefined;
        return reused === undefined ? { kind: 'make' } : { kind: 'reuse', of: reused };
      }
      if (answers === undefined || lane !== 'live') return { kind: 'make' };
      return answers.take({ key, runId: lease.runId, forMs });
    },
    artifact: async (runId, name) => {
      const found = (await recordings?.of(runId))?.run.artifacts.findLast(
        ({ artifact, unit }) => artifact === name && unit === '',
      );
      if (found === undefined)
        throw new CasefileError('evidence_miss', `the run ${runId} has no ${name} that could be taken over`);
      return found.body as unknown as ArtifactOf<typeof name>;
    },
  };
}
