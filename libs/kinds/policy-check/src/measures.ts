import { criterionResultSchema, type Draft, type Labels, type Measure } from '@casefile/contracts';

/** Returns measures of a model's check of one criterion; empty if no model was asked. */
export function measures({ answer }: Draft): Measure[] {
  const check = criterionResultSchema.safeParse(answer);
  if (!check.success || check.data.model === null) return [];
  const { iterations, trace, tokens, costUsd, refuted, status, reasonCode, promptId, model } = check.data;
  const labels: Labels = { prompt_id: promptId ?? 'none', model };
  const sizes: [name: string, value: number | null][] = [
    ['casefile.check.iterations', iterations],
    ['casefile.check.tokens', tokens.input + tokens.output],
    // The cost of a call without a price is unknown, so it is not reported as 0.
    ['casefile.check.cost', costUsd],
  ];
  const counts: [name: string, value: number, more?: Labels][] = [
    ['casefile.check.forced_ends', trace.some(({ forced }) => forced) ? 1 : 0],
    ['casefile.check.abstentions', status === 'UNCERTAIN' ? 1 : 0, { reason: reasonCode ?? 'none' }],
    ['casefile.check.refuted_citations', refuted.length],
    [
      'casefile.check.cached_calls',
      trace.flatMap(({ actions }) => actions).filter(({ cached }) => cached).length,
    ],
  ];
  return [
    ...sizes.flatMap(([name, value]): Measure[] =>
      value === null ? [] : [{ name, kind: 'histogram', value, labels }],
    ),
    ...counts.flatMap(([name, value, more]): Measure[] =>
      value === 0 ? [] : [{ name, kind: 'counter', value, labels: { ...labels, ...more } }],
    ),
  ];
}
