import type { RunSettings } from '@casefile/contracts';
import type { StepModel } from '@casefile/pipeline';
import { maskedModel } from './masked-model.js';

/** A case whose model is called, and the frozen settings of its run. */
export interface ModelWork {
  caseId: string;
  settings: RunSettings;
}

type AroundModel = (model: StepModel, work: ModelWork) => StepModel;

/** Features that stand around the model of a run, by the frozen setting that switches them on. */
const AROUND_MODEL: Partial<Record<keyof RunSettings, AroundModel>> = { masking: maskedModel };

/** Returns the model with the features that the settings of the run switch on. Nothing else calls a model. */
export function withModelFeatures(model: StepModel, work: ModelWork): StepModel {
  return Object.entries(AROUND_MODEL).reduce(
    (inner, [setting, around]) =>
      work.settings[setting as keyof RunSettings] === undefined ? inner : around(inner, work),
    model,
  );
}
