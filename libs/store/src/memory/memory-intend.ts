import type {
  InlineToolCall,
  IntentRequest,
  InteractionResult,
  StageKey,
  ToolIntentRequest,
} from '@casefile/contracts';
import { reserve, softEvent } from '../plan/budget.js';
import { placeTaken } from '../plan/store-errors.js';
import { interactionEvent, eventOfCall } from '../plan/events-of-commit.js';
import type { UnitState } from '../plan/unit-state.js';
import { bounded, boundedResult, boundedText, stored } from '../storable.js';
import { settleCall } from './memory-budgets.js';
import { callHeldBy, callsAt, heldBy, interactionsAt, interactionsOfCall } from './memory-claim.js';
import type { MemoryState } from './memory-state.js';

/** Who asks: a stage, or one of its tool calls. */
interface Asker extends StageKey {
  caseId: string;
  toolCallId: string | null;
}

export function intend(state: MemoryState, given: IntentRequest): boolean {
  const request = stored(given);
  const unit = heldBy(state, request.lease);
  if (unit === null) return false;
  recordResults(state, unit, request.results);
  const { stage, round, unit: name, runId, caseId } = unit;
  for (const call of addInlineCalls(state, unit, request.inlineToolCalls ?? [])) {
    state.tell(unit, eventOfCall({ stage, round, unit: name }, call));
  }
  return ask(state, { runId, unit: name, stage, round, caseId, toolCallId: null }, request);
}

export function intendForTool(state: MemoryState, given: ToolIntentRequest): boolean {
  const request = stored(given);
  const call = callHeldBy(state, request.lease);
  if (call === null) return false;
  recordResults(state, call, request.results);
  const { runId, unit, stage, round, caseId, id: toolCallId } = call;
  return ask(state, { runId, unit, stage, round, caseId, toolCallId }, request);
}

function ask(
  state: MemoryState,
  by: Asker,
  request: Pick<IntentRequest, 'interaction' | 'reservations'>,
): boolean {
  const { interaction, reservations = [] } = request;
  const { caseId: _caseId, ...place } = by;
  const before =
    by.toolCallId === null ? interactionsAt(state, by) : interactionsOfCall(state, by.toolCallId);
  const taken = before.find((one) => one.step === interaction.step && one.attempt === interaction.attempt);
  if (taken !== undefined) {
    const isOwn = taken.id === interaction.id && taken.requestHash === interaction.requestHash;
    if (isOwn && taken.state === 'pending') return true;
    throw placeTaken(request);
  }
  const nearlyFull = reserve(state.budgets.table, reservations, state.now());
  state.budgets.held.set(interaction.id, reservations);
  state.interactions.set(interaction.id, { ...NO_RESULT, ...place, ...interaction, createdAt: state.iso() });
  state.tell(by, startedEvent(by, interaction));
  for (const entry of nearlyFull) state.tell(by, softEvent(entry));
  return true;
}

function startedEvent({ stage, round, unit, toolCallId }: Asker, asked: IntentRequest['interaction']) {
  const { id: interactionId, step, attempt, provider, model, promptId } = asked;
  const at = { interactionId, stage, round, unit, toolCallId };
  return { type: 'interaction.started', data: { ...at, step, attempt, provider, model, promptId } };
}

const NO_RESULT = {
  route: null,
  state: 'pending' as const,
  response: null,
  content: null,
  toolCalls: null,
  usage: { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cachedTokens: 0 },
  costUsd: null,
  latencyMs: null,
  finishReason: null,
  errorCode: null,
  hasReasoning: false,
  reasoningContent: null,
  reasoningSummary: null,
  reasoningSource: null,
  reasoningKind: null,
  providerState: null,
};

/** Records what came of model calls of this run that are pending. */
export function recordResults(
  state: MemoryState,
  of: { runId: string; caseId: string },
  results: InteractionResult[],
): void {
  for (const result of results) {
    const interaction = state.interactions.get(result.id);
    if (interaction === undefined || interaction.runId !== of.runId || interaction.state !== 'pending')
      continue;
    const { charge = null, ...came } = boundedResult(result);
    Object.assign(interaction, came);
    settleCall(state, result.id, charge);
    state.tell(of, interactionEvent(interaction));
  }
}

/** Records calls that were run inside the stage where the unit is; returns those that were not on the record. */
export function addInlineCalls(
  state: MemoryState,
  unit: UnitState,
  calls: InlineToolCall[],
): InlineToolCall[] {
  const { runId, unit: name, stage, round, caseId, lane } = unit;
  const at = { runId, unit: name, stage, round, caseId, lane };
  return calls.filter((call) => {
    if (!isNewCall(state, at, call.step, call.seq)) return false;
    const settled = { epoch: 0, crashes: 0, leaseUntil: null, nudges: 0, resumeAt: null };
    const parts = { result: bounded(call.result), message: boundedText(call.message) };
    const times = { createdAt: state.iso(), settledAt: state.iso() };
    state.calls.set(call.id, { ...at, ...call, ...parts, ...settled, ...times });
    return true;
  });
}

export function isNewCall(state: MemoryState, at: StageKey, step: number, seq: number): boolean {
  return !callsAt(state, at).some((call) => call.step === step && call.seq === seq);
}
