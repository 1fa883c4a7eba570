import type { Alert, Interaction, PromptSet, RunDocument, ToolCall } from '@casefile/contracts';

/** A case from the record of a release: its alert, and one run with its whole record. */
export interface RecordedCase {
  playbook: string;
  alert: Alert;
  run: RunDocument;
}

/** The record of a release: cases, and the prompt texts of their model calls. */
export interface RecordedRelease {
  release: string;
  prompts: PromptSet;
  cases: RecordedCase[];
}

interface Rows {
  rows(text: string, params?: unknown[]): Promise<unknown[]>;
}

const json = (value: unknown): string => JSON.stringify(value ?? null);

function insert(database: Rows, table: string, row: Record<string, unknown>): Promise<unknown[]> {
  const columns = Object.keys(row);
  const places = columns.map((_, i) => `$${i + 1}`).join(', ');
  return database.rows(`insert into ${table} (${columns.join(', ')}) values (${places})`, Object.values(row));
}

/** Copies a case that another release recorded to a record. */
export async function restoreCase(database: Rows, { playbook, alert, run }: RecordedCase): Promise<void> {
  const { id: alertId, playbook: _, receivedAt, text = null, image, ...rest } = alert;
  const { id: runId, caseId, verdict, decidedAt, createdAt, status } = run;
  const disposition = verdict?.disposition ?? null;
  const action = verdict?.outcome['action'] ?? null;
  await insert(database, 'cases', {
    id: caseId,
    playbook,
    status: 'decided',
    leading_run_id: runId,
    newest_run_id: runId,
    lane: 'live',
    disposition,
    action,
    decided_at: decidedAt,
  });
  await insert(database, 'alerts', {
    id: alertId,
    case_id: caseId,
    playbook,
    text,
    image_type: image?.mediaType ?? null,
    image: image?.base64 ?? null,
    rest: json(rest),
    received_at: receivedAt,
  });
  await insert(database, 'runs', {
    id: runId,
    case_id: caseId,
    alert_id: alertId,
    lane: 'live',
    settings: json(run.settings),
    status,
    disposition,
    action,
    confidence: verdict?.confidence ?? null,
    degraded: verdict?.degraded ?? null,
    created_at: createdAt,
    decided_at: decidedAt,
    ended_at: decidedAt,
  });
  for (const { unit, artifact, round, body, createdAt: at } of run.artifacts)
    await insert(database, 'artifacts', {
      run_id: runId,
      unit,
      artifact,
      round,
      body: json(body),
      created_at: at,
    });
  for (const call of run.toolCalls) await insert(database, 'tool_calls', callRow(call, caseId));
  for (const one of run.interactions) await insert(database, 'llm_interactions', interactionRow(one));
  for (const { type, data } of run.trace)
    await insert(database, 'events', { type, case_id: caseId, run_id: runId, data: json(data) });
}

function callRow(call: ToolCall, caseId: string): Record<string, unknown> {
  const { id, runId, unit, stage, round, step, seq, tool, args, state, attempts, result, source, message } =
    call;
  return {
    id,
    run_id: runId,
    unit,
    stage,
    round,
    step,
    seq,
    case_id: caseId,
    lane: 'live',
    tool,
    args: json(args),
    state,
    attempts,
    result: json(result),
    source,
    reason_code: call.reasonCode,
    message,
    duration_ms: call.durationMs,
    created_at: call.createdAt,
    settled_at: call.settledAt,
  };
}

function interactionRow(one: Interaction): Record<string, unknown> {
  const { id, runId, unit, stage, round, step, attempt, provider, model, state, content, usage } = one;
  return {
    id,
    run_id: runId,
    unit,
    stage,
    round,
    step,
    attempt,
    provider,
    model,
    prompt_id: one.promptId,
    request_hash: one.requestHash,
    request: json(one.request),
    draw: json(one.draw),
    state,
    response: json(one.response),
    content,
    tool_calls: json(one.toolCalls),
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    reasoning_tokens: usage.reasoningTokens,
    cached_tokens: usage.cachedTokens,
    cost_usd: one.costUsd,
    latency_ms: one.latencyMs,
    finish_reason: one.finishReason,
    error_code: one.errorCode,
    has_reasoning: one.hasReasoning,
    reasoning_content: one.reasoningContent,
    reasoning_summary: one.reasoningSummary,
    reasoning_source: one.reasoningSource,
    reasoning_kind: one.reasoningKind ?? null,
    provider_state: one.providerState == null ? null : json(one.providerState),
    route: one.route ?? null,
    tool_call_id: one.toolCallId ?? null,
    created_at: one.createdAt,
  };
}
