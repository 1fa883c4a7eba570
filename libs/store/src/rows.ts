import type {
  ArtifactName,
  EventRecord,
  Interaction,
  InteractionRoute,
  Json,
  JsonObject,
  Lane,
  ReasoningKind,
  SignalRecord,
  StageKey,
  ToolCall,
  UnitStatus,
} from '@casefile/contracts';
import type { UnitState } from './hot/unit-state.js';
import { msOf } from './row-set.js';

type Time = string | Date;
const iso = (time: Time): string => new Date(time).toISOString();
const isoOrNull = (time: Time | null): string | null => (time === null ? null : iso(time));

interface PlaceRow {
  run_id: string;
  unit: string;
  stage: string;
  round: number;
}

function placeOf(row: PlaceRow): StageKey {
  return { runId: row.run_id, unit: row.unit, stage: row.stage, round: row.round };
}

export interface ArtifactRow {
  run_id: string;
  unit: string;
  artifact: ArtifactName;
  round: number;
  body: JsonObject;
  created_at: Time;
}

export interface InteractionRow extends PlaceRow {
  id: string;
  step: number;
  attempt: number;
  provider: string;
  model: string;
  prompt_id: string;
  request_hash: string;
  request: JsonObject;
  draw: Interaction['draw'];
  state: Interaction['state'];
  response: Json;
  content: string | null;
  tool_calls: Json;
  input_tokens: number;
  output_tokens: number;
  reasoning_tokens: number;
  cached_tokens: number;
  cost_usd: number | null;
  latency_ms: number | null;
  finish_reason: string | null;
  error_code: string | null;
  has_reasoning: boolean;
  reasoning_content: string | null;
  reasoning_summary: string | null;
  reasoning_source: string | null;
  reasoning_kind: ReasoningKind | null;
  provider_state: Json;
  route: InteractionRoute | null;
  tool_call_id: string | null;
  read_from: string | null;
  created_at: Time;
}

export function interactionOf(row: InteractionRow): Interaction {
  return {
    ...placeOf(row),
    id: row.id,
    step: row.step,
    attempt: row.attempt,
    provider: row.provider,
    model: row.model,
    promptId: row.prompt_id,
    requestHash: row.request_hash,
    request: row.request,
    draw: row.draw,
    state: row.state,
    response: row.response,
    content: row.content,
    toolCalls: row.tool_calls,
    usage: {
      inputTokens: row.input_tokens,
      outputTokens: row.output_tokens,
      reasoningTokens: row.reasoning_tokens,
      cachedTokens: row.cached_tokens,
    },
    costUsd: row.cost_usd,
    latencyMs: row.latency_ms,
    finishReason: row.finish_reason,
    errorCode: row.error_code,
    hasReasoning: row.has_reasoning,
    reasoningContent: row.reasoning_content,
    reasoningSummary: row.reasoning_summary,
    reasoningSource: row.reasoning_source,
    reasoningKind: row.reasoning_kind,
    providerState: row.provider_state,
    route: row.route,
    toolCallId: row.tool_call_id,
    readFrom: row.read_from,
    createdAt: iso(row.created_at),
  };
}

export interface ToolCallRow extends PlaceRow {
  id: string;
  step: number;
  seq: number;
  tool: string;
  args: JsonObject;
  state: ToolCall['state'];
  attempts: number;
  result: Json;
  source: string | null;
  reason_code: string | null;
  message: string | null;
  duration_ms: number | null;
  read_from: string | null;
  created_at: Time;
  settled_at: Time | null;
}

export function toolCallOf(row: ToolCallRow): ToolCall {
  return {
    ...placeOf(row),
    id: row.id,
    step: row.step,
    seq: row.seq,
    tool: row.tool,
    args: row.args,
    state: row.state,
    attempts: row.attempts,
    result: row.result,
    source: row.source,
    reasonCode: row.reason_code,
    message: row.message,
    durationMs: row.duration_ms,
    readFrom: row.read_from,
    createdAt: iso(row.created_at),
    settledAt: isoOrNull(row.settled_at),
  };
}

export interface SignalRow extends PlaceRow {
  step: number;
  name: string;
  question: string;
  options: SignalRecord['options'];
  fallback: string;
  value: string | null;
  by: string | null;
  asked_at: Time;
  until: Time;
  given_at: Time | null;
}

export function signalOf(row: SignalRow): SignalRecord {
  const { unit, stage, round, step, name, question, options, fallback, value, by } = row;
  const times = { askedAt: iso(row.asked_at), until: iso(row.until), givenAt: isoOrNull(row.given_at) };
  return { unit, stage, round, step, name, question, options, fallback, value, by, ...times };
}

/** The columns of a unit, with times in milliseconds, under the names of `UnitState`. */
export const UNIT_COLUMNS = `u.run_id as "runId", u.unit, u.case_id as "caseId", u.lane, u.status, u.stage, u.round,
  u.epoch, u.nudges, ${msOf('u.lease_until')} as "leaseUntil", ${msOf('u.resume_at')} as "resumeAt", u.held, u.crashes,
  ${msOf('u.first_crash_at')} as "firstCrashAt", u.failures, u.wait_step as "waitStep", u.wait_signal as "waitSignal",
  u.wait_over as "waitOver", u.open_units as "openUnits", ${msOf('u.left_at')} as "leftAt",
  u.paused_ms as "pausedMs", u.reason_code as "reasonCode", u.message`;

/** A unit with the database's time. */
export type UnitRow = UnitState & { now: number };

export interface NudgedUnitRow {
  run_id: string;
  unit: string;
  stage: string;
  round: number;
  lane: Lane;
  nudges: number;
  status: UnitStatus;
  /** Where it is asked for: the job that wakes it together with others. */
  shared_job?: string | null;
}

export interface EventRow {
  xid: string;
  id: string;
  type: string;
  case_id: string | null;
  run_id: string | null;
  data: JsonObject;
  at: Time;
}

export function eventOf(row: EventRow): EventRecord {
  const { type, data } = row;
  return { id: `${row.xid}.${row.id}`, type, caseId: row.case_id, runId: row.run_id, data, at: iso(row.at) };
}

export { iso, isoOrNull };
