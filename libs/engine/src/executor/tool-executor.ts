import { createHash } from 'node:crypto';
import {
  asCasefileError,
  STORED_PAGE,
  parseInput,
  writesForLane,
  z,
  type CaseStore,
  type Clock,
  type FlowWrites,
  type Ids,
  type Json,
  type JsonObject,
  type Logger,
  type Telemetry,
  type ToolCall,
  type ToolClaimResult,
  type ToolJob,
  type ToolLease,
  type ToolModel,
  type ToolRunner,
  type WorkLane,
} from '@casefile/contracts';
import { ask, summariseResult, type PromptTexts } from '@casefile/pipeline';
import { ATTRIBUTES, METRICS, SPANS } from '@casefile/telemetry';
import type { RunModels } from '../calls/model-plan.js';
import type { SharedCalls } from '../calls/journal.js';
import { LeaseKeeper, type HeldLease } from '../leases/lease-keeper.js';
import { retryWhileStoreIsDown, runWhileStoreIsDown } from '../leases/retry-while-store-is-down.js';
import type { ModelFeatures } from '../calls/model-features.js';
import type { Nudger } from './nudger.js';
import { ToolJournal } from '../calls/tool-journal.js';

export interface ToolExecutorPorts {
  store: CaseStore;
  nudger: Pick<Nudger, 'nudge'>;
  runner: ToolRunner;
  models: RunModels;
  prompts: PromptTexts;
  /** Ports shared by all model calls of this process. */
  calls: SharedCalls;
  modelFeatures: ModelFeatures;
  clock: Clock;
  ids: Ids;
  log: Logger;
  telemetry: Telemetry;
}

type ClaimedToolCall = Extract<ToolClaimResult, { kind: 'claimed' }>;

/**
 * Steps of the summary in the call's journal, chosen so that they do not collide with steps of tools that ask
 * a model.
 */
const SUMMARY_STEPS = [1_001, 1_002] as const;
const SUMMARY_WITHIN_MS = 60_000;

const toolJobSchema: z.ZodType<ToolJob> = z.object({ toolCallId: z.uuid() });

/** Executes one tool call that is a separate job. The last call of a step wakes its unit. */
export class ToolExecutor {
  private readonly keeper: LeaseKeeper<ToolLease>;

  constructor(
    private readonly ports: ToolExecutorPorts,
    leaseMs: number,
  ) {
    const renew = (leases: ToolLease[], ms: number) =>
      writesForLane(ports.store, 'live').toolCalls.renew(leases, ms);
    this.keeper = new LeaseKeeper(renew, leaseMs, ports.log);
  }

  get active(): number {
    return this.keeper.size;
  }

  stop(): void {
    this.keeper.stopAll();
  }

  /**
   * Handles one job of a tool's queue, which `Nudger.nudge` sends, of this lane.
   * @throws only errors of the worker itself.
   */
  async handle(payload: unknown, lane: WorkLane = 'live'): Promise<void> {
    const { toolCallId } = parseInput(toolJobSchema, payload, 'job of a tool queue');
    const writes = writesForLane(this.ports.store, lane);
    const claim = await writes.toolCalls.claim(toolCallId, this.keeper.leaseMs);
    if (claim.kind === 'refused') return this.ports.nudger.nudge(claim.nudges);
    const heldLease = this.keeper.hold(claim.lease);
    try {
      await this.work(claim, heldLease, writes);
    } finally {
      heldLease.end();
    }
  }

  private async work(
    claim: ClaimedToolCall,
    heldLease: HeldLease<ToolLease>,
    writes: FlowWrites,
  ): Promise<void> {
    const { call, lease, trace } = claim;
    const { log, telemetry, runner } = this.ports;
    const journal = new ToolJournal(claim, { ...this.ports, store: writes }, heldLease.signal);
    const attributes = {
      [ATTRIBUTES.operation]: SPANS.tool,
      [ATTRIBUTES.toolName]: call.tool,
      [ATTRIBUTES.runId]: call.runId,
    };
    const { whole, ...settled } = await telemetry.span(
      `${SPANS.tool} ${call.tool}`,
      attributes,
      () =>
        runWhileStoreIsDown(heldLease.signal, log, () =>
          runner.run(call.tool, call.args, heldLease.signal, journal, call.runId),
        ),
      { trace },
    );
    const summary = whole === undefined ? null : await this.summaryOf(call, whole, journal);
    const more = journal.end();
    if (heldLease.signal.aborted) return this.giveUp(lease, heldLease.signal, writes);
    const attempts = call.attempts + settled.attempts;
    // Stored before the call is settled, because the settled call refers to the stored text.
    if (whole !== undefined)
      settled.result = await this.storeFullText(
        call,
        whole,
        { ...(settled.result as JsonObject), ...summary },
        heldLease.signal,
      );
    const { nudges } = await retryWhileStoreIsDown(heldLease.signal, log, () =>
      writes.toolCalls.settle(lease, { ...settled, attempts }, more),
    );
    telemetry.count(METRICS.toolCalls, { tool: call.tool, state: settled.state });
    await this.ports.nudger.nudge(nudges);
  }

  /**
   * Returns a model's summary of a long result; null: there is no model or no answer. The beginning and end
   * of the result are shown in either case.
   */
  private async summaryOf(
    { tool, args }: ToolCall,
    text: string,
    model: ToolModel,
  ): Promise<{ summary: string } | null> {
    if (!model.available) return null;
    const { clock, log, prompts } = this.ports;
    const question = summariseResult({ tool, args, text }, prompts);
    const draw = { seed: model.seed, deadlineAt: clock.now() + SUMMARY_WITHIN_MS };
    try {
      const reply = await ask(question, { model, draw, steps: SUMMARY_STEPS });
      return 'value' in reply ? { summary: reply.value } : null;
    } catch (error) {
      log.warn({ tool, reason: asCasefileError(error).reasonCode }, 'a long result was not summed up');
      return null;
    }
  }

  /** Stores the full text of a long result. @returns the reference that replaces it on the call. */
  private async storeFullText(
    call: ToolCall,
    text: string,
    excerpt: JsonObject,
    signal: AbortSignal,
  ): Promise<Json> {
    const { id: toolCallId, runId } = call;
    const sha256 = createHash('sha256').update(text).digest('hex');
    await retryWhileStoreIsDown(signal, this.ports.log, () =>
      this.ports.store.storedResults.keep({ toolCallId, runId, text, sha256 }),
    );
    const pages = Math.ceil(text.length / STORED_PAGE);
    return { stored: { id: toolCallId, characters: text.length, pages, sha256 }, ...excerpt };
  }

  private async giveUp(lease: ToolLease, signal: AbortSignal, writes: FlowWrites): Promise<void> {
    const reason = signal.reason as { reasonCode?: string };
    if (reason.reasonCode !== 'stopping') return;
    await this.ports.nudger.nudge(await writes.toolCalls.release(lease));
  }
}
