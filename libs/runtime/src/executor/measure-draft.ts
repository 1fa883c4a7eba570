import {
  criterionResultSchema,
  draftSchema,
  type CriterionResult,
  type Draft,
  type JsonObject,
  type Labels,
  type RunSettings,
  type Telemetry,
} from '@casefile/contracts';
import { METRICS } from '@casefile/telemetry';

/**
 * Reports what a judgement was like, once its draft is on the record: its confidence, whether it fell back and why,
 * answers that could not be read (S1-64), and of a check by turns what it took (S4-37).
 */
export function measureDraft(telemetry: Telemetry, settings: RunSettings, body: JsonObject): void {
  const draft = draftSchema.parse(body);
  const labels = {
    playbook: settings.playbook,
    provider: settings.provider,
    prompt_id: draft.promptId ?? onlyPrompt(settings),
  };
  telemetry.count(METRICS.drafts, { ...labels, method: draft.method });
  telemetry.measure(METRICS.draftConfidence, draft.confidence, { ...labels, method: draft.method });
  if (draft.fallbackReason !== undefined)
    telemetry.count(METRICS.draftFallbacks, { ...labels, reason: draft.fallbackReason });
  const unreadable = unreadableAnswers(draft);
  if (unreadable > 0) telemetry.count(METRICS.unreadableAnswers, labels, unreadable);
  const check = criterionResultSchema.safeParse(draft.answer);
  if (check.success && check.data.model !== null) measureCheck(telemetry, check.data, check.data.model);
}

// A draft of the rules names no prompt: it stands for that of the model that was to answer.
function onlyPrompt({ promptIds }: RunSettings): string {
  const [only, ...others] = Object.values(promptIds);
  return only !== undefined && others.length === 0 ? only : 'none';
}

function measureCheck(telemetry: Telemetry, result: CriterionResult, model: string): void {
  const labels: Labels = { prompt_id: result.promptId ?? 'none', model };
  const { iterations, trace, tokens, costUsd, refuted, status, reasonCode } = result;
  telemetry.measure(METRICS.checkIterations, iterations, labels);
  telemetry.measure(METRICS.checkTokens, tokens.input + tokens.output, labels);
  // Of a call without a price nothing is known, which is not 0.
  if (costUsd !== null) telemetry.measure(METRICS.checkCost, costUsd, labels);
  const counts: [name: string, by: number, more?: Labels][] = [
    [METRICS.checkForcedEnds, trace.some(({ forced }) => forced) ? 1 : 0],
    [METRICS.checkAbstentions, status === 'UNCERTAIN' ? 1 : 0, { reason: reasonCode ?? 'none' }],
    [METRICS.checkRefutedCitations, refuted.length],
    [METRICS.checkCachedCalls, trace.flatMap(({ actions }) => actions).filter(({ cached }) => cached).length],
  ];
  for (const [name, by, more] of counts) if (by > 0) telemetry.count(name, { ...labels, ...more }, by);
}

/** Why nothing of a model's answer could be used: both tries, or the last turns, were no answer of its shape. */
const UNREADABLE = new Set(['invalid_answer', 'invalid_schema']);

function unreadableAnswers({ unreadable, fallbackReason }: Draft): number {
  return unreadable ?? (UNREADABLE.has(fallbackReason ?? '') ? 1 : 0);
}
