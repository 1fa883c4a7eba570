import {
  ARTIFACTS,
  CasefileError,
  isOfTheWorker,
  parseInput,
  z,
  type Attributes,
  type CaseStore,
  type Change,
  type ClaimedWork,
  type Clock,
  type Ids,
  type JsonObject,
  type Lease,
  type Logger,
  type Nudge,
  type Outcome,
  type Queue,
  type RunSettings,
  type StageJob,
  type Telemetry,
  type TextReader,
  type Verdict,
  type VerdictMessage,
} from '@casefile/contracts';
import { ATTRIBUTES, METRICS, SPANS } from '@casefile/telemetry';
import { handOn, type Playbook, type Stage, type StagePorts } from '@casefile/pipeline';
import { changeOfFailure } from './failure.js';
import type { ModelRoute } from '../models/paid-model.js';
import { asMeant, parkedFailure, parkedWait } from './degradation.js';
import { Journal, type JournalPorts } from './journal.js';
import { LeaseKeeper, type HeldLease } from './lease-keeper.js';
import { forgivingNudge } from './nudger.js';
import { patiently } from './patiently.js';
import { StageTools, type StageToolsPorts } from './stage-tools.js';

export interface ExecutorPorts extends StageToolsPorts {
  store: CaseStore;
  queue: Pick<Queue, 'nudge'>;
  /** The ways of a run's settings to an answer; null when it goes without. */
  routeOf(settings: RunSettings): ModelRoute | null;
  /** What all model calls share. */
  calls: Pick<JournalPorts, 'circuits' | 'limiter' | 'attempts' | 'retries' | 'budgets' | 'sleep'>;
  playbookNamed(name: string): Playbook;
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
}

/** Lanes whose verdicts leave the house. */
const OUTWARD: readonly string[] = ['live', 'batch'];

const stageJobSchema: z.ZodType<StageJob> = z.object({
  runId: z.uuid(),
  unit: z.string().max(64),
  round: z.number().int().min(1),
});

/** What a stage came to: the change to commit, and the verdict when it made one. */
interface Ending {
  change: Change;
  verdict: Verdict | null;
}

/** What a stage works with while it is under way. */
interface StageAt {
  journal: Journal;
  tools: StageTools;
  held: HeldLease;
  log: Logger;
}

/** Works one stage of one unit: load and claim, check, run, record, hand on. */
export class StageExecutor {
  private readonly keeper: LeaseKeeper<Lease>;
  private readonly nudge: (nudges: Nudge[]) => Promise<void>;

  constructor(
    private readonly flow: readonly Stage[],
    private readonly ports: ExecutorPorts,
    private readonly limits: ExecutorLimits,
  ) {
    const renew = (leases: Lease[], ms: number) => ports.store.renew(leases, ms);
    this.keeper = new LeaseKeeper(renew, limits.leaseMs, ports.log);
    this.nudge = forgivingNudge(ports.queue, ports.log);
  }

  /** How many stages are under way in this process. */
  get active(): number {
    return this.keeper.size;
  }

  /** Tells what is under way to stop at its next step and give its lease back. */
  stop(): void {
    this.keeper.stopAll();
  }

  /**
   * Handles one job of a stage's queue.
   * @throws only what concerns the worker itself (its database), so that the queue delivers again.
   */
  async handle(stageName: string, payload: unknown): Promise<void> {
    const stage = this.stageNamed(stageName);
    const job = parseInput(stageJobSchema, payload, `job of queue ${stageName}`);
    const started = this.ports.clock.now();
    const work = await this.loadAndClaim(stage, job);
    if (work === null) return;
    const held = this.keeper.hold(work.lease);
    try {
      const { trace } = work;
      const name = `${SPANS.stage} ${stage.name}`;
      await this.ports.telemetry.span(name, factsOf(work), () => this.runAndRecord(stage, work, held), {
        trace,
      });
    } finally {
      held.end();
      this.ports.telemetry.measure(METRICS.stageDuration, (this.ports.clock.now() - started) / 1000, {
        stage: stage.name,
        lane: work.lane,
      });
    }
  }

  private async loadAndClaim(stage: Stage, job: StageJob): Promise<ClaimedWork | null> {
    const { name, readsAlert, reads, readsPrevious, joins } = stage;
    const key = { runId: job.runId, unit: job.unit, round: job.round, stage: name };
    const claim = await this.ports.store.claim({
      ...key,
      readsAlert,
      reads,
      readsPrevious,
      joins,
      ...this.limits,
    });
    if (claim.kind === 'claimed') return claim.work;
    this.ports.telemetry.count(METRICS.stageRefused, { stage: name, reason: claim.reason });
    this.ports.log.debug({ ...key, reason: claim.reason }, 'nothing to do for this nudge');
    await this.nudge(claim.nudges);
    return null;
  }

  private async runAndRecord(stage: Stage, work: ClaimedWork, held: HeldLease): Promise<void> {
    const log = this.ports.log.child({ caseId: work.caseId, runId: work.lease.runId, stage: stage.name });
    const intend: CaseStore['intend'] = (request) =>
      patiently(held.signal, log, () => this.ports.store.intend(request));
    const store = { intend };
    const journal = new Journal(
      work,
      { ...this.ports, ...this.ports.calls, store, log, route: this.ports.routeOf(work.settings) },
      held.signal,
    );
    const tools = new StageTools(work.lease, work.toolCalls, { ...this.ports, log }, held.signal);
    try {
      const at = { journal, tools, held, log };
      await this.record(stage, work, await this.run(stage, work, at), at);
    } catch (thrown) {
      await this.giveUp(work, held, thrown, log);
    }
  }

  private async run(stage: Stage, work: ClaimedWork, at: StageAt): Promise<Ending> {
    try {
      // What is done is recorded, also when we were told to stop meanwhile: the epoch alone decides whether it counts.
      const outcome = await stage.run(work, this.stagePorts(work, at));
      return this.check(stage, work, asMeant(stage.appends, outcome, at.journal.remarks));
    } catch (thrown) {
      at.held.signal.throwIfAborted();
      if (isOfTheWorker(thrown)) throw thrown;
      const change = parkedFailure(thrown) ?? changeOfFailure(thrown, work.failures);
      this.ports.telemetry.count(METRICS.stageFailed, { stage: stage.name });
      at.log.error({ error: thrown, change }, 'the stage failed');
      return { change, verdict: null };
    }
  }

  private stagePorts(work: ClaimedWork, at: StageAt): StagePorts {
    const { lease, caseId, lane, settings, waitOver } = work;
    const playbook = this.ports.playbookNamed(settings.playbook);
    return {
      run: { runId: lease.runId, caseId, lane, unit: lease.unit, round: lease.round, settings, playbook },
      model: at.journal,
      tools: at.tools,
      reader: this.ports.reader,
      clock: this.ports.clock,
      log: at.log,
      signal: at.held.signal,
      waitOver,
    };
  }

  /** Turns a stage's outcome into the change to commit, holding what it appends to its shape. */
  private check(stage: Stage, work: ClaimedWork, outcome: Outcome<unknown>): Ending {
    switch (outcome.kind) {
      case 'wait': {
        const calls = outcome.calls.map((call) => ({ ...call, id: this.ports.ids.id() }));
        const { step, signal, timeoutMs } = outcome;
        return { change: { kind: 'suspend', step, calls, signal: signal ?? null, timeoutMs }, verdict: null };
      }
      case 'later':
        return { change: parkedWait(outcome) ?? outcome, verdict: null };
      case 'stop':
        return { change: outcome, verdict: null };
      default: {
        const body = ARTIFACTS[stage.appends].safeParse(outcome.artifact);
        if (!body.success) {
          const message = `stage ${stage.name} appended a wrong ${stage.appends}: ${body.error.message}`;
          throw new CasefileError('bad_artifact', message);
        }
        const artifact = { name: stage.appends, body: body.data as unknown as JsonObject };
        const at = { unit: work.lease.unit, round: work.lease.round, maxRounds: work.settings.maxRounds };
        const onward = handOn(this.flow, stage, at, outcome);
        if (onward !== null) return { change: { kind: 'advance', artifact, ...onward }, verdict: null };
        const deliveryId = OUTWARD.includes(work.lane) ? this.ports.ids.id() : null;
        return { change: { kind: 'decide', artifact, deliveryId }, verdict: body.data as Verdict };
      }
    }
  }

  private async record(stage: Stage, work: ClaimedWork, ending: Ending, at: StageAt) {
    const { change } = ending;
    const { journal, tools, held, log } = at;
    const request = {
      lease: work.lease,
      change,
      results: journal.takeResults(),
      inlineToolCalls: tools.takeInlineCalls(),
      events: journal.events,
    };
    const committed = await patiently(held.signal, log, () => this.ports.store.commit(request));
    if (committed.kind === 'stale') {
      this.ports.telemetry.count(METRICS.stageStale, { stage: stage.name });
      return;
    }
    if (journal.replayed > 0)
      this.ports.telemetry.count(METRICS.stepsReplayed, { stage: stage.name }, journal.replayed);
    await this.handOver(work, ending, committed.nudges);
  }

  private async handOver(work: ClaimedWork, { change, verdict }: Ending, nudges: Nudge[]): Promise<void> {
    await this.nudge(nudges);
    if (change.kind !== 'decide' || change.deliveryId === null || verdict === null) return;
    const { caseId, lane, settings, lease } = work;
    const at = { caseId, runId: lease.runId, playbook: settings.playbook, lane };
    await this.ports.deliver({ deliveryId: change.deliveryId, ...at, verdict });
  }

  private async giveUp(work: ClaimedWork, held: HeldLease, thrown: unknown, log: Logger): Promise<void> {
    const reason: unknown = held.signal.aborted ? held.signal.reason : thrown;
    const code = reason instanceof CasefileError ? reason.reasonCode : 'unexpected';
    log.warn({ reason: code, error: code === 'unexpected' ? reason : undefined }, 'the stage was given up');
    if (code === 'stale_lease') return;
    if (code !== 'stopping') throw reason;
    await this.nudge(await this.ports.store.release(work.lease));
  }

  private stageNamed(name: string): Stage {
    const stage = this.flow.find((candidate) => candidate.name === name);
    if (stage === undefined) throw new CasefileError('unknown_stage', `no stage is named "${name}"`);
    return stage;
  }
}

function factsOf({ lease, caseId, lane, settings }: ClaimedWork): Attributes {
  return {
    [ATTRIBUTES.stage]: lease.stage,
    [ATTRIBUTES.runId]: lease.runId,
    [ATTRIBUTES.caseId]: caseId,
    [ATTRIBUTES.round]: lease.round,
    [ATTRIBUTES.lane]: lane,
    [ATTRIBUTES.playbook]: settings.playbook,
  };
}
