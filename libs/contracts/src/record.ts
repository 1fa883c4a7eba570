import type { ArtifactName, Alert, Verdict } from './artifacts/index.js';
import type { Json, JsonObject } from './json.js';
import type { Lane } from './job.js';
import type { Charge } from './ports/budgets.js';
import type { ModelUsage, ReasoningKind } from './ports/language-model.js';
import type { RunSettings } from './settings.js';
import type { CaseStatus, InteractionState, RunStatus, ToolCallState, UnitStatus } from './status.js';

/** What was drawn once for a (unit, stage, round) and must be the same on a second rendering. */
export interface Draw {
  /** Hex; fence marks and canaries are derived from it and the step. */
  seed: string;
  /** When the strategy's time is over, milliseconds since the epoch; null: no deadline. */
  deadlineAt: number | null;
}

/** Where in a run something happened. */
export interface StageKey {
  runId: string;
  unit: string;
  stage: string;
  round: number;
}

/** How a call came to its model: the run's own, one of its fallback providers, or a cheaper one for want of budget. */
export type InteractionRoute = 'first' | 'fallback' | 'cheaper';

/** One language-model call on the record, of a stage or of one of its tool calls. S2-20. */
export interface Interaction extends StageKey {
  id: string;
  /** The tool call that asked, whose steps are numbered by themselves; null or absent: the stage. */
  toolCallId?: string | null;
  step: number;
  attempt: number;
  provider: string;
  model: string;
  promptId: string;
  requestHash: string;
  request: JsonObject;
  draw: Draw;
  state: InteractionState;
  response: Json;
  /** The final answer as the strategy saw it. */
  content: string | null;
  toolCalls: Json;
  usage: ModelUsage;
  costUsd: number | null;
  latencyMs: number | null;
  finishReason: string | null;
  errorCode: string | null;
  hasReasoning: boolean;
  reasoningContent: string | null;
  reasoningSummary: string | null;
  reasoningSource: string | null;
  /** What the provider let be seen of the reasoning; not known of calls that are older than the field. */
  reasoningKind?: ReasoningKind | null;
  /** What goes back to the provider with the next turn, as it came. */
  providerState?: Json;
  /** Not known of calls that are older than the field. */
  route?: InteractionRoute | null;
  createdAt: string;
}

/** What is known of an interaction when its call is over. */
export type InteractionResult = Pick<
  Interaction,
  | 'id'
  | 'state'
  | 'provider'
  | 'model'
  | 'response'
  | 'content'
  | 'toolCalls'
  | 'usage'
  | 'costUsd'
  | 'latencyMs'
  | 'finishReason'
  | 'errorCode'
  | 'hasReasoning'
  | 'reasoningContent'
  | 'reasoningSummary'
  | 'reasoningSource'
  | 'reasoningKind'
  | 'providerState'
> & {
  /** Settles what was reserved for the call; absent: nothing was. */
  charge?: Charge;
};

/** One use of a tool on the record. Unique by (stage key, step, seq). */
export interface ToolCall extends StageKey {
  id: string;
  step: number;
  seq: number;
  tool: string;
  args: JsonObject;
  state: ToolCallState;
  attempts: number;
  result: Json;
  source: string | null;
  reasonCode: string | null;
  message: string | null;
  durationMs: number | null;
  createdAt: string;
  settledAt: string | null;
}

export interface ArtifactRecord extends Omit<StageKey, 'stage'> {
  artifact: ArtifactName;
  body: JsonObject;
  createdAt: string;
}

/** One line of the event log. `id` orders events; readers resume after the last one they saw. */
export interface EventRecord {
  id: string;
  type: string;
  caseId: string | null;
  runId: string | null;
  data: JsonObject;
  at: string;
}

export interface UnitRecord {
  unit: string;
  status: UnitStatus;
  stage: string | null;
  round: number;
  reasonCode: string | null;
  message: string | null;
}

export interface RunRecord {
  id: string;
  caseId: string;
  alertId: string;
  lane: Lane;
  settings: RunSettings;
  status: RunStatus;
  /** Where it is due or was stopped; null when decided. */
  stage: string | null;
  round: number;
  reasonCode: string | null;
  message: string | null;
  verdict: Verdict | null;
  createdAt: string;
  decidedAt: string | null;
}

export interface CaseRecord {
  id: string;
  playbook: string;
  status: CaseStatus;
  alertCount: number;
  createdAt: string;
  updatedAt: string;
}

/** A run with everything on its record. */
export interface RunDocument extends RunRecord {
  units: UnitRecord[];
  artifacts: ArtifactRecord[];
  toolCalls: ToolCall[];
  interactions: Interaction[];
  trace: EventRecord[];
}

/** One case as one document. */
export interface CaseDocument extends CaseRecord {
  alerts: Alert[];
  runs: RunDocument[];
}

/** A case as lists show it: with the facts of its newest run. */
export interface CaseSummary extends CaseRecord {
  /** The first characters of the newest alert's text. */
  text: string;
  run: Pick<RunRecord, 'id' | 'lane' | 'status' | 'stage' | 'round' | 'verdict' | 'decidedAt'> | null;
  /** Model calls of the newest run, in US dollars: what is known of it. */
  costUsd: number;
  /** Has any model call of the newest run reasoning on the record? */
  hasReasoning: boolean;
}

/** Work that waits for a person. */
export interface DeadLetter {
  id: string;
  /** `alert`: could not be accepted. `run`: quarantined. `delivery`: could not be handed out. */
  kind: 'alert' | 'run' | 'delivery';
  reasonCode: string;
  message: string;
  caseId: string | null;
  runId: string | null;
  /** The alert as it came, for kind `alert`. */
  payload: Json;
  at: string;
}
