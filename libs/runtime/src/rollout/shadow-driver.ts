import {
  asCasefileError,
  isWorkerError,
  type Batches,
  type ExperimentArm,
  type Logger,
  type RunBase,
  type RunningExperiment,
  type Runs,
  type ShadowProgress,
  type ShadowRuns,
} from '@casefile/contracts';
import { playbookNamed, type Playbook } from '@casefile/pipeline';
import type { Nudger } from '@casefile/engine';
import { assignBucket, inShare } from './assign.js';
import type { RolloutSource } from './rollout-copy.js';
import { shadowRunId } from './shadow-run-id.js';
import { withArm } from './with-arm.js';

/** Events read in one statement. */
const PAGE = 500;
/** Assumed minimum number of events per run, so that a page has no more verdicts than runs may be opened. */
const EVENTS_PER_RUN = 4;
/** Shadow runs of one experiment that are open at the same time. */
const MOST_OPEN = 50;
/** Runs that may be opened before the cost of one is known. */
const FIRST_OPEN = 5;
/**
 * Share of the cases that are judged again with the control arm, to measure how much verdicts vary without a
 * change.
 */
const AGAIN_SHARE = 0.1;

export interface ShadowDriverPorts {
  shadows: ShadowRuns;
  batches: Pick<Batches, 'runBase'>;
  runs: Pick<Runs, 'open'>;
  rollout: RolloutSource;
  playbooks: readonly Playbook[];
  /** Names of the providers that the installation can use. */
  providers(): readonly string[];
  firstStage: string;
  nudger: Pick<Nudger, 'nudge'>;
  log: Logger;
}

/**
 * Opens shadow runs of running experiments after live verdicts. One process at a time does this. All progress
 * is on the record. Without a running experiment it makes no query.
 */
export class ShadowDriver {
  constructor(private readonly ports: ShadowDriverPorts) {}

  /** Opens runs for verdicts since the last pass. A failure is logged, and the next pass tries again. */
  async tick(signal: AbortSignal): Promise<void> {
    const { rollout, log } = this.ports;
    for (const experiment of rollout.current().experiments) {
      if (experiment.mode !== 'shadow' || signal.aborted) continue;
      await this.drive(experiment, signal).catch((error: unknown) =>
        log.warn(
          { error, experiment: experiment.id },
          'shadow runs were not opened; the next pass continues',
        ),
      );
    }
  }

  private async drive(experiment: RunningExperiment, signal: AbortSignal): Promise<void> {
    const { shadows, log } = this.ports;
    const { id } = experiment;
    const progress = await shadows.progress(id);
    let place = progress?.place ?? null;
    if (progress === null || place === null) return;
    let room = roomIn(progress);
    if (room === 0) return log.debug({ experiment: id, ...progress }, 'no shadow run fits now');
    while (room > 0 && !signal.aborted) {
      const page = await shadows.decidedRuns(id, place, Math.min(PAGE, room * EVENTS_PER_RUN));
      if (page === null) return;
      const chosen = page.runs.filter(({ caseId }) => isChosen(experiment, caseId));
      for (const one of chosen) await this.open(experiment, one);
      // Stored after the runs are opened. If a pass fails, the next one reads the same events again, and each
      // run is opened only once.
      await shadows.keepPlace(id, (place = page.place));
      room -= chosen.length;
    }
  }

  private async open(
    experiment: RunningExperiment,
    { caseId, runId }: { caseId: string; runId: string },
  ): Promise<void> {
    const { batches, shadows, log } = this.ports;
    const { id, arms, salt } = experiment;
    const [control, changed] = arms;
    if (control === undefined || changed === undefined) return;
    const base = await batches.runBase({ caseId, runId });
    if (base === null) return;
    try {
      await this.openRun(experiment, base, changed, 'same');
      if (inShare(assignBucket(id, `${salt} again`, caseId), AGAIN_SHARE))
        await this.openRun(experiment, base, control, 'new');
    } catch (thrown) {
      const error = asCasefileError(thrown);
      // An outage is not caused by the case, so the case is opened in the next pass.
      if (error.retryable || isWorkerError(error) || error.reasonCode === 'store_error') throw thrown;
      log.warn({ experiment: id, caseId, error }, 'a case cannot be judged in shadow');
      const { reasonCode, message } = error;
      await shadows.noteMissed(id, { caseId, runId, reasonCode, message });
    }
  }

  private async openRun(
    { id }: RunningExperiment,
    base: RunBase,
    arm: ExperimentArm,
    answers: 'same' | 'new',
  ): Promise<void> {
    const { playbooks, providers, rollout, runs, firstStage, nudger } = this.ports;
    const playbook = playbookNamed(base.playbook, playbooks);
    const { prompts, recalibrations } = rollout.current();
    const { flag: _flag, ...settings } = base.settings;
    const own = withArm(settings, arm, { playbook, prompts, recalibrations, providers: providers() });
    const opened = await runs.open({
      caseId: base.caseId,
      runId: shadowRunId(base.caseId, [id, base.caseId, arm.name]),
      over: base.runId,
      leads: false,
      lane: 'shadow',
      settings: {
        ...own,
        outward: false,
        batch: id,
        experiment: { id, arm: arm.name },
        recorded: { run: base.runId, first: base.runId, misses: 'ask', answers },
      },
      firstStage,
    });
    await nudger.nudge(opened.nudges);
  }
}

/** Returns whether a case belongs to the share of an experiment. */
const isChosen = ({ id, salt, share }: RunningExperiment, caseId: string): boolean =>
  inShare(assignBucket(id, salt, caseId), share);

/** Returns the number of runs that fit the limit and the budget. An open run counts at the mean cost. */
function roomIn({ open, ended, costUsd, budgetUsd, isBudgetUsedUp }: ShadowProgress): number {
  if (isBudgetUsedUp) return 0;
  const mean = ended === 0 ? 0 : costUsd / ended;
  const most = ended === 0 ? FIRST_OPEN : MOST_OPEN;
  const affordable =
    budgetUsd === null || mean === 0 ? most : Math.floor((budgetUsd - costUsd) / mean) - open;
  return Math.max(0, Math.min(most - open, affordable));
}
