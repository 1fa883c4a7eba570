import {
  CasefileError,
  parseInput,
  writesOf,
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
import { LeasedWork, type ExecutorContext } from './leased-work.js';
import { nudgeBestEffort } from './nudger.js';

/** How long a unit waits for its turn at a last try, in milliseconds. */
const LAST_TRY_PAUSE_MS = 1_000;

/**
 * Lets one unit at a time begin the try after which a crash would quarantine it. A dying process takes all the units with it
 * that it has claimed, and nobody sees which one killed it. Claimed one after another, the innocent ones end their step, and
 * only the one that kills its worker is quarantined (R14).
 */
export class LastTry {
  private underWay: Lease | 'being claimed' | null = null;

  /** May a unit be claimed for its last try? False: it has to wait for another one. True: say by `claimed` what came of it. */
  begins(): boolean {
    if (this.underWay !== null) return false;
    this.underWay = 'being claimed';
    return true;
  }

  /** @param lease null: nothing was claimed. Else `ended` is to be called with this very lease. */
  claimed(lease: Lease | null): void {
    this.underWay = lease;
  }

  /** The work under this lease is over. An earlier lease of the same unit, which was lost, ends nothing. */
  ended(lease: Lease): void {
    if (this.underWay === lease) this.underWay = null;
  }
}

const stageJobSchema: z.ZodType<StageJob> = z.object({
  runId: z.uuid(),
  unit: z.string().max(64),
  round: z.number().int().min(1),
});

/** Works the units of runs: claims a stage, and works from there as far as one lease goes. */
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
  ) {
    const renew = (leases: Lease[], ms: number) => writesOf(ports.store, 'live').units.renew(leases, ms);
    this.keeper = new LeaseKeeper(renew, limits.leaseMs, ports.log);
    const { hosted, underWay } = this;
    const nudge = nudgeBestEffort(ports.queue, ports.log);
    this.context = { flow, ports, limits, hosted, underWay, nudge, isStopping: () => this.isStopping };
  }

  /** How many units are worked in this process, with those that are about to be. */
  get active(): number {
    return this.keeper.size + this.hosted.expected;
  }

  /** Tells all work to stop at its next step and to give its lease back. */
  stop(): void {
    this.isStopping = true;
    this.keeper.stopAll();
  }

  /** Tells bulk work to do so: it can be resumed at any time, and a stop goes to live work. */
  stopBulk(): void {
    this.keeper.stopAll('bulk');
  }

  /** This process works on the queues of this stage, with so many slots. */
  host(stageName: string, slots: Parameters<HostedStages['add']>[1]): void {
    this.hosted.add(stageName, slots);
  }

  /**
   * Handles one job of a stage's queue: claims the stage, and works from there as far as the lease goes.
   * @param lane by whose connections the work is claimed; from then on the record says the run's lane.
   * @throws only what concerns the worker itself (its database), so that the queue delivers again.
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
   * Accepts a run. If this process has a free slot for its first stage, the write that accepts claims it too, for as long as
   * `accept` is given, and the stage is worked here without a job.
   */
  async accepting(
    stageName: string,
    lane: Lane,
    accept: (claimForMs?: number) => Promise<AcceptResult>,
  ): Promise<AcceptResult> {
    const end = this.isStopping ? null : this.hosted.expect(stageName, lane);
    if (end === null) return accept();
    let work: ClaimedWork | undefined;
    try {
      const result = await accept(this.limits.leaseMs);
      if (result.kind === 'accepted') work = result.work;
      return result;
    } finally {
      // First the sender has its answer: a stage that kills the process must not have the alert sent again.
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
      await this.context.nudge(await writesOf(this.ports.store, work.lane).units.release(work.lease));
    } catch (error) {
      this.ports.log.error({ error, runId, stage }, 'a stage that its accept had claimed was given up');
    }
  }

  private async work(stage: Stage, work: ClaimedWork): Promise<void> {
    const held = this.keeper.hold(work.lease, work.lane !== 'live');
    try {
      await new LeasedWork(this.context, held, work).run(stage, work);
    } finally {
      held.end();
      this.lastTry.ended(work.lease);
    }
  }

  private async claim(stage: Stage, key: StageKey, lane: WorkLane): Promise<ClaimedWork | null> {
    const { name, readsAlert, reads, readsPrevious, joins } = stage;
    const { units } = writesOf(this.ports.store, lane);
    const ask = (lastTry: ClaimRequest['lastTry']) =>
      units.claim({ ...key, readsAlert, reads, readsPrevious, joins, ...this.limits, lastTry });
    const first = await ask('refuse');
    const isLastTry = first.kind === 'refused' && first.reason === 'last-try';
    const claim = isLastTry ? await this.claimLastTry(ask) : first;
    if (claim.kind === 'claimed') return claim.work;
    this.ports.telemetry.count(METRICS.stageRefused, { stage: name, reason: claim.reason });
    this.ports.log.debug({ ...key, reason: claim.reason }, 'nothing to do for this nudge');
    await this.context.nudge(claim.nudges);
    return null;
  }

  // Never claimed beside another one: it would be under way, and counted, at a death that the other is to blame for.
  private async claimLastTry(
    ask: (lastTry: ClaimRequest['lastTry']) => Promise<ClaimResult>,
  ): Promise<ClaimResult> {
    if (!this.lastTry.begins()) return ask({ holdMs: LAST_TRY_PAUSE_MS });
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
