import type { RunSettings, Verdict } from '@casefile/contracts';
import { recalibrateVerdict, withActingLimit } from './quality/recalibration.js';

type OnVerdict = (verdict: Verdict, settings: RunSettings, language: string | null) => Verdict;

/** Features that change or mark a verdict, by the frozen setting that switches them on, in this order. */
const ON_VERDICT: readonly (readonly [setting: keyof RunSettings, change: OnVerdict])[] = [
  ['experiment', (verdict, { experiment }) => ({ ...verdict, ...(experiment && { experiment }) })],
  ['recalibrations', recalibrateVerdict],
  ['actFrom', withActingLimit],
];

/**
 * Returns the verdict of a run with the features that its settings switch on.
 * @param language of the message. null: the brief names none.
 */
export function withVerdictFeatures(
  verdict: Verdict,
  settings: RunSettings,
  language: string | null,
): Verdict {
  return ON_VERDICT.reduce(
    (before, [setting, change]) =>
      settings[setting] === undefined ? before : change(before, settings, language),
    verdict,
  );
}
