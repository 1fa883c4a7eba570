import {
  degradedCauseOf,
  experimentFlag,
  type ArmOutcome,
  type EndedArmRun,
  type EventOrder,
  type Flags,
  type Logger,
  type RunningExperiment,
  type StepBack,
  type Telemetry,
} from '@casefile/contracts';
import { METRICS } from '@casefile/telemetry';
import type { RolloutSource } from './rollout-copy.js';
import { FLAG_ON } from './flag-provider.js';

/** Maximum number of events read in one statement. */
const PAGE = 2_000;

export interface ArmWatchPorts {
  flags: Pick<Flags, 'startOf' | 'endedRuns' | 'count'>;
  rollout: RolloutSource;
  log: Logger;
  telemetry: Pick<Telemetry, 'count'>;
}

/**
 * Counts the ended runs of each running A/B experiment in the order in which they ended. If an arm fails, its
 * experiment steps back. One process at a time does this. Without a running experiment it sends no query.
 */
export class ArmWatch {
  /** Last event read per experiment id. The next pass continues after it. */
  private readonly places = new Map<string, EventOrder>();

  constructor(private readonly ports: ArmWatchPorts) {}

  /**
   * Counts the runs that ended since the last pass. @throws if the store does not answer; the next pass tries
   * again.
   */
  async tick(signal: AbortSignal): Promise<void> {
    const { experiments, flags } = this.ports.rollout.current();
    const isOn = ({ id, mode }: RunningExperiment) =>
      mode === 'ab' && flags.some(({ name, variant }) => name === experimentFlag(id) && variant === FLAG_ON);
    const watched = experiments.filter(isOn);
    for (const id of this.places.keys()) if (!watched.some((one) => one.id === id)) this.places.delete(id);
    for (const experiment of watched) await this.read(experiment, signal);
  }

  private async read({ id, name }: RunningExperiment, signal: AbortSignal): Promise<void> {
    const { flags } = this.ports;
    let place = this.places.get(id) ?? (await flags.startOf(id));
    while (place !== null && !signal.aborted) {
      const page = await flags.endedRuns(id, place, PAGE);
      if (page === null) break;
      const outcomes = page.runs.map(outcomeOfRun);
      const stepBack = outcomes.length === 0 ? null : await flags.count(id, outcomes, isOutage);
      // Set only after the count succeeded. If the count fails, the next pass reads the same events again.
      // `count` ignores runs that it has already counted.
      this.places.set(id, (place = page.place));
      this.report(id, outcomes);
      if (stepBack !== null) return this.reportStepBack(name, stepBack);
    }
  }

  private report(experiment: string, outcomes: readonly (ArmOutcome & { arm: string })[]): void {
    for (const { arm, fault } of outcomes)
      this.ports.telemetry.count(METRICS.armCases, { experiment, arm, fault: String(fault !== null) });
  }

  private reportStepBack(name: string, { health, ...stepBack }: StepBack): void {
    const { cusum: score, consecutive, cases } = health;
    const { experimentId: experiment, arm, cause } = stepBack;
    this.ports.log.error(
      { ...stepBack, name, score, consecutive, cases },
      'an arm failed: its experiment stepped back, and new runs use the normal settings',
    );
    this.ports.telemetry.count(METRICS.stepBacks, { experiment, arm, cause });
  }
}

/** Faults that have no reason code: another model answered, or the run was quarantined. */
const OTHER_MODEL = 'other_model';
const QUARANTINED = 'quarantined';

function outcomeOfRun(run: EndedArmRun): ArmOutcome & { arm: string } {
  const { runId, arm, event, at } = run;
  return { runId, arm, event, at, fault: faultOfRun(run) };
}

/**
 * Returns why a run counts as failed for its arm: it was quarantined, or rules or another model answered
 * instead of the model of the arm; null: it did not fail.
 */
function faultOfRun({ isQuarantined, isOtherModel, fallback }: EndedArmRun): string | null {
  if (isQuarantined) return QUARANTINED;
  if (fallback !== null && degradedCauseOf(fallback) !== null) return fallback;
  return isOtherModel ? OTHER_MODEL : null;
}

/**
 * Returns whether a provider or a budget caused the fault. Such a fault is not caused by the prompts and
 * options of an arm, so it is judged separately from other faults.
 */
function isOutage(fault: string): boolean {
  if (fault === OTHER_MODEL) return true;
  const cause = fault === QUARANTINED ? null : degradedCauseOf(fault);
  return cause === 'model_out' || cause === 'timeout' || cause === 'budget';
}
