import { degradationOf, degradedCauseOf, lookUpsOf, parseInput, z } from '@casefile/kit';
import type { DecisionRule, JsonObject, Verdict } from '@casefile/kit';
import { inputSchema } from './input.ts';

export const ACTIONS = ['stop', 'review', 'pass'] as const;
type Action = (typeof ACTIONS)[number];

const ACTION_OF: Record<string, Action> = { large: 'stop', medium: 'review', small: 'pass' };
const DISPOSITION = { stop: 'act', review: 'review', pass: 'dismiss' } as const;

/** Fields of an outcome that a reviewer may correct. */
export const judgedSchema = z.object({ action: z.enum(ACTIONS) });

/** Returns what follows from an outcome that a person set; null: its fields are unknown. */
export function dispositionOf(outcome: JsonObject): Verdict['disposition'] | null {
  const read = judgedSchema.safeParse(outcome);
  return read.success ? DISPOSITION[read.data.action] : null;
}

/** Decides by the size that was judged. Nothing passes if a look-up or a model failed, or if nothing was judged. */
export const bySize: DecisionRule = {
  name: 'by-size',
  decide([unit], _settings, decidedAt) {
    const { amount } = parseInput(inputSchema, unit?.brief.input, 'input');
    const { confidence = 0, confidenceSource = 'heuristic', method = 'heuristic' } = unit?.draft ?? {};
    const { answer, explanation = '', fallbackReason, evidenceUsed = [] } = unit?.draft ?? {};
    const counts = lookUpsOf(unit?.evidence.items ?? []);
    const degradation = degradationOf(
      [
        fallbackReason === undefined ? null : degradedCauseOf(fallbackReason),
        counts.failed > 0 ? 'lookups_failed' : null,
      ],
      counts,
    );
    const bySizeAlone = ACTION_OF[String(answer?.['size'])] ?? 'review';
    const action = bySizeAlone === 'pass' && degradation.degraded ? 'review' : bySizeAlone;
    return {
      outcome: { action, amount, summary: explanation },
      disposition: DISPOSITION[action],
      confidence,
      confidenceSource,
      method,
      reasons: [explanation],
      citations: evidenceUsed,
      ...degradation,
      decidedAt,
    };
  },
};
