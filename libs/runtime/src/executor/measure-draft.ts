import type {
  ClaimedWork,
  Draft,
  Review,
  JsonObject,
  Move,
  RunSettings,
  Telemetry,
} from '@casefile/contracts';
import type { Playbook } from '@casefile/pipeline';
import { METRICS } from '@casefile/telemetry';

/** Reports what a stage appended, where it is a draft or a review; what was taken over from another run was measured there. */
export function measureAppended(
  telemetry: Telemetry,
  { artifacts, settings }: Pick<ClaimedWork, 'artifacts' | 'settings'>,
  playbook: Pick<Playbook, 'strategies'>,
  { artifact }: Move,
): void {
  if (artifact === undefined || artifacts.evidence?.['reused'] !== undefined) return;
  const { name, body } = artifact;
  if (name === 'draft') measureDraft(telemetry, settings, playbook, body);
  if (name === 'review') measureReview(telemetry, settings, body);
}

/**
 * Reports what a judgement was like, once its draft is on the record: its confidence, whether it fell back and why,
 * answers that could not be read (S1-64), and what its kind of case is measured by beside that (S4-37).
 */
export function measureDraft(
  telemetry: Telemetry,
  settings: RunSettings,
  playbook: Pick<Playbook, 'strategies'>,
  body: JsonObject,
): void {
  // Held to its schema when its stage ended.
  const draft = body as unknown as Draft;
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
  for (const { name, kind, value, labels: own } of playbook.strategies[settings.strategy]?.measures?.(
    draft,
  ) ?? [])
    if (kind === 'counter') telemetry.count(name, own, value);
    else telemetry.measure(name, value, own);
}

/** Reports how a draft was ruled on, by the prompt that asked: a critic that lets everything pass is seen by its share. S5-26. */
export function measureReview(telemetry: Telemetry, { playbook }: RunSettings, body: JsonObject): void {
  const { ruling, reviewer, promptId = 'none' } = body as unknown as Review;
  telemetry.count(METRICS.reviews, { playbook, reviewer, ruling, prompt_id: promptId });
}

// A draft of the rules names no prompt: it stands for that of the model that was to answer.
function onlyPrompt({ promptIds }: RunSettings): string {
  const [only, ...others] = Object.values(promptIds);
  return only !== undefined && others.length === 0 ? only : 'none';
}

/** Why nothing of a model's answer could be used: both tries, or the last turns, were no answer of its shape. */
const UNREADABLE = new Set(['invalid_answer', 'invalid_schema']);

function unreadableAnswers({ unreadable, fallbackReason }: Draft): number {
  return unreadable ?? (UNREADABLE.has(fallbackReason ?? '') ? 1 : 0);
}
