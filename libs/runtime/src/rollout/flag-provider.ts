import {
  FlagNotFoundError,
  StandardResolutionReasons,
  TargetingKeyMissingError,
  TypeMismatchError,
  type EvaluationContext,
  type Provider,
  type ResolutionDetails,
} from '@openfeature/server-sdk';
import { experimentFlag, type FlagState, type RunningExperiment } from '@casefile/contracts';
import { assignBucket, inShare } from './assign.js';
import type { RolloutSource, RolloutView } from './rollout-copy.js';

/** Variants of the flag of an experiment: whether its new arm takes cases. */
export const FLAG_ON = 'on';
export const FLAG_OFF = 'off';

/**
 * Makes the flags on the record available through OpenFeature, from this process's copy. It makes no query,
 * so it answers immediately. The flag of a running A/B experiment evaluates to the name of an arm, chosen by
 * the targeting key, which is the fingerprint of a case. Any other flag evaluates to its variant. A stale
 * copy returns the default.
 */
export class FlagProvider implements Provider {
  readonly metadata = { name: 'casefile' } as const;
  readonly runsOn = 'server' as const;

  constructor(private readonly rollout: RolloutSource) {}

  async resolveStringEvaluation(
    key: string,
    defaultValue: string,
    context: EvaluationContext,
  ): Promise<ResolutionDetails<string>> {
    const view = this.rollout.current();
    if (view.stale) return { value: defaultValue, reason: StandardResolutionReasons.STALE };
    const flag = flagNamed(key, view);
    const flagMetadata = { version: flag.version };
    const experiment = view.experiments.find(({ id, mode }) => mode === 'ab' && experimentFlag(id) === key);
    if (experiment === undefined) {
      const { variant } = flag;
      return { value: variant, variant, reason: StandardResolutionReasons.STATIC, flagMetadata };
    }
    if (flag.variant !== FLAG_ON) {
      const variant = flag.variant;
      return { value: defaultValue, variant, reason: StandardResolutionReasons.DISABLED, flagMetadata };
    }
    if (context.targetingKey === undefined)
      throw new TargetingKeyMissingError(`${key} splits cases by fingerprint`);
    const { arm, bucket } = armFor(experiment, context.targetingKey);
    const reason = StandardResolutionReasons.SPLIT;
    return { value: arm, variant: arm, reason, flagMetadata: { ...flagMetadata, bucket } };
  }

  async resolveBooleanEvaluation(key: string, defaultValue: boolean): Promise<ResolutionDetails<boolean>> {
    const view = this.rollout.current();
    if (view.stale) return { value: defaultValue, reason: StandardResolutionReasons.STALE };
    const { variant, version } = flagNamed(key, view);
    if (variant !== FLAG_ON && variant !== FLAG_OFF)
      throw new TypeMismatchError(`${key} is "${variant}", not on or off`);
    const reason = StandardResolutionReasons.STATIC;
    return { value: variant === FLAG_ON, variant, reason, flagMetadata: { version } };
  }

  async resolveNumberEvaluation(key: string): Promise<never> {
    throw new TypeMismatchError(`${key} has a variant, not a number`);
  }

  async resolveObjectEvaluation(key: string): Promise<never> {
    throw new TypeMismatchError(`${key} has a variant, not an object`);
  }
}

function flagNamed(key: string, { flags }: RolloutView): FlagState {
  const flag = flags.find(({ name }) => name === key);
  if (flag === undefined) throw new FlagNotFoundError(`no flag has the name ${key}`);
  return flag;
}

/** Returns the arm of a case: the second arm within the share of the experiment, otherwise the control. */
function armFor(
  { id, salt, share, arms: [control, changed] }: RunningExperiment,
  fingerprint: string,
): { arm: string; bucket: number } {
  const bucket = assignBucket(id, salt, fingerprint);
  const arm = inShare(bucket, share) ? changed : control;
  if (arm === undefined) throw new Error(`the experiment ${id} has fewer than two arms`);
  return { arm: arm.name, bucket };
}
