import {
  CasefileError,
  parseInput,
  writesForLane,
  z,
  type AcceptResult,
  type ClaimedWork,
  type ClaimRequest,
  type ClaimResult,
  type Lane,
  type Lease,
  type StageJob,
  type StageKey,
  type WorkLane,
} from '@casefile/contracts';
import { METRICS } from '@casefile/telemetry';
import type { Stage } from '@casefile/pipeline';
import type { ExecutorLimits, ExecutorPorts } from './executor-ports.js';
import { HostedStages, UnderWay } from './hosted-stages.js';
import { LeaseKeeper } from '../leases/lease-keeper.js';
import { StageGuard } from './stage-guard.js';
import { LeasedWork, type ExecutorContext } from './leased-work.js';

/** Time for which a unit is postponed while another unit is on its last try, in milliseconds. */
const LAST_TRY_PAUSE_MS = 1_000;

/**
 * Allows one last try at a time in a process. When a process crashes, every unit that it had claimed counts a
 * crash, because the cause is unknown. A unit with too many crashes is quarantined. Units on their last try
 * therefore run one at a time: a harmless unit finishes, and only the unit that crashes the process is
 * quarantined.
 */
export class LastTry {
  private underWay: Lease | 'being claimed' | null = null;

  /**
   * Reserves the last try and returns true; returns false while another unit is on its last try.
   * After true, the caller must call `claimed`.
   */
  tryBegin(): boolean {
    if (this.underWay !== null) return false;
    this.underWay = 'being claimed';
    return true;
  }

  /** @param lease null: nothing was claimed. Otherwise call `ended` later with this same object. */
  claimed(lease: Lease | null): void {
    this.underWay = lease;
  }

  /** Ends the work under this lease. An earlier, lost lease of the same unit has no effect. */
  ended(lease: Lease): void {
    if (this.underWay === lease) this.underWay = null;
  }
}

const stageJobSchema: z.ZodType<StageJob> = z.object({
  runId: z.uuid(),
  unit: z.string().max(64),
  round: z.number().int().min(1),
});

/** Executes units of runs: claims a stage and continues until the unit ends or is handed over. */
export class StageExecutor {
  readonly underWay = new UnderWay();
  private readonly keeper: LeaseKeeper<Lease>;
  private readonly hosted = new HostedStages();
  private readonly context: ExecutorContext;
  private readonly lastTry = new LastTry();
  private isStopping = false;

  constructor(
    private readonly flow: readonly Stage[],
    private readonly ports: ExecutorPorts,
    private readonly limits: ExecutorLimits,
    guard = new StageGuard(),
  ) {
    const renew = (leases: Lease[], ms: number) => writesForLane(ports.store, 'live').units.renew(leases, ms);
    this.keeper = new LeaseKeeper(renew, limits.leaseMs, ports.log);
    const { hosted, underWay } = this;
    const now = { isStopping: () => this.isStopping, leaseMs: () => this.keeper.leaseMs };
    this.context = { flow, ports, limits, hosted, underWay, guard, ...now };
  }

  /** Number of units that this process is executing or about to start. */
  get active(): number {
    return this.keeper.size + this.hosted.reserved;
  }

  /** Requests that all work stops at its next step and releases its lease. */
  stop(): void {
    this.isStopping = true;
    this.keeper.stopAll();
  }

  /**
   * Asks bulk work to stop first. It can resume later without harm, so live work gets the remaining time
   * before the process stops.
   */
  stopBulk(): void {
    this.keeper.stopAll('bulk');
  }

  /** Registers a stage whose queues this process works on, and its slots. */
  host(stageName: string, slots: Parameters<HostedStages['add']>[1]): void {
    this.hosted.add(stageName, slots);
  }

  /**
   * Handles one job of a stage's queue, which `Nudger.nudge` sends: claims the stage and continues until the unit
   * ends or is handed over.
   * @param lane lane whose database connections make the claim. The lane of the run is only known after the
   * claim.
   * @throws only errors of the worker's own database, so that the queue delivers the job again.
   */
  async handle(stageName: string, payload: unknown, lane: WorkLane = 'live'): Promise<void> {
    const { runId, unit, round } = parseInput(stageJobSchema, payload, `job of queue ${stageName}`);
    const stage = this.stageNamed(stageName);
    const work = await this.underWay.during({ stage: stageName, runId }, () =>
      this.claim(stage, { runId, unit, round, stage: stageName }, lane),
    );
    if (work !== null) await this.work(stage, work);
  }

  /**
   * Accepts a run. If this process has a free slot for the first stage, the accepting write also claims the
   * stage, and it runs here without a job.
   * @param accept writes the run, and claims its first stage for the time passed to it.
   */
  async acceptAndRun(
    stageName: string,
    lane: Lane,
    accept: (claimForMs?: number) => Promise<AcceptResult>,
  ): Promise<AcceptResult> {
    const end = this.isStopping ? null : this.hosted.reserve(stageName, lane);
    if (end === null) return accept();
    let work: ClaimedWork | undefined;
    try {
      const result = await accept(this.keeper.leaseMs);
      if (result.kind === 'accepted') work = result.work;
      return result;
    } finally {
      // The stage starts after the answer to the sender. If it crashed the process before, the sender would
      // get no answer and send the alert again.
      setImmediate(() => {
        if (work !== undefined) void this.workAccepted(work);
        end();
      });
    }
  }

  private async workAccepted(work: ClaimedWork): Promise<void> {
    const { runId, stage } = work.lease;
    try {
      if (!this.isStopping) return await this.work(this.stageNamed(stage), work);
      await this.ports.nudger.nudge(
        await writesForLane(this.ports.store, work.lane).units.release(work.lease),
      );
    } catch (error) {
      this.ports.log.error({ error, runId, stage }, 'a stage that was claimed with its alert was abandoned');
    }
  }

  private async work(stage: Stage, work: ClaimedWork): Promise<void> {
    const heldLease = this.keeper.hold(work.lease, work.lane !== 'live');
    try {
      await new LeasedWork(this.context, heldLease, work).run(stage, work);
    } finally {
      heldLease.end();
      this.lastTry.ended(work.lease);
    }
  }

  private async claim(stage: Stage, key: StageKey, lane: WorkLane): Promise<ClaimedWork | null> {
    const { name, readsAlert, reads, readsPrevious, joins } = stage;
    const inputs = { readsAlert, reads, readsPrevious, joins };
    const { units } = writesForLane(this.ports.store, lane);
    const ask = (lastTry: ClaimRequest['lastTry']) =>
      units.claim({ ...key, ...inputs, ...this.limits, leaseMs: this.keeper.leaseMs, lastTry });
    const first = await ask('refuse');
    const isLastTry = first.kind === 'refused' && first.reason === 'last-try';
    const claim = isLastTry ? await this.claimLastTry(ask) : first;
    if (claim.kind === 'claimed') return claim.work;
    this.ports.telemetry.count(METRICS.stageRefused, { stage: name, reason: claim.reason });
    this.ports.log.debug(
      { ...key, reason: claim.reason },
      'the unit was not claimed: another worker has it, or it is not due',
    );
    await this.ports.nudger.nudge(claim.nudges);
    return null;
  }

  // If another last try is running, this unit is postponed. Otherwise a crash of the other unit would count
  // as a crash of this one and quarantine it.
  private async claimLastTry(
    ask: (lastTry: ClaimRequest['lastTry']) => Promise<ClaimResult>,
  ): Promise<ClaimResult> {
    if (!this.lastTry.tryBegin()) return ask({ holdMs: LAST_TRY_PAUSE_MS });
    let lease: Lease | null = null;
    try {
      const claim = await ask('take');
      if (claim.kind === 'claimed') lease = claim.work.lease;
      return claim;
    } finally {
      this.lastTry.claimed(lease);
    }
  }

  private stageNamed(name: string): Stage {
    const stage = this.flow.find((candidate) => candidate.name === name);
    if (stage === undefined) throw new CasefileError('unknown_stage', `no stage is named "${name}"`);
    return stage;
  }
}
