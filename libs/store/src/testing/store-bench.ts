import type {
  CaseStore,
  AcceptRequest,
  AcceptResult,
  ClaimedWork,
  ClaimRequest,
  CommitRequest,
  CommitResult,
  EventRecord,
  Ids,
  IntentRequest,
  InteractionResult,
  JsonObject,
  Lease,
  Move,
  Reservation,
  ToolClaimResult,
  ToolIntentRequest,
  ToolLease,
  ToolSettlement,
  VerdictEffect,
} from '@casefile/contracts';
import { moves } from '@casefile/contracts';
import { aClaimRequest, anAcceptRequest } from '@casefile/contracts/testing';

type Accepted = Extract<AcceptResult, { kind: 'accepted' }>;
type Committed = Extract<CommitResult, { kind: 'committed' }>;
type ClaimedCall = Extract<ToolClaimResult, { kind: 'claimed' }>;

/** Returns the end of the stage at a lease. */
type End = (at: Lease) => Move;
type Advance = Parameters<typeof moves.advanceUnit>[1];

/** A verdict with the fields that the store reads. */
export const aVerdict = (action = 'act'): JsonObject => ({
  outcome: { action },
  disposition: 'act',
  confidence: 0.9,
  confidenceSource: 'llm',
  method: 'llm',
  reasons: [],
  citations: [],
  degraded: false,
  decidedAt: '2026-01-05T10:00:00.000Z',
});

/** The usual steps of tests. Each step fails if the store behaves unexpectedly. */
export class StoreBench {
  constructor(
    readonly store: CaseStore,
    readonly ids: Ids,
    private readonly settled: () => Promise<void>,
  ) {}

  request(over: Partial<AcceptRequest> = {}): AcceptRequest {
    return anAcceptRequest(this.ids, over);
  }

  async accept(over: Partial<AcceptRequest> = {}): Promise<Accepted> {
    const result = await this.store.runs.accept(this.request(over));
    if (result.kind !== 'accepted') throw new Error(`not accepted: ${JSON.stringify(result)}`);
    return result;
  }

  async claim(runId: string, over: Partial<ClaimRequest> = {}): Promise<ClaimedWork> {
    const result = await this.store.units.claim(aClaimRequest(runId, over));
    if (result.kind !== 'claimed') throw new Error(`not claimed: ${JSON.stringify(result)}`);
    return result.work;
  }

  commitRequest(lease: Lease, end: End, over: Partial<CommitRequest> = {}): CommitRequest {
    const { stage = lease.stage } = over;
    return { lease, move: end({ ...lease, stage }), results: [], inlineToolCalls: [], events: [], ...over };
  }

  async commit(lease: Lease, end: End, over: Partial<CommitRequest> = {}): Promise<Committed> {
    const result = await this.store.units.commit(this.commitRequest(lease, end, over));
    if (result.kind !== 'committed') throw new Error('stale');
    return result;
  }

  /** Appends `{ text }` as a brief unless `over` says otherwise, and moves to the next stage. */
  advance(lease: Lease, stage: string, over: Partial<Advance> = {}, round = lease.round) {
    return this.commit(lease, advanceTo(stage, { next: { stage, round }, ...over }));
  }

  /** Creates a run that is due at `stage`, with a newly accepted alert. */
  async dueAt(stage: string, over: Partial<AcceptRequest> = {}): Promise<Accepted> {
    const accepted = await this.accept(over);
    const { lease } = await this.claim(accepted.runId);
    await this.advance(lease, stage);
    return accepted;
  }

  async decide(
    runId: string,
    over: {
      stage?: string;
      body?: JsonObject;
      deliveryId?: string | null;
      effects?: VerdictEffect[];
    } = {},
  ): Promise<void> {
    const { lease } = await this.claim(runId, { stage: over.stage ?? 'triage' });
    const { body = aVerdict(), deliveryId = this.ids.id(), effects } = over;
    const verdict = { artifact: { name: 'verdict' as const, body }, deliveryId, effects };
    await this.commit(lease, (at) => moves.decideRun(at, verdict));
  }

  /** Suspends the unit until `tools` have answered. Returns the ids of the calls. */
  async suspend(
    lease: Lease,
    tools: string[],
    over: Partial<Parameters<typeof moves.suspendUnit>[1]> = {},
  ): Promise<string[]> {
    const calls = tools.map((tool) => ({ id: this.ids.id(), tool, args: { asked: tool } }));
    await this.commit(lease, (at) => moves.suspendUnit(at, { step: 1, calls, timeoutMs: 60_000, ...over }));
    return calls.map((call) => call.id);
  }

  async claimCall(id: string, leaseMs = 6_000): Promise<ClaimedCall> {
    const result = await this.store.toolCalls.claim(id, leaseMs);
    if (result.kind !== 'claimed') throw new Error(`call not claimed: ${JSON.stringify(result)}`);
    return result;
  }

  async settle(id: string, over: Partial<ToolSettlement> = {}) {
    return this.store.toolCalls.settle((await this.claimCall(id)).lease, aSettlement(over));
  }

  intent(
    lease: Lease,
    over: Partial<IntentRequest['interaction']> = {},
    results: InteractionResult[] = [],
  ): IntentRequest {
    const question = {
      provider: 'openai',
      model: 'm-1',
      promptId: 'triage@1',
      requestHash: 'h1',
      request: { messages: [] },
    };
    const draw = { seed: 'ab12', deadlineAt: 1_767_607_200_000 };
    return {
      lease,
      results,
      interaction: { id: this.ids.id(), step: 1, attempt: 1, ...question, draw, ...over },
    };
  }

  /** Returns the intent of a tool's model call, under the lease of its tool call. */
  toolIntent(
    lease: ToolLease,
    over: Partial<IntentRequest['interaction']> = {},
    results: InteractionResult[] = [],
  ): ToolIntentRequest {
    const stageLease = { runId: '', unit: '', stage: '', round: 1, epoch: 1 };
    const { interaction } = this.intent(stageLease, { promptId: 'pi-search/choose@2', ...over });
    return { lease, results, interaction };
  }

  /** Lets searches find all texts so far. */
  async searched(): Promise<void> {
    await this.settled();
    await this.store.searchWords.note(10_000);
  }

  /** Returns all events so far, oldest first. */
  async events(): Promise<EventRecord[]> {
    await this.settled();
    return this.store.record.eventsAfter(null, 10_000);
  }

  async eventTypes(): Promise<string[]> {
    return (await this.events()).map((event) => event.type);
  }
}

export function advanceTo(stage: string, over: Partial<Advance> = {}): End {
  const artifact = { name: 'brief' as const, body: { text: `for ${stage}` } };
  const onward = { artifact, next: { stage, round: 1 }, joinStage: null, units: [], ...over };
  return (at) => moves.advanceUnit(at, onward);
}

/** Returns a reservation of 100 in the budget of a day. */
export function aReservation(over: Partial<Reservation> = {}): Reservation {
  const budget = { key: 'day:usd', window: '2026-01-05', measure: 'usd' as const };
  return { ...budget, amount: 100, limit: 1_000, softAt: 800, ...over };
}

export function aSettlement(over: Partial<ToolSettlement> = {}): ToolSettlement {
  const answer = { result: { found: true }, source: 'example.test', reasonCode: null, message: null };
  return { state: 'succeeded', ...answer, durationMs: 12.5, attempts: 1, ...over };
}

export function aResult(id: string, over: Partial<InteractionResult> = {}): InteractionResult {
  return {
    id,
    state: 'completed',
    provider: 'openai',
    model: 'm-1-2026',
    response: { choices: [{ text: 'yes' }] },
    content: 'yes',
    toolCalls: [],
    usage: { inputTokens: 10, outputTokens: 5, reasoningTokens: 3, cachedTokens: 1 },
    costUsd: 0.0012,
    latencyMs: 150.5,
    finishReason: 'stop',
    errorCode: null,
    hasReasoning: true,
    reasoningContent: 'first I look',
    reasoningSummary: 'first I look',
    reasoningSource: 'reasoning_content',
    ...over,
  };
}
