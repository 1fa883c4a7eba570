import {
  CasefileError,
  isOfTheWorker,
  parseInput,
  writesOf,
  z,
  type CaseStore,
  type ClaimedWork,
  type Clock,
  type Ids,
  type Lease,
  type Logger,
  type Nudge,
  type Queue,
  type RunSettings,
  type StageJob,
  type StageNudge,
  type Telemetry,
  type TextReader,
  type VerdictMessage,
  type WorkLane,
} from '@casefile/contracts';
import { METRICS, SPANS } from '@casefile/telemetry';
import { thoughtsOf, type FlowPorts, type Playbook, type PromptTexts, type Stage } from '@casefile/pipeline';
import { DirectHandOn, type StageSlots } from './direct-hand-on.js';
import { endingOf, type Ending, changeOfFailure, withRemarks, parkedFailure } from './outcome-to-change.js';
import type { ModelPlan } from '../models/model-plan.js';
import { Journal, type JournalPorts } from './journal.js';
import type { Intent } from './paid-attempts.js';
import { LastTry, LAST_TRY_PAUSE_MS } from './last-try.js';
import { LeaseKeeper, type HeldLease } from './lease-keeper.js';
import { measureDraft } from './measure-draft.js';
import { nudgeBestEffort } from './nudger.js';
import { retryWhileStoreIsDown } from './retry-while-store-is-down.js';
import { factsOf, verdictFacts } from './stage-facts.js';
import { StageTools, type StageToolsPorts } from './stage-tools.js';
import { UnderWay } from './under-way.js';

export interface ExecutorPorts extends StageToolsPorts {
  store: CaseStore;
  queue: Pick<Queue, 'nudge'>;
  /** The ways of a run's settings to an answer; null when it goes without. */
  routeOf(settings: RunSettings): ModelPlan | null;
  /** What all model calls share. */
  calls: Pick<JournalPorts, 'circuits' | 'limiter' | 'attempts' | 'retries' | 'budgets' | 'sleep'>;
  playbookNamed(name: string): Playbook;
  prompts: PromptTexts;
  reader: TextReader;
  /** Hands a verdict out; what it does not get done the sweeper does. */
  deliver(message: VerdictMessage): Promise<void>;
  clock: Clock;
  ids: Ids;
  log: Logger;
  telemetry: Telemetry;
}

export interface ExecutorLimits {
  leaseMs: number;
  maxCrashes: number;
  crashWindowMs: number;
  /** Most of the time without a holder that a step's deadline stands still for; absent: none of it. */
  deadlinePauseMs?: number;
  /** May a worker go on with the next stage itself where this process hosts it? */
  handOnDirectly?: boolean;
}

const stageJobSchema: z.ZodType<StageJob> = z.object({
  runId: z.uuid(),
  unit: z.string().max(64),
  round: z.number().int().min(1),
});

/** What a stage works with while it is under way. */
interface StageAt {
  journal: Journal;
  tools: StageTools;
  held: HeldLease;
  log: Logger;
}

/** Works one stage of one unit: load and claim, check, run, record, hand on. */
export class StageExecutor {
  readonly underWay = new UnderWay();
  private readonly keeper: LeaseKeeper<Lease>;
  private readonly nudge: (nudges: Nudge[]) => Promise<void>;
  private readonly direct: DirectHandOn;
  private readonly lastTry: LastTry;
  private stopping = false;

  constructor(
    private readonly flow: readonly Stage[],
    private readonly ports: ExecutorPorts,
    private readonly limits: ExecutorLimits,
  ) {
    const renew = (leases: Lease[], ms: number) => writesOf(ports.store, 'live').renew(leases, ms);
    this.keeper = new LeaseKeeper(renew, limits.leaseMs, ports.log);
    this.nudge = nudgeBestEffort(ports.queue, ports.log);
    this.direct = new DirectHandOn(limits.handOnDirectly === true);
    this.lastTry = new LastTry(limits.maxCrashes);
  }

  /** How many stages are under way in this process. */
  get active(): number {
    return this.keeper.size;
  }

  /** Tells what is under way to stop at its next step and give its lease back. */
  stop(): void {
    this.stopping = true;
    this.keeper.stopAll();
  }

  /** This process works on the queues of this stage, with so many slots. */
  host(stageName: string, slots: StageSlots): void {
    this.direct.host(stageName, slots);
  }

  /**
   * Handles one job of a stage's queue, and goes on with the stages after it where it may.
   * @param lane by whose connections the work is claimed; from then on the record says the run's lane.
   * @throws only what concerns the worker itself (its database), so that the queue delivers again.
   */
  async handle(stageName: string, payload: unknown, lane: WorkLane = 'live'): Promise<void> {
    const job = parseInput(stageJobSchema, payload, `job of queue ${stageName}`);
    const at = (stage: string, { runId, unit, round }: StageJob, lane: WorkLane) =>
      this.underWay.during({ stage, runId }, () =>
        this.work(this.stageNamed(stage), { runId, unit, round }, lane),
      );
    let next = await at(stageName, job, lane);
    while (next !== null) next = await at(next.stage, next, next.lane);
  }

  /** @returns the nudge that is followed here and not sent. */
  private async work(stage: Stage, job: StageJob, lane: WorkLane): Promise<StageNudge | null> {
    const started = this.ports.clock.now();
    const work = await this.loadAndClaim(stage, job, lane);
    if (work === null) return null;
    const held = this.keeper.hold(work.lease);
    const end = this.direct.begin(stage.name, work.lane);
    try {
      const { trace } = work;
      const name = `${SPANS.stage} ${stage.name}`;
      const run = () => this.runAndRecord(stage, work, held);
      return await this.ports.telemetry.span(name, factsOf(work), run, { trace });
    } finally {
      end();
      held.end();
      this.lastTry.ended(work);
      this.ports.telemetry.measure(METRICS.stageDuration, (this.ports.clock.now() - started) / 1000, {
        stage: stage.name,
        lane: work.lane,
      });
    }
  }

  private async loadAndClaim(stage: Stage, job: StageJob, lane: WorkLane): Promise<ClaimedWork | null> {
    const { name, readsAlert, reads, readsPrevious, joins } = stage;
    const wanted = { readsAlert, reads, readsPrevious, joins };
    const key = { runId: job.runId, unit: job.unit, round: job.round, stage: name };
    const claim = await writesOf(this.ports.store, lane).claim({ ...key, ...wanted, ...this.limits });
    if (claim.kind === 'claimed') {
      if (this.lastTry.mayBegin(claim.work)) return claim.work;
      await writesOf(this.ports.store, claim.work.lane).release(claim.work.lease, LAST_TRY_PAUSE_MS);
      return null;
    }
    this.ports.telemetry.count(METRICS.stageRefused, { stage: name, reason: claim.reason });
    this.ports.log.debug({ ...key, reason: claim.reason }, 'nothing to do for this nudge');
    await this.nudge(claim.nudges);
    return null;
  }

  private async runAndRecord(stage: Stage, work: ClaimedWork, held: HeldLease): Promise<StageNudge | null> {
    const log = this.ports.log.child({ caseId: work.caseId, runId: work.lease.runId, stage: stage.name });
    const { epoch: _epoch, ...key } = work.lease;
    const tools = new StageTools(key, work, { ...this.ports, log }, held.signal);
    const intend = (intent: Intent) => {
      const request = { ...intent, lease: work.lease, inlineToolCalls: tools.takeInlineCalls() };
      return retryWhileStoreIsDown(held.signal, log, () =>
        writesOf(this.ports.store, work.lane).intend(request),
      );
    };
    const journal = new Journal(
      { ...work, key },
      {
        ...this.ports,
        ...this.ports.calls,
        intend,
        log,
        route: this.ports.routeOf(work.settings),
        deadlinePauseMs: this.limits.deadlinePauseMs ?? 0,
        thinkAloud: () => thoughtsOf(this.playbookOf(work), this.ports.prompts),
      },
      held.signal,
    );
    try {
      const at = { journal, tools, held, log };
      return await this.record(stage, work, await this.run(stage, work, at), at);
    } catch (thrown) {
      await this.giveUp(work, held, thrown, log);
      return null;
    }
  }

  private async run(stage: Stage, work: ClaimedWork, at: StageAt): Promise<Ending> {
    try {
      // What is done is recorded, also when we were told to stop meanwhile: the epoch alone decides whether it counts.
      const outcome = await stage.run(work, this.stagePorts(work, at));
      const meant = withRemarks(stage.appends, outcome, at.journal.remarks);
      return endingOf({ flow: this.flow, ids: this.ports.ids }, stage, work, meant);
    } catch (thrown) {
      at.held.signal.throwIfAborted();
      if (isOfTheWorker(thrown)) throw thrown;
      const change = parkedFailure(thrown) ?? changeOfFailure(thrown, work.failures);
      this.ports.telemetry.count(METRICS.stageFailed, { stage: stage.name });
      at.log.error({ error: thrown, change }, 'the stage failed');
      return { change, verdict: null };
    }
  }

  private playbookOf({ settings }: ClaimedWork): Playbook {
    return this.ports.playbookNamed(settings.playbook);
  }

  private stagePorts(work: ClaimedWork, at: StageAt): FlowPorts {
    const { lease, caseId, lane, settings } = work;
    return {
      playbook: this.playbookOf(work),
      run: { runId: lease.runId, caseId, lane, unit: lease.unit, round: lease.round, settings },
      model: at.journal,
      tools: at.tools,
      reader: this.ports.reader,
      prompts: this.ports.prompts,
      clock: this.ports.clock,
      log: at.log,
      signal: at.held.signal,
    };
  }

  private async record(
    stage: Stage,
    work: ClaimedWork,
    ending: Ending,
    at: StageAt,
  ): Promise<StageNudge | null> {
    const { change } = ending;
    const { journal, tools, held, log } = at;
    const request = {
      lease: work.lease,
      change,
      results: journal.takeResults(),
      inlineToolCalls: tools.takeInlineCalls(change.kind === 'fail'),
      events: journal.events,
    };
    const committed = await retryWhileStoreIsDown(held.signal, log, () =>
      writesOf(this.ports.store, work.lane).commit(request),
    );
    if (committed.kind === 'stale') {
      this.ports.telemetry.count(METRICS.stageStale, { stage: stage.name });
      return null;
    }
    if (change.kind === 'advance' && change.artifact.name === 'draft')
      measureDraft(this.ports.telemetry, work.settings, this.playbookOf(work), change.artifact.body);
    if (journal.replayed > 0)
      this.ports.telemetry.count(METRICS.stepsReplayed, { stage: stage.name }, journal.replayed);
    return this.handOver(work, ending, committed.nudges);
  }

  private async handOver(
    work: ClaimedWork,
    { change, verdict }: Ending,
    nudges: Nudge[],
  ): Promise<StageNudge | null> {
    const next = this.stopping ? null : this.direct.pick(nudges);
    if (next !== null) return next;
    await this.nudge(nudges);
    if (change.kind !== 'decide' || verdict === null) return null;
    const { caseId, lane, settings, lease } = work;
    const at = { caseId, runId: lease.runId, playbook: settings.playbook, lane };
    const facts = verdictFacts(verdict, this.ports.playbookNamed(settings.playbook).presenting);
    this.ports.log.info({ ...at, ...facts, promptIds: settings.promptIds }, 'verdict');
    if (change.deliveryId === null) return null;
    await this.ports.deliver({ deliveryId: change.deliveryId, ...at, verdict });
    return null;
  }

  private async giveUp(work: ClaimedWork, held: HeldLease, thrown: unknown, log: Logger): Promise<void> {
    const reason: unknown = held.signal.aborted ? held.signal.reason : thrown;
    const code = reason instanceof CasefileError ? reason.reasonCode : 'unexpected';
    log.warn({ reason: code, error: code === 'unexpected' ? reason : undefined }, 'the stage was given up');
    if (code === 'stale_lease') return;
    if (code !== 'stopping') throw reason;
    await this.nudge(await writesOf(this.ports.store, work.lane).release(work.lease));
  }

  private stageNamed(name: string): Stage {
    const stage = this.flow.find((candidate) => candidate.name === name);
    if (stage === undefined) throw new CasefileError('unknown_stage', `no stage is named "${name}"`);
    return stage;
  }
}
