import type { ChosenOption, ClaimedWork } from '@casefile/contracts';
import type { StepSignals } from '@casefile/pipeline';
import type { Recording } from '../rerun/recording.js';

/**
 * What people chose of what a stage asked. A run that reads the record of another one takes what was chosen there, and
 * nobody is asked in a lane where nobody waits: both go on with the fallback.
 */
export function stageSignals(
  { lease, lane, signals, waitOver }: Pick<ClaimedWork, 'lease' | 'lane' | 'signals' | 'waitOver'>,
  recording: Recording | null,
): StepSignals {
  return {
    chosen: (step, { fallback }) => {
      const asked = (recording === null ? signals : recording.signalsAt(lease)).find(
        (one) => one.step === step,
      );
      const unasked: ChosenOption = { value: fallback, by: null, at: null };
      if (asked !== undefined && asked.value !== null)
        return { value: asked.value, by: asked.by, at: asked.givenAt };
      if (recording !== null || lane !== 'live') return { ...unasked, at: asked?.until ?? null };
      return waitOver ? { ...unasked, at: asked?.until ?? null } : null;
    },
  };
}
