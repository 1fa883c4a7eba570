import {
  recordedVerdict,
  type CommitRequest,
  type InlineToolCall,
  type Interaction,
  type Json,
  type JsonObject,
  type Lease,
  type NewEvent,
} from '@casefile/contracts';

/** The event log's own words for what a commit did; the interactions' come with their rows. */
export function eventsOfCommit(request: CommitRequest): NewEvent[] {
  const at = placeOf(request.lease);
  const calls = request.inlineToolCalls.map((call) => eventOfCall(at, call));
  return [...calls, ...request.events, ...eventOfChange(at, request)];
}

export function placeOf(lease: Omit<Lease, 'epoch'>): JsonObject {
  return { stage: lease.stage, round: lease.round, unit: lease.unit };
}

function eventOfChange(at: JsonObject, { change }: CommitRequest): NewEvent[] {
  switch (change.kind) {
    case 'advance': {
      const data = { ...at, artifact: change.artifact.name, next: change.next };
      return [
        { type: 'stage.completed', data: change.units.length > 0 ? { ...data, units: change.units } : data },
      ];
    }
    case 'decide': {
      const verdict = { ...at, ...verdictFacts(change.artifact.body), deliveryId: change.deliveryId };
      return [
        { type: 'stage.completed', data: { ...at, artifact: change.artifact.name, next: null } },
        { type: 'verdict.decided', data: verdict },
      ];
    }
    case 'suspend':
      return [{ type: 'stage.suspended', data: { ...at, step: change.step, calls: change.calls.length } }];
    case 'later':
      return [
        { type: 'stage.postponed', data: { ...at, reasonCode: change.reasonCode, delayMs: change.delayMs } },
      ];
    case 'stop':
      return [
        { type: 'run.stopped', data: { ...at, reasonCode: change.reasonCode, message: change.message } },
      ];
    case 'park':
      return [
        { type: 'run.parked', data: { ...at, reasonCode: change.reasonCode, message: change.message } },
      ];
    case 'fail': {
      const why = { ...at, reasonCode: change.reasonCode, message: change.message };
      if (change.retryInMs === null) return [{ type: 'run.quarantined', data: why }];
      return [{ type: 'stage.failed', data: { ...why, retryInMs: change.retryInMs } }];
    }
  }
}

type SettledCall = Pick<
  InlineToolCall,
  'id' | 'step' | 'seq' | 'tool' | 'state' | 'reasonCode' | 'durationMs'
>;

export function eventOfCall(at: JsonObject, call: SettledCall): NewEvent {
  const { id, step, seq, tool, state, reasonCode, durationMs } = call;
  return {
    type: 'tool-call.completed',
    data: { ...at, toolCallId: id, step, seq, tool, state, reasonCode, durationMs },
  };
}

/** The facts of a verdict that lists and events show. */
export interface VerdictFacts extends JsonObject {
  disposition: string;
  action: string | null;
  confidence: number;
  degraded: boolean;
  degradedBy: string[];
  degradedNote: string;
  method: string;
}

/** Reads the facts off a verdict's body; the executor has held it to its schema. */
export function verdictFacts(body: JsonObject): VerdictFacts {
  const { disposition, confidence, degraded, degradedBy, degradedNote, method, outcome } =
    recordedVerdict(body);
  const action = textOf(outcome?.['action']);
  return { disposition, action, confidence, degraded, degradedBy, degradedNote, method };
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** `interaction.completed`: how a model call ended, in the words that the database's own statement uses. */
export function interactionEvent(interaction: Interaction): NewEvent {
  const { id, stage, round, unit, step, attempt, provider, model, state, hasReasoning, costUsd } =
    interaction;
  const { latencyMs, finishReason, errorCode } = interaction;
  const at = {
    interactionId: id,
    stage,
    round,
    unit,
    toolCallId: interaction.toolCallId ?? null,
    step,
    attempt,
  };
  const how = { provider, model, state, hasReasoning, costUsd, latencyMs, finishReason, errorCode };
  return { type: 'interaction.completed', data: { ...at, ...how } };
}
