import {
  asCasefileError,
  CasefileError,
  isOfTheWorker,
  moves,
  writesOf,
  type ClaimedWork,
  type CommitRequest,
  type IntentRequest,
  type Lane,
  type Lease,
  type Logger,
  type Move,
  type Nudge,
} from '@casefile/contracts';
import type { Playbook, Stage } from '@casefile/pipeline';
import { METRICS, SPANS } from '@casefile/telemetry';
import type { DirectHandOn } from './direct-hand-on.js';
import type { Journal } from '../calls/journal.js';
import { staleLease, type HeldLease } from './lease-keeper.js';
import { measureAppended } from './measure-draft.js';
import { endingOf, missedEvidence, moveOfFailure, withRemarks, type Ending } from './outcome-to-move.js';
import { retryWhileStoreIsDown } from './retry-while-store-is-down.js';
import { contextHere, type RunAhead } from './run-ahead.js';
import type { ExecutorLimits, ExecutorPorts } from './executor-ports.js';
import { openStage, portsOf, type StageAt } from './stage-at.js';
import { factsOf, verdictFacts } from './stage-facts.js';
import type { UnderWay } from './under-way.js';

/** What all work of one process shares. */
export interface SharedByWork {
  flow: readonly Stage[];
  ports: ExecutorPorts;
  limits: ExecutorLimits;
  direct: DirectHandOn;
  underWay: UnderWay;
  nudge(nudges: Nudge[]): Promise<void>;
  isStopping(): boolean;
}

/** A stage and what it works on. */
interface Step {
  stage: Stage;
  work: ClaimedWork;
  /** Runs in the context of the stage before it, so that its span is below that one's. */
  within?<T>(run: () => T): T;
}

const plainly = <T>(run: () => T): T => run();

/** Works a unit under one lease, from stage to stage as far as it may: run, record, go on or hand on. */
export class LeasedWork {
  private readonly ports: ExecutorPorts;

  constructor(
    private readonly shared: SharedByWork,
    private readonly held: HeldLease<Lease>,
    private readonly ahead: RunAhead,
  ) {
    this.ports = shared.ports;
  }

  async run(first: Step): Promise<void> {
    for (let step: Step | null = first; step !== null;) {
      const { stage, work, within = plainly } = step as Step;
      const under = { stage: stage.name, runId: work.lease.runId };
      step = await within(() => this.shared.underWay.during(under, () => this.workStage(stage, work)));
    }
  }

  private async workStage(stage: Stage, work: ClaimedWork): Promise<Step | null> {
    const started = this.ports.clock.now();
    const end = this.shared.direct.begin(stage.name, work.lane);
    try {
      const name = `${SPANS.stage} ${stage.name}`;
      const run = () => this.runAndRecord(stage, work);
      return await this.ports.telemetry.span(name, factsOf(work), run, { trace: work.trace });
    } finally {
      end();
      this.ports.telemetry.measure(METRICS.stageDuration, (this.ports.clock.now() - started) / 1000, {
        stage: stage.name,
        lane: work.lane,
      });
    }
  }

  private async runAndRecord(stage: Stage, work: ClaimedWork): Promise<Step | null> {
    const log = this.ports.log.child({ caseId: work.caseId, runId: work.lease.runId, stage: stage.name });
    const at = await openStage(this.shared, this.held.signal, work, log, (write) =>
      this.intend(work, log, write),
    );
    try {
      return await this.record(stage, work, await this.endingOf(stage, work, at), at);
    } catch (thrown) {
      await this.giveUp(work, thrown, log);
      return null;
    }
  }

  /** Writes an intent, with the stages that ended before: all of them are on the record before anything is paid. */
  private async intend(
    { lane, lease: { stage } }: ClaimedWork,
    log: Logger,
    write: (lease: Lease) => IntentRequest,
  ): Promise<boolean> {
    const writes = writesOf(this.ports.store, lane);
    const intend = (lease: Lease) => {
      // Made once: what it takes along is handed over once.
      const request = write(lease);
      return retryWhileStoreIsDown(this.held.signal, log, () => writes.interactions.intend(request));
    };
    const soFar = this.ahead.commitSoFar(this.ports.clock.now(), this.shared.limits.leaseMs);
    if (soFar === null) return intend(this.ahead.lease);
    // Both go in one write of the lane, the intent by the lease that the commit is about to give.
    const caughtUp = this.catchUp(soFar, lane, log);
    const intended = intend({ ...soFar.lease, stage, epoch: soFar.lease.epoch + 1 });
    intended.catch(() => undefined);
    await caughtUp;
    return intended;
  }

  /** Writes the stages that ended, and claims the one that is under way. @throws CasefileError `stale_lease`. */
  private async catchUp(request: CommitRequest, lane: Lane, log: Logger): Promise<void> {
    const claimed = await this.held.replace(async () => {
      const committed = await retryWhileStoreIsDown(this.held.signal, log, () =>
        writesOf(this.ports.store, lane).units.commit(request),
      );
      if (committed.kind === 'stale' || committed.lease === undefined) throw staleLease();
      return committed.lease;
    });
    this.ahead.written(claimed);
  }

  private async endingOf(stage: Stage, work: ClaimedWork, at: StageAt): Promise<Ending> {
    const { signal } = this.held;
    try {
      // What is done is recorded, also when we were told to stop meanwhile: the epoch alone decides whether it counts.
      const given = portsOf(at, work, { playbook: this.playbookOf(work), clock: this.ports.clock, signal });
      const outcome = await stage.run(work, given);
      const meant = withRemarks(stage.appends, outcome, at.journal.remarks);
      return endingOf({ flow: this.shared.flow, ids: this.ports.ids }, stage, work, meant);
    } catch (thrown) {
      signal.throwIfAborted();
      const missed = missedEvidence(work.lease, thrown);
      if (missed !== null) return { move: missed, verdict: null };
      if (isOfTheWorker(thrown)) throw thrown;
      const move = moveOfFailure(work.lease, thrown, work.failures);
      this.ports.telemetry.count(METRICS.stageFailed, { stage: stage.name });
      at.log.error({ error: thrown, outcome: move.unit }, 'the stage failed');
      return { move, verdict: null };
    }
  }

  private playbookOf({ settings }: ClaimedWork): Playbook {
    return this.ports.playbookNamed(settings.playbook);
  }

  private async record(stage: Stage, work: ClaimedWork, ending: Ending, at: StageAt): Promise<Step | null> {
    const { move } = ending;
    const { journal, tools, log } = at;
    const now = this.ports.clock.now();
    const ended = {
      stage: stage.name,
      results: journal.takeResults(),
      inlineToolCalls: tools.takeInlineCalls(move.unit.failed === true),
      answersRead: at.takeReads(),
      events: journal.events,
    };
    const next = this.nextOf(work, move);
    if (next !== null && this.mayFollow(stage, next)) {
      this.ahead.note({ ...ended, move, endedAt: now });
      this.measure(stage, work, move, journal);
      return { ...next, within: contextHere() };
    }
    const request = this.ahead.commitOf(now, { ...ended, move });
    const write = (one: CommitRequest) =>
      retryWhileStoreIsDown(this.held.signal, log, () =>
        writesOf(this.ports.store, work.lane).units.commit(one),
      );
    let recorded = ending;
    const committed = await write(request).catch((error: unknown) => {
      const { reasonCode, retryable, message } = asCasefileError(error);
      if (reasonCode !== 'store_error' || retryable) throw error;
      // What the database refuses it refuses again: the stage failed, and its run says why. What was paid is kept.
      log.error({ error }, 'what the stage came to was refused by the database');
      const { lease, results } = request;
      recorded = { move: moves.failed(lease, { reasonCode, message, retryInMs: null }), verdict: null };
      return write({ lease, results, move: recorded.move, inlineToolCalls: [], events: [] });
    });
    if (committed.kind === 'stale') {
      this.ports.telemetry.count(METRICS.stageStale, { stage: stage.name });
      return null;
    }
    this.ahead.written();
    this.measure(stage, work, recorded.move, journal);
    await this.handOver(work, recorded, committed.nudges);
    return null;
  }

  private measure(stage: Stage, work: ClaimedWork, move: Move, { replayed }: Journal): void {
    const { telemetry } = this.ports;
    measureAppended(telemetry, work, this.playbookOf(work), move);
    if (replayed > 0) telemetry.count(METRICS.stepsReplayed, { stage: stage.name }, replayed);
  }

  /** The next stage and its input from memory, where this process hosts it; null: it has to be claimed. */
  private nextOf(work: ClaimedWork, move: Move): Step | null {
    if (this.shared.isStopping() || this.held.signal.aborted) return null;
    const next = this.shared.flow.find(({ name }) => name === moves.nextOf(move)?.stage);
    if (next === undefined || !this.shared.direct.hosts(next.name)) return null;
    // Another version of the playbook works what it has begun by itself.
    if (this.playbookOf(work).version !== work.settings.playbookVersion) return null;
    const of = this.ahead.workOf(next, work, move);
    return of === null ? null : { stage: next, work: of };
  }

  /** Does this worker go on with the next stage itself, under the same lease? */
  private mayFollow({ app }: Stage, { stage: next, work: { lane } }: Step): boolean {
    const { direct } = this.shared;
    return (
      direct.mayFollow(next.name, lane, next.app === app) &&
      this.ahead.hasTimeLeft(lane, this.ports.clock.now())
    );
  }

  private async handOver(work: ClaimedWork, { move, verdict }: Ending, nudges: Nudge[]): Promise<void> {
    await this.shared.nudge(nudges);
    if (verdict === null) return;
    const { caseId, lane, settings, lease } = work;
    const at = { caseId, runId: lease.runId, playbook: settings.playbook, lane };
    const facts = verdictFacts(verdict, this.playbookOf(work).presenting);
    this.ports.log.info({ ...at, ...facts, promptIds: settings.promptIds }, 'verdict');
    if (move.delivery !== undefined) await this.ports.deliver({ deliveryId: move.delivery, ...at, verdict });
  }

  private async giveUp(work: ClaimedWork, thrown: unknown, log: Logger): Promise<void> {
    const reason: unknown = this.held.signal.aborted ? this.held.signal.reason : thrown;
    const code = reason instanceof CasefileError ? reason.reasonCode : 'unexpected';
    log.warn({ reason: code, error: code === 'unexpected' ? reason : undefined }, 'the stage was given up');
    if (code === 'stale_lease') return;
    // What ended before it stays done, and what was paid for it is kept.
    const soFar = this.ahead.commitSoFar(this.ports.clock.now());
    const writes = writesOf(this.ports.store, work.lane);
    const committed = soFar === null ? null : await writes.units.commit(soFar);
    if (committed?.kind === 'committed') await this.shared.nudge(committed.nudges);
    if (code !== 'stopping') throw reason;
    if (committed === null) await this.shared.nudge(await writes.units.release(this.ahead.lease));
  }
}
