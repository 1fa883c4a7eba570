import {
  experimentFlag,
  type ExperimentArm,
  type FlagDecision,
  type Logger,
  type RunningExperiment,
  type RunSettings,
} from '@casefile/contracts';
import type { Playbook } from '@casefile/pipeline';
import { OpenFeature, StandardResolutionReasons, type Client } from '@openfeature/server-sdk';
import { FlagProvider } from './flag-provider.js';
import type { RolloutSource } from './rollout-copy.js';
import { withArm, type ArmWorld } from './with-arm.js';

export interface ArmPorts {
  rollout: RolloutSource;
  /** Names of the providers that the installation can use. */
  providers(): readonly string[];
  log: Logger;
  /** Name under which OpenFeature, which is shared by the whole process, knows this provider. */
  domain: string;
}

type ArmPlaybook = ArmWorld['playbook'] & Pick<Playbook, 'name'>;

/** Puts new runs into the arms of a running A/B experiment. */
export class ArmAssignment {
  private client: Promise<Client> | null = null;

  constructor(private readonly ports: ArmPorts) {}

  /**
   * Returns the settings that a new run is frozen with: those of its arm, and how the arm was chosen. The
   * flag of the experiment is evaluated here and never again for this run. If no A/B experiment of the kind
   * runs, the settings are unchanged.
   * @param fingerprint key of the case. Its repeats get the same arm.
   */
  async assign(settings: RunSettings, playbook: ArmPlaybook, fingerprint: string): Promise<RunSettings> {
    const experiment = this.ports.rollout
      .current()
      .experiments.find(({ mode, playbook: kind }) => mode === 'ab' && kind === playbook.name);
    if (experiment === undefined) return settings;
    const flag = await this.decide(experiment, fingerprint);
    const arm = experiment.arms.find(({ name }) => name === flag.variant);
    // A default after an error, or while the flag is off, is not an arm, so the run is not compared.
    if (flag.reason !== StandardResolutionReasons.SPLIT || arm === undefined) return { ...settings, flag };
    return this.applied(settings, { experiment, arm, flag }, playbook);
  }

  private async decide(experiment: RunningExperiment, fingerprint: string): Promise<FlagDecision> {
    const name = experimentFlag(experiment.id);
    const control = experiment.arms[0]?.name ?? 'control';
    const client = await (this.client ??= this.connect());
    // Hooks and their logs get this context, so it contains only the fingerprint, which is an HMAC.
    const details = await client.getStringDetails(name, control, { targetingKey: fingerprint });
    const { value, reason = StandardResolutionReasons.UNKNOWN, flagMetadata } = details;
    const number = (entry: unknown) => (typeof entry === 'number' ? entry : null);
    const [version, bucket] = [number(flagMetadata['version']), number(flagMetadata['bucket'])];
    return { flag: name, variant: value, reason, version, bucket };
  }

  private async connect(): Promise<Client> {
    const { domain, rollout } = this.ports;
    await OpenFeature.setProviderAndWait(domain, new FlagProvider(rollout));
    return OpenFeature.getClient(domain);
  }

  // An arm that this process cannot apply, such as one with an unknown strategy, must not stop the intake.
  private applied(
    settings: RunSettings,
    {
      experiment: { id },
      arm,
      flag,
    }: { experiment: RunningExperiment; arm: ExperimentArm; flag: FlagDecision },
    playbook: ArmPlaybook,
  ): RunSettings {
    const { providers, rollout, log } = this.ports;
    try {
      const { prompts, recalibrations } = rollout.current();
      const own = withArm(settings, arm, { playbook, prompts, recalibrations, providers: providers() });
      return { ...own, flag, experiment: { id, arm: arm.name } };
    } catch (error) {
      log.warn({ error, experiment: id, arm: arm.name }, 'an arm cannot be applied: the run has no arm');
      return { ...settings, flag: { ...flag, reason: StandardResolutionReasons.ERROR } };
    }
  }
}
