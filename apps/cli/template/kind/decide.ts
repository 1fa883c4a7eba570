import { decisionRule, parseInput, z } from '@casefile/kit';
//+tool import { ownItems } from '@casefile/kit';
import type { JsonObject, Verdict } from '@casefile/kit';
import { inputSchema } from './input.ts';
//+tool import { register } from './register.ts';

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

/**
 * Decides by the size that was judged. A verdict without a look-up or a model's answer is degraded, and nothing passes
 * then.
 */
export const bySize = decisionRule({
  name: 'by-size',
  decide({ unit, degraded }) {
    const { brief, draft } = unit;
    const { amount } = parseInput(inputSchema, brief.input, 'input');
    const bySizeAlone = ACTION_OF[String(draft.answer['size'])] ?? 'review';
    const action = bySizeAlone === 'pass' && degraded ? 'review' : bySizeAlone; //-tool
    //+tool // Evidence that the sender supplied may bear the name of the tool: it is no answer of the register.
    //+tool const found = ownItems(unit.evidence, register.name).find(({ success }) => success);
    //+tool const { isKnown, limit } = (found?.result ?? {}) as { isKnown?: boolean; limit?: number };
    //+tool const isWithinLimit = isKnown === true && limit !== undefined && amount <= limit;
    //+tool const passes = !degraded && isWithinLimit;
    //+tool const action = bySizeAlone === 'pass' && !passes ? 'review' : bySizeAlone;
    //+tool const said = isKnown === false ? 'The register does not have it' : `The limit in the register is ${limit ?? 'unknown'}`;
    //+tool const registered = found === undefined ? 'The register gave no answer.' : `${said} [${found.id}].`;
    return {
      outcome: { action, amount, summary: draft.explanation },
      disposition: DISPOSITION[action],
      reasons: [draft.explanation], //-tool
      //+tool reasons: [draft.explanation, registered],
    };
  },
});
