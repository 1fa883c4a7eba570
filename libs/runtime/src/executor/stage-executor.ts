import {
  CasefileError,
  parseInput,
  writesOf,
  z,
  type ClaimedWork,
  type ClaimRequest,
  type ClaimResult,
  type Lane,
  type Lease,
  type Nudge,
  type StageJob,
  type StageKey,
  type WorkLane,
} from '@casefile/contracts';
import { METRICS } from '@casefile/telemetry';
import type { Stage } from '@casefile/pipeline';
import { DirectHandOn, type StageSlots } from './direct-hand-on.js';
import type { ExecutorLimits, ExecutorPorts } from './executor-ports.js';
import { LeaseKeeper } from './lease-keeper.js';
import { LeasedWork, type SharedByWork } from './leased-work.js';
import { nudgeBestEffort } from './nudger.js';
import { RunAhead } from './run-ahead.js';
import { UnderWay } from './under-way.js';

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

/** Leave to begin a unit without a job. `came` is to be called once, with what was claimed. */
export interface ExpectedWork {
  leaseMs: number;
  /** @param work null: nothing was. */
  came(work: ClaimedWork | null): void;
}

const stageJobSchema: z.ZodType<StageJob> = z.object({
  runId: z.uuid(),
  unit: z.string().max(64),
  round: z.number().int().min(1),
});

/** Works one stage of one unit: load and claim, check, run, record, hand on. */
export class StageExecutor {
  readonly underWay = new UnderWay();
  private readonly keeper: LeaseKeeper<Lease>;
  private readonly nudge: (nudges: Nudge[]) => Promise<void>;
  private readonly direct: DirectHandOn;
  private readonly lastTry = new LastTry();
  private expected = 0;
  private readonly shared: SharedByWork;
  private stopping = false;

  constructor(
    private readonly flow: readonly Stage[],
    private readonly ports: ExecutorPorts,
    private readonly limits: ExecutorLimits,
  ) {
    const renew = (leases: Lease[], ms: number) => writesOf(ports.store, 'live').units.renew(leases, ms);
    this.keeper = new LeaseKeeper(renew, limits.leaseMs, ports.log);
    this.nudge = nudgeBestEffort(ports.queue, ports.log);
    this.direct = new DirectHandOn(limits.handOnDirectly === true);
    const { direct, underWay, nudge } = this;
    const isStopping = () => this.stopping;
    this.shared = { flow, ports, limits, direct, underWay, nudge, isStopping };
  }

  /** How many stages are under way in this process, with those that are about to be. */
  get active(): number {
    return this.keeper.size + this.expected;
  }

  /** Tells what is under way to stop at its next step and give its lease back. */
  stop(): void {
    this.stopping = true;
    this.keeper.stopAll();
  }

  /** Tells bulk work under way to do so: it can be resumed at any time, and a stop goes to live work. */
  stopBulk(): void {
    this.keeper.stopAll('bulk');
  }

  /** This process works on the queues of this stage, with so many slots. */
  host(stageName: string, slots: StageSlots): void {
    this.direct.host(stageName, slots);
  }

  /**
   * Leave to begin a unit at this stage without a job: whoever has it claims the unit in the write that makes it due, and says
   * what came of that. null: there is none here and now, and the unit goes by its queue.
   */
  expectWork(stageName: string, lane: Lane): ExpectedWork | null {
    const ended = this.stopping ? null : this.direct.expect(stageName, lane);
    if (ended === null) return null;
    this.expected += 1;
    return {
      leaseMs: this.limits.leaseMs,
      came: (work) => {
        const end = () => {
          this.expected -= 1;
          ended();
        };
        if (work === null) return end();
        // First the sender has its answer: a stage that kills the process must not have the alert sent again.
        setImmediate(() => {
          void this.begin(work).catch((error: unknown) => {
            const { runId, stage } = work.lease;
            this.ports.log.error({ error, runId, stage }, 'a stage that was begun at once was given up');
          });
          end();
        });
      },
    };
  }

  private async begin(work: ClaimedWork): Promise<void> {
    if (this.stopping)
      return this.nudge(await writesOf(this.ports.store, work.lane).units.release(work.lease));
    await this.workClaimed(this.stageNamed(work.lease.stage), work);
  }

  /**
   * Handles one job of a stage's queue, and continues with the stages after it as far as its lease goes.
   * @param lane by whose connections the work is claimed; from then on the record says the run's lane.
   * @throws only what concerns the worker itself (its database), so that the queue delivers again.
   */
  async handle(stageName: string, payload: unknown, lane: WorkLane = 'live'): Promise<void> {
    const { runId, unit, round } = parseInput(stageJobSchema, payload, `job of queue ${stageName}`);
    const stage = this.stageNamed(stageName);
    const work = await this.underWay.during({ stage: stage.name, runId }, () =>
      this.loadAndClaim(stage, { runId, unit, round, stage: stage.name }, lane),
    );
    if (work !== null) await this.workClaimed(stage, work);
  }

  /** Works a unit from this stage on, as far as one lease goes. */
  private async workClaimed(stage: Stage, work: ClaimedWork): Promise<void> {
    const held = this.keeper.hold(work.lease, work.lane !== 'live');
    const ahead = new RunAhead(work, this.ports.clock.now());
    try {
      await new LeasedWork(this.shared, held, ahead).run({ stage, work });
    } finally {
      held.end();
      this.lastTry.ended(work.lease);
    }
  }

  private async loadAndClaim(stage: Stage, key: StageKey, lane: WorkLane): Promise<ClaimedWork | null> {
    const { name, readsAlert, reads, readsPrevious, joins } = stage;
    const wanted = { readsAlert, reads, readsPrevious, joins };
    const { units } = writesOf(this.ports.store, lane);
    const ask = (lastTry: ClaimRequest['lastTry']) =>
      units.claim({ ...key, ...wanted, ...this.limits, lastTry });
    const first = await ask('refuse');
    const isLastTry = first.kind === 'refused' && first.reason === 'last-try';
    const claim = isLastTry ? await this.claimLastTry(ask) : first;
    if (claim.kind === 'claimed') return claim.work;
    this.ports.telemetry.count(METRICS.stageRefused, { stage: name, reason: claim.reason });
    this.ports.log.debug({ ...key, reason: claim.reason }, 'nothing to do for this nudge');
    await this.nudge(claim.nudges);
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
