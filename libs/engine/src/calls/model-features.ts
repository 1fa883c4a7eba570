import type { RunSettings } from '@casefile/contracts';
import type { StepModel } from '@casefile/pipeline';

/** A case whose model is called, and the frozen settings of its run. */
export interface ModelWork {
  caseId: string;
  settings: RunSettings;
}

/** Features that stand around the model of a run, by the frozen setting that switches them on. */
export type ModelFeatures = Partial<
  Record<keyof RunSettings, (model: StepModel, work: ModelWork) => StepModel>
>;

/** Returns the model with the features that the settings of the run switch on. Nothing else calls a model. */
export function withModelFeatures(features: ModelFeatures, model: StepModel, work: ModelWork): StepModel {
  return Object.entries(features).reduce(
    (inner, [setting, around]) =>
      work.settings[setting as keyof RunSettings] === undefined ? inner : around(inner, work),
    model,
  );
}
