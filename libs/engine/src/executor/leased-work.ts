import {
  asCasefileError,
  isWorkerError,
  missedEvidence,
  moveOfFailure,
  moves,
  recordedVerdict,
  verdictTransition,
  writesForLane,
  type ClaimedWork,
  type CommitRequest,
  type CommitResult,
  type FlowWrites,
  type IntentRequest,
  type Lease,
  type Logger,
  type Move,
  type Verdict,
} from '@casefile/contracts';
import { verdictChange, type Stage } from '@casefile/pipeline';
import { METRICS, SPANS } from '@casefile/telemetry';
import { liveWorld, type Opening, type World } from '../calls/live-world.js';
import { recordedWorld } from '../rerun/recorded-world.js';
import type { ExecutorLimits, ExecutorPorts } from './executor-ports.js';
import type { HostedStages, UnderWay } from './hosted-stages.js';
import { writeIterations } from '../delivery/iteration-log.js';
import { staleLease, type HeldLease } from '../leases/lease-keeper.js';
import {
  namedFault,
  endingOfTaken,
  toEnding,
  withRemarks,
  type Ending,
  workAttributes,
  measureAppended,
  verdictFacts,
} from './stage-end.js';
import { retryWhileStoreIsDown } from '../leases/retry-while-store-is-down.js';
import type { StageGuard } from './stage-guard.js';
import { contextHere, RunAhead, type FinishedStage } from './run-ahead.js';

/** State shared by all work of one process. */
export interface ExecutorContext {
  flow: readonly Stage[];
  ports: ExecutorPorts;
  limits: ExecutorLimits;
  hosted: HostedStages;
  underWay: UnderWay;
  guard: StageGuard;
  isStopping(): boolean;
  /** Duration of a new lease, in milliseconds. It is longer while this process is late. */
  leaseMs(): number;
}

/** One stage of a unit, and its input. */
interface Step {
  stage: Stage;
  work: ClaimedWork;
  log: Logger;
  /**
   * Runs code in the async context of the previous stage, so that this stage's span is a child of the
   * previous stage's span.
   */
  within?<T>(run: () => T): T;
}

/**
 * Executes the stages of a unit under one lease, one after the other, until the unit ends or is handed over.
 */
export class LeasedWork {
  private readonly ports: ExecutorPorts;
  private readonly writes: FlowWrites;
  private readonly ahead: RunAhead;
  /**
   * The write of ended stages that is in progress; null: there is none. The write returns a new lease. A model
   * call that starts meanwhile needs this lease, so it waits for the write.
   */
  private catchingUp: Promise<void> | null = null;

  constructor(
    private readonly context: ExecutorContext,
    private readonly heldLease: HeldLease<Lease>,
    claimed: ClaimedWork,
  ) {
    this.ports = context.ports;
    this.writes = writesForLane(this.ports.store, claimed.lane);
    this.ahead = new RunAhead(claimed, this.ports.clock.now());
  }

  async run(stage: Stage, work: ClaimedWork): Promise<void> {
    for (let step: Step | null = this.step(stage, work); step !== null;) step = await this.observe(step);
  }

  private step(stage: Stage, work: ClaimedWork): Step {
    const { caseId, lease } = work;
    return { stage, work, log: this.ports.log.child({ caseId, runId: lease.runId, stage: stage.name }) };
  }

  /** Executes a step in its span and measures its duration. */
  private async observe(step: Step): Promise<Step | null> {
    const { stage, work, within } = step;
    const { clock, telemetry } = this.ports;
    const execute = async () => {
      const started = clock.now();
      const releaseSlot = this.context.hosted.begin(stage.name, work.lane);
      const [name, facts] = [`${SPANS.stage} ${stage.name}`, workAttributes(work)];
      try {
        return await telemetry.span(name, facts, () => this.execute(step), { trace: work.trace });
      } finally {
        releaseSlot();
        const labels = { stage: stage.name, lane: work.lane };
        telemetry.measure(METRICS.stageDuration, (clock.now() - started) / 1000, labels);
      }
    };
    const workLabel = { stage: stage.name, runId: work.lease.runId };
    const observed = () => this.context.underWay.during(workLabel, execute);
    return within === undefined ? observed() : within(observed);
  }

  /**
   * Executes a stage. @returns the next step under this lease; null: the unit was handed over or released.
   */
  private async execute(step: Step): Promise<Step | null> {
    try {
      const world = await this.open(step);
      const taken = await this.takenEnding(step);
      const ending = taken ?? (await this.compared(step, world, await this.runStage(step, world)));
      const ended = this.endedOf(step, world, ending.move);
      const next = this.nextOf(step, world, ending.move);
      if (next === null) await this.handOver(step, world, ending, ended);
      else {
        this.ahead.note(ended);
        this.measure(step, world, ending.move);
      }
      return next;
    } catch (thrown) {
      await this.giveUp(step, thrown);
      return null;
    }
  }

  private async open({ work, log }: Step): Promise<World> {
    const { ports, limits } = this.context;
    const { deadlinePauseMs } = limits;
    const intend: Opening['intend'] = (intent) => this.intend(work.lease.stage, log, intent);
    const { signal } = this.heldLease;
    const prompts = await retryWhileStoreIsDown(signal, log, () => ports.storedPrompts.ofRun(work.settings));
    const opening = { ports, deadlinePauseMs, work, prompts, log, signal, intend };
    const { recorded } = work.settings;
    return recorded === undefined ? liveWorld(opening) : recordedWorld(opening, recorded);
  }

  // A case of a storm gets the verdict of the judged case instead of running its first stage.
  private async takenEnding({ stage, work, log }: Step): Promise<Ending | null> {
    const { flow, ports } = this.context;
    if (work.settings.storm?.role !== 'member' || stage.name !== flow[0]?.name) return null;
    const taken = await retryWhileStoreIsDown(this.heldLease.signal, log, () => ports.takenVerdict(work));
    return taken === null ? null : endingOfTaken(ports, work, taken);
  }

  // A stage that ends after the process was asked to stop is still recorded, because its model calls are paid
  // for. If another worker has claimed the unit meanwhile, the epoch makes the write stale.
  private async runStage({ stage, work, log }: Step, { ports, journal }: World): Promise<Ending> {
    try {
      const artifact = await this.context.guard.run(ports, (guarded) => stage.run(work, guarded));
      const outcome = withRemarks(stage.appends, artifact, journal.remarks);
      return toEnding({ flow: this.context.flow, ids: this.ports.ids }, stage, work, outcome);
    } catch (thrown) {
      this.heldLease.signal.throwIfAborted();
      const missed = missedEvidence(work.lease, thrown);
      if (missed !== null) return { move: missed, verdict: null };
      if (isWorkerError(thrown)) throw thrown;
      const fault = namedFault(thrown, work);
      const move = moveOfFailure(work.lease, fault, work.failures);
      this.ports.telemetry.count(METRICS.stageFailed, { stage: stage.name });
      log.error({ error: fault, outcome: move.unit }, 'the stage failed');
      return { move, verdict: null };
    }
  }

  // A verdict on which receivers would act as before is recorded, and not sent again.
  private async compared(
    { work: { settings }, log }: Step,
    { ports: { playbook } }: World,
    ending: Ending,
  ): Promise<Ending> {
    const { move, verdict } = ending;
    const { comparedWithRun } = settings;
    if (verdict === null || move.delivery === undefined || comparedWithRun === undefined) return ending;
    const { deliveries } = this.ports.store;
    const earlier = await retryWhileStoreIsDown(this.heldLease.signal, log, () =>
      deliveries.of(comparedWithRun),
    );
    if (earlier === null) return ending;
    // Receivers do not have a verdict that a silence withheld.
    const isWithheld = await retryWhileStoreIsDown(this.heldLease.signal, log, () =>
      deliveries.isWithheld(comparedWithRun),
    );
    if (isWithheld) return ending;
    const change = verdictChange(playbook, recordedVerdict(earlier.verdict), verdict);
    const run = { leads: true, isOvertaken: false, isOutward: true, change };
    return verdictTransition(run).leaves ? ending : { verdict, move: { ...move, isUnchanged: true } };
  }

  private endedOf({ stage }: Step, world: World, move: Move): FinishedStage {
    return {
      stage: stage.name,
      move,
      results: world.journal.takeResults(),
      inlineToolCalls: world.tools.takeInlineCalls(move.unit.failed === true),
      answersRead: world.reads?.takeReads() ?? [],
      events: world.journal.events,
      endedAt: this.ports.clock.now(),
    };
  }

  /** Returns the next step if this worker may continue under its lease; null: the unit is handed over. */
  private nextOf({ stage, work }: Step, { ports: { playbook } }: World, move: Move): Step | null {
    const { flow, hosted, limits, isStopping } = this.context;
    const next = flow.find(({ name }) => name === moves.moveNext(move)?.stage);
    if (next === undefined || !hosted.has(next.name) || isStopping() || this.heldLease.signal.aborted)
      return null;
    const isNear = next.app === stage.app || (limits.handOnDirectly && hosted.isFree(next.name, work.lane));
    // A run that began with another version of the playbook may need other inputs for a stage. It is handed
    // over after each stage, so that the next claim loads the right inputs.
    if (!isNear || playbook.version !== work.settings.playbookVersion) return null;
    if (!this.ahead.mayContinue(this.ports.clock.now())) return null;
    const input = this.ahead.inputOf(next, work, move);
    return input === null ? null : { ...this.step(next, input), within: contextHere() };
  }

  /** Writes all ended stages, then sends the nudges and the verdict. */
  private async handOver(step: Step, world: World, ending: Ending, ended: FinishedStage): Promise<void> {
    const { stage, work, log } = step;
    const request = this.ahead.commitOf(ended, ended.endedAt);
    let { move, verdict } = ending;
    const committed = await this.commit(request, log).catch((error: unknown) => {
      const { reasonCode, retryable, message } = asCasefileError(error);
      if (reasonCode !== 'store_error' || retryable) throw error;
      // The database would refuse the same write again, so the stage is recorded as failed with this error.
      // Paid results are written with it and are not paid for again.
      log.error({ error }, 'the database refused the end of the stage');
      const { lease, results } = request;
      move = moves.failStep(lease, { reasonCode, message, retryInMs: null });
      verdict = null;
      return this.commit({ lease, results, move, inlineToolCalls: [], events: [] }, log);
    });
    if (committed.kind === 'stale')
      return this.ports.telemetry.count(METRICS.stageStale, { stage: stage.name });
    this.ahead.written();
    this.measure(step, world, move);
    await this.ports.nudger.nudge(committed.nudges);
    if (verdict === null) return;
    await this.deliver(work, world, verdict, committed.isSilent === true ? undefined : move.delivery);
  }

  private async deliver(
    { caseId, lane, settings, lease }: ClaimedWork,
    { ports: { playbook } }: World,
    verdict: Verdict,
    deliveryId: string | undefined,
  ): Promise<void> {
    const at = { caseId, runId: lease.runId, playbook: settings.playbook, lane };
    const facts = verdictFacts(verdict, playbook.presenting);
    this.ports.log.info({ ...at, ...facts, promptIds: settings.promptIds }, 'verdict');
    if (deliveryId === undefined) return;
    await this.ports.outbox.deliver({ deliveryId, ...at, verdict });
    const { store, playbooks, log, iterations: folder } = this.ports;
    if (folder !== null) await writeIterations({ record: store.record, playbooks, log, folder }, at);
  }

  private measure(
    { stage, work }: Step,
    { ports: { playbook }, journal: { replayed } }: World,
    move: Move,
  ): void {
    const { telemetry } = this.ports;
    measureAppended(telemetry, work, playbook, move);
    if (replayed > 0) telemetry.count(METRICS.stepsReplayed, { stage: stage.name }, replayed);
  }

  private commit(request: CommitRequest, log: Logger): Promise<CommitResult> {
    return retryWhileStoreIsDown(this.heldLease.signal, log, () => this.writes.units.commit(request));
  }

  /**
   * Writes the intent of a paid call, together with the stages that ended before. After a crash, the record
   * then contains every result that the call was based on.
   */
  private async intend(stage: string, log: Logger, intent: Omit<IntentRequest, 'lease'>): Promise<boolean> {
    const writeIntent = (lease: Lease) =>
      retryWhileStoreIsDown(this.heldLease.signal, log, () =>
        this.writes.interactions.intend({ ...intent, lease }),
      );
    if (this.catchingUp !== null) await this.catchingUp;
    const soFar = this.ahead.commitSoFar(this.ports.clock.now());
    if (soFar === null) return writeIntent(this.ahead.lease);
    // Commit and intent are requested together, so that one transaction writes both. The commit raises the
    // epoch by 1, so the intent can use the new lease before the commit returns it.
    const caughtUp = (this.catchingUp = this.catchUp(soFar, log).finally(() => (this.catchingUp = null)));
    const intended = writeIntent({ ...soFar.lease, stage, epoch: soFar.lease.epoch + 1 });
    intended.catch(() => undefined);
    await caughtUp;
    return intended;
  }

  /** Writes the ended stages and claims the running one. @throws CasefileError `stale_lease`. */
  private async catchUp(soFar: CommitRequest, log: Logger): Promise<void> {
    const claimed = await this.heldLease.replace(async () => {
      const committed = await this.commit({ ...soFar, claimForMs: this.context.leaseMs() }, log);
      if (committed.kind === 'stale' || committed.lease === undefined) throw staleLease();
      return committed.lease;
    });
    this.ahead.written(claimed);
  }

  /**
   * Ends a stage without a result: writes the stages that ended before it. If the process stops, it also
   * releases the unit, so that another worker can claim it without waiting for the lease to expire.
   */
  private async giveUp({ log }: Step, thrown: unknown): Promise<void> {
    const reason: unknown = this.heldLease.signal.aborted ? this.heldLease.signal.reason : thrown;
    const { reasonCode } = asCasefileError(reason);
    log.warn(
      { reason: reasonCode, error: reasonCode === 'unexpected' ? reason : undefined },
      'the stage was abandoned',
    );
    if (reasonCode === 'stale_lease') return;
    const soFar = this.ahead.commitSoFar(this.ports.clock.now());
    const committed = soFar === null ? null : await this.writes.units.commit(soFar);
    if (committed?.kind === 'committed') await this.ports.nudger.nudge(committed.nudges);
    if (reasonCode !== 'stopping') throw reason;
    if (committed === null) await this.ports.nudger.nudge(await this.writes.units.release(this.ahead.lease));
  }
}
