import { asCasefileError, hasEnded, sleep, type EventRecord } from '@casefile/contracts';
import type { ConsoleClient, ShownCase } from '../client/console-client.js';
import type { DecidedCase } from '../output/verdict-line.js';
import { decidedCase } from '../settled.js';

/** Outcome of a run: its verdict, or the reason why it ended without one. */
export type Outcome = DecidedCase | { runId: string; caseId: string; without: string };

/** Maximum number of verdicts that wait for their details. Further verdicts are only counted. */
const MOST_WAITING = 100;
const LOOK_EVERY_MS = 300;
/** Delay between two attempts while the console is unavailable, in milliseconds. */
const COME_BACK_AFTER_MS = 1_000;
/** Number of reported runs to remember. Only recently reported runs can occur a second time. */
const MOST_REMEMBERED = 10_000;

export interface VerdictListener {
  verdict(decided: DecidedCase): void;
  /** Called if verdicts arrive faster than their details can be fetched. */
  skipped(count: number): void;
  /** Called if no more verdicts can be reported. The services continue. */
  lost(why: string): void;
}

/** Follows the event log and reports each verdict once. */
export class VerdictFollower {
  private readonly reportedRunIds = new Set<string>();
  private readonly waiting: EventRecord[] = [];
  private skippedCount = 0;
  private busy: Promise<void> | null = null;

  constructor(
    private readonly client: ConsoleClient,
    private readonly tell: VerdictListener,
    /** Aborted to stop following. */
    private readonly signal: AbortSignal,
  ) {}

  /** Follows the event log until the signal is aborted. Resolves once no later event can be missed. */
  async start(): Promise<{ ended: Promise<void> }> {
    const events = await this.client.events(null, this.signal);
    return {
      ended: this.follow(events).catch((error: unknown) => this.tell.lost(asCasefileError(error).message)),
    };
  }

  /**
   * Waits until each of these runs has ended or `withinMs` has passed, and reports their verdicts. Returns
   * the ended runs.
   */
  async outcomes(runs: readonly { runId: string; caseId: string }[], withinMs: number): Promise<Outcome[]> {
    const ended = new Map<string, Outcome>();
    const until = Date.now() + withinMs;
    while (!this.signal.aborted) {
      for (const run of runs.filter((it) => !ended.has(it.runId))) {
        const outcome = await this.look(run.caseId, run.runId);
        if (outcome !== null) ended.set(run.runId, outcome);
      }
      if (ended.size === new Set(runs.map((run) => run.runId)).size || Date.now() >= until) break;
      await sleep(LOOK_EVERY_MS, this.signal);
    }
    return [...ended.values()];
  }

  private async follow(events: AsyncIterable<EventRecord>): Promise<void> {
    for await (const event of events) {
      if (event.type !== 'verdict.decided' || event.caseId === null || event.runId === null) continue;
      // Verdicts that are not delivered belong to checks and evaluations, whose commands report them.
      if (event.data['deliveryId'] === null) continue;
      if (this.waiting.length >= MOST_WAITING) this.skippedCount += 1;
      else this.waiting.push(event);
      this.busy ??= this.fetchAll().finally(() => (this.busy = null));
    }
    await this.busy;
  }

  private async fetchAll(): Promise<void> {
    for (let event = this.waiting.shift(); event !== undefined; event = this.waiting.shift()) {
      if (event.caseId !== null && event.runId !== null && !this.reportedRunIds.has(event.runId))
        await this.look(event.caseId, event.runId);
    }
    if (this.skippedCount > 0) this.tell.skipped(this.skippedCount);
    this.skippedCount = 0;
  }

  private async look(caseId: string, runId: string): Promise<Outcome | null> {
    const shownCase = await this.fetchCase(caseId);
    const run = shownCase?.runs.find((candidate) => candidate.id === runId);
    if (shownCase === null || run === undefined || !hasEnded(run)) return null;
    return this.outcomeOf(shownCase, run);
  }

  private outcomeOf(shownCase: ShownCase, run: ShownCase['runs'][number]): Outcome {
    const decided = decidedCase(shownCase, run, this.client);
    if (decided === null)
      return { runId: run.id, caseId: shownCase.id, without: run.reasonCode ?? run.status };
    if (!this.reportedRunIds.has(run.id)) this.tell.verdict(decided);
    this.remember(run.id);
    return decided;
  }

  private remember(runId: string): void {
    this.reportedRunIds.add(runId);
    const [oldest] = this.reportedRunIds;
    if (this.reportedRunIds.size > MOST_REMEMBERED && oldest !== undefined)
      this.reportedRunIds.delete(oldest);
  }

  // Retries while the console is unavailable or restarting. null: there is no such case, or the signal was
  // aborted.
  private async fetchCase(caseId: string): Promise<ShownCase | null> {
    while (!this.signal.aborted) {
      try {
        return await this.client.getCase(caseId);
      } catch (thrown) {
        if (asCasefileError(thrown).reasonCode === 'unknown_case') return null;
        await sleep(COME_BACK_AFTER_MS, this.signal);
      }
    }
    return null;
  }
}
