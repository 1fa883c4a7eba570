import {
  asCasefileError,
  InvalidInput,
  isWorkerError,
  recordedVerdict,
  type BatchAtWork,
  type Batches,
  type Clock,
  type Logger,
  type WaitingMember,
  MOST_PREVIEWED,
  type BatchChoice,
  type BatchPreview,
  type CaseStore,
  type Destinations,
  type PreviewedMember,
} from '@casefile/contracts';
import { verdictChange, type Playbook } from '@casefile/pipeline';
import { outwardMessage, type OutwardPorts } from '@casefile/engine';
import type { Rerun } from './rerun.js';
import { configuredFirst } from '../config/added-destinations.js';
import type { ConfiguredDestination } from '../config/destination-settings.js';
import { labelsAsked, messageDeliveries } from '../destinations/new-deliveries.js';

export interface BatchDriverPorts {
  batches: Pick<
    Batches,
    | 'atWork'
    | 'waitingMembers'
    | 'markOpened'
    | 'hold'
    | 'membersToCompare'
    | 'markCompared'
    | 'membersToApply'
    | 'applyMembers'
  >;
  /** Playbooks, which determine the effects of their verdicts, and what receivers act on. */
  playbooks: readonly Pick<Playbook, 'name' | 'outward' | 'presenting'>[];
  rerun: Pick<Rerun, 'openMember'>;
  clock: Clock;
  log: Logger;
}

export interface BatchLimits {
  /**
   * Runs of one batch that are open concurrently. The limit makes a pause take effect soon and keeps queues
   * short.
   */
  open: number;
  /** Verdicts that are compared or applied in one write. */
  applied: number;
  /** Runs that are opened concurrently. */
  atOnce: number;
}

const LIMITS: BatchLimits = { open: 200, applied: 200, atOnce: 8 };

/**
 * Opens the runs of batches, at their rate and within their budgets, and applies results. All progress is on
 * the record, so that another process can continue.
 */
export class BatchDriver {
  /** Time of the last rate check per batch, and the share of a run that was left over. */
  private readonly paces = new Map<string, { at: number; share: number }>();

  constructor(
    private readonly ports: BatchDriverPorts,
    private readonly limits: BatchLimits = LIMITS,
  ) {}

  /**
   * One pass. @throws if the store does not answer.
   * @param stop Aborted when the process stops. The pass then ends after the runs that are being opened.
   */
  async tick(stop: AbortSignal = new AbortController().signal): Promise<boolean> {
    const batches = await this.ports.batches.atWork();
    for (const batch of batches) {
      if (stop.aborted) break;
      await this.advance(batch, stop);
    }
    for (const id of this.paces.keys()) if (!batches.some((batch) => batch.id === id)) this.paces.delete(id);
    return batches.length > 0;
  }

  // Code of a kind reads recorded verdicts. If it throws, the other batches go on.
  private async advance(batch: BatchAtWork, stop: AbortSignal): Promise<void> {
    try {
      if (batch.state === 'applying') return await this.apply(batch.id);
      await this.open(batch, stop);
      await this.compare(batch.id);
    } catch (thrown) {
      if (isOutage(thrown)) throw thrown;
      this.ports.log.error({ batchId: batch.id, error: thrown }, 'a batch cannot go on');
    }
  }

  private async compare(batchId: string): Promise<void> {
    const { batches } = this.ports;
    const members = await batches.membersToCompare(batchId, this.limits.applied);
    const changes = this.ofKnownKinds(batchId, members, ({ position, earlier, verdict }, playbook) => ({
      position,
      change: verdictChange(
        playbook,
        earlier === null ? null : recordedVerdict(earlier),
        recordedVerdict(verdict),
      ),
    }));
    if (changes.length > 0) await batches.markCompared(batchId, changes);
  }

  private async apply(batchId: string): Promise<void> {
    const members = await this.ports.batches.membersToApply(batchId, this.limits.applied);
    const applied = this.ofKnownKinds(batchId, members, ({ position, verdict }, playbook) => ({
      position,
      effects: playbook.outward(recordedVerdict(verdict)).effects,
    }));
    await this.ports.batches.applyMembers(batchId, applied);
  }

  // This process does not know what a verdict of an unknown kind means, so the verdict waits for a process that does.
  private ofKnownKinds<T extends { playbook: string }, R>(
    batchId: string,
    members: readonly T[],
    map: (member: T, playbook: BatchDriverPorts['playbooks'][number]) => R,
  ): R[] {
    const results = members.flatMap((member) => {
      const playbook = this.ports.playbooks.find(({ name }) => name === member.playbook);
      return playbook === undefined ? [] : [map(member, playbook)];
    });
    if (results.length < members.length)
      this.ports.log.warn({ batchId }, 'verdicts of an unknown kind wait for a process that has the kind');
    return results;
  }

  private async open(batch: BatchAtWork, stop: AbortSignal): Promise<void> {
    if (batch.held > 0) return this.hold(batch);
    if (batch.waiting === 0) return;
    const affordable = affordableRuns(batch);
    if (affordable === 0 && batch.open === 0) return this.hold(batch);
    const mostRuns = Math.min(this.limits.open - batch.open, affordable, batch.waiting);
    const count = this.paced(batch, Math.max(0, mostRuns));
    if (count === 0) return;
    const members = await this.ports.batches.waitingMembers(batch.id, count);
    const opened: number[] = [];
    const failed: { position: number; message: string }[] = [];
    for (let first = 0; first < members.length && !stop.aborted; first += this.limits.atOnce) {
      const some = members.slice(first, first + this.limits.atOnce);
      await Promise.all(some.map((member) => this.openOne(batch, member, { opened, failed })));
    }
    await this.ports.batches.markOpened(batch.id, opened, failed);
  }

  private async hold(batch: BatchAtWork): Promise<void> {
    await this.ports.batches.hold(batch, 'its budget is used up');
  }

  private async openOne(
    { id, ask: { lane = 'batch', evidence, settings } }: BatchAtWork,
    member: WaitingMember,
    results: { opened: number[]; failed: { position: number; message: string }[] },
  ): Promise<void> {
    const ask = {
      lane,
      ...(evidence === undefined ? {} : { evidence }),
      ...(settings === undefined ? {} : { settings }),
    };
    try {
      const { twinRunId } = member;
      await this.ports.rerun.openMember({ ...member, batchId: id }, ask);
      if (twinRunId !== null)
        await this.ports.rerun.openMember({ ...member, runId: twinRunId, batchId: id }, ask);
      results.opened.push(member.position);
    } catch (thrown) {
      const error = asCasefileError(thrown);
      // The case is opened in the next pass.
      if (isOutage(thrown)) throw thrown;
      this.ports.log.warn(
        { batchId: id, caseId: member.caseId, error },
        'a case of a batch cannot be judged again',
      );
      results.failed.push({ position: member.position, message: inWords(thrown) });
    }
  }

  // Returns how many runs fit the rate. A process that continues a batch starts with room for at most one
  // run, so that the rate is never exceeded.
  private paced({ id, ask: { ratePerSecond } }: BatchAtWork, mostRuns: number): number {
    if (ratePerSecond === undefined) return mostRuns;
    const now = this.ports.clock.now();
    const { at, share } = this.paces.get(id) ?? { at: now, share: Math.min(1, ratePerSecond) };
    const room = share + Math.min((now - at) / 1000, MOST_BEHIND_S) * ratePerSecond;
    const count = Math.min(mostRuns, Math.floor(room));
    this.paces.set(id, { at: now, share: Math.min(room - count, ratePerSecond * MOST_BEHIND_S) });
    return count;
  }
}

/** Returns whether the cause is no case and no kind. */
function isOutage(thrown: unknown): boolean {
  const error = asCasefileError(thrown);
  return error.retryable || isWorkerError(error) || error.reasonCode === 'store_error';
}

/** Longest delay of a pass that later passes catch up with, in seconds. */
const MOST_BEHIND_S = 5;

/** Returns the number of runs that the budget has room for. Each open run counts at the expected cost. */
export function affordableRuns({ ask: { budgetUsd }, costUsd, open, expectedUsd }: BatchAtWork): number {
  if (budgetUsd === undefined) return Number.MAX_SAFE_INTEGER;
  const remainingUsd = budgetUsd - costUsd - open * expectedUsd;
  if (remainingUsd <= 0) return 0;
  return expectedUsd <= 0 ? Number.MAX_SAFE_INTEGER : Math.floor(remainingUsd / expectedUsd + 1e-9);
}

function inWords(thrown: unknown): string {
  if (thrown instanceof InvalidInput)
    return thrown.problems.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return asCasefileError(thrown).message;
}

/** Members that are read in one query. */
const PAGE = 200;

type ShownDestination = Pick<ConfiguredDestination, 'name' | 'type' | 'when'>;

export interface PreviewPorts extends Pick<OutwardPorts, 'playbooks'> {
  store: Pick<CaseStore, 'engagements'> & {
    batches: Pick<Batches, 'preview'>;
    destinations: Pick<Destinations, 'added' | 'labels'>;
  };
  /** Destinations of the configuration. */
  destinations: readonly ShownDestination[];
  answerWithinHours: Readonly<Record<string, number>>;
  now(): number;
}

/** Counts what applying chosen cases of a batch would do now. It examines at most `MOST_PREVIEWED` new verdicts. */
export async function previewApply(
  ports: PreviewPorts,
  batchId: string,
  choice: BatchChoice,
): Promise<BatchPreview> {
  const { store } = ports;
  const added = (await store.destinations.added()).map(({ name, entry }) => ({ ...entry, name }));
  const destinations = configuredFirst(ports.destinations, added);
  const receivers = new Map(destinations.map(({ name }) => [name, 0]));
  const results = { applied: 0, by_person: 0, unchanged: 0, overtaken: 0 };
  let [examined, messages, after, hasMore] = [0, 0, -1, true];
  while (hasMore && examined < MOST_PREVIEWED) {
    const members = await store.batches.preview(batchId, choice, after, PAGE + 1);
    hasMore = members.length > PAGE;
    for (const member of members.slice(0, PAGE)) {
      examined += 1;
      after = member.position;
      results[member.result] += 1;
      if (!member.sends) continue;
      messages += 1;
      for (const name of await receiversOf(ports, destinations, member))
        receivers.set(name, (receivers.get(name) ?? 0) + 1);
    }
  }
  return {
    examined,
    hasMore,
    applied: results.applied,
    messages,
    decidedByPerson: results.by_person,
    unchanged: results.unchanged,
    overtaken: results.overtaken,
    receivers: [...receivers]
      .filter(([, count]) => count > 0)
      .map(([destination, count]) => ({ destination, messages: count })),
  };
}

/** Returns the destination of each message that the verdict of a member leads to. */
async function receiversOf(
  ports: PreviewPorts,
  destinations: readonly ShownDestination[],
  { caseId, runId, playbook, verdict }: PreviewedMember,
): Promise<string[]> {
  // The delivery of an applied verdict has the id of its run.
  const about = { deliveryId: runId, caseId, runId, playbook, lane: 'batch' };
  const message = await outwardMessage(ports, { ...about, verdict: recordedVerdict(verdict) });
  if (message === null) return [];
  const labels = await labelsAsked(ports.store, destinations, runId);
  const at = { now: ports.now(), answerWithinHours: ports.answerWithinHours };
  return destinations.flatMap((one) =>
    messageDeliveries(one, message, labels, at).map(({ destination }) => destination),
  );
}
