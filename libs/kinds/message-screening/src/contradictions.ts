import type { FindContradictions } from '@casefile/pipeline/parts/contradicting';
import { againstIn, contradictionOf, signalsFound } from '@casefile/pipeline/text-signals/signals-found';
import { judgeByRules } from './judge-by-rules.js';

/**
 * Finds a contradiction if a model calls a message harmless while the rules call it a scam from the same
 * evidence.
 */
export const contradictions: FindContradictions = (input) => {
  const { draft, evidence } = input;
  if (draft.method === 'heuristic' || draft.answer['isScam'] !== false) return [];
  const ruled = judgeByRules(input);
  if (ruled.answer['isScam'] !== true) return [];
  const against = evidence.items.flatMap((item) => {
    const found = item.given === true ? null : signalsFound(item);
    return found === null ? [] : againstIn(found).map((said) => `${said} [${item.id}]`);
  });
  const others = ruled.evidenceUsed.filter((id) => !against.some((said) => said.endsWith(`[${id}]`)));
  return [
    {
      by: 'rules',
      message: contradictionOf(draft.explanation, [
        ...against,
        ...(others.length === 0 ? [] : [`known patterns or scam reports [${others.join(', ')}]`]),
      ]),
    },
  ];
};
