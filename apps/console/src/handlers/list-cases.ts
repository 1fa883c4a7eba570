import {
  CASE_STATUSES,
  DISPOSITIONS,
  LANES,
  METHODS,
  timeSchema,
  z,
  type CaseList,
  type CaseListEntry,
  type CaseQuery,
  type CaseSummary,
  type Verdict,
  type VerdictBrief,
} from '@casefile/contracts';
import type { Playbook, Presenting } from '@casefile/pipeline';
import type { Handler } from '../http/route.js';

/** Characters of a text that a list still shows. */
const SHORT = 100;
const yesOrNo = z.enum(['true', 'false']);

export const listCasesInput = {
  query: z.strictObject({
    status: z.enum(CASE_STATUSES).optional(),
    playbook: z.string().max(100).optional(),
    action: z.string().max(100).optional(),
    lane: z.enum(LANES).optional(),
    dataset: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Cases that `casefile eval` judged on this data set; without it, those of no data set.'),
    disposition: z.enum(DISPOSITIONS).optional(),
    method: z.enum(METHODS).optional(),
    degraded: yesOrNo.optional(),
    q: z.string().max(500).optional(),
    from: timeSchema.optional(),
    to: timeSchema.optional().describe('Until this time. A date includes its whole day, in UTC.'),
    cursor: z.string().max(500).optional(),
    limit: z.coerce.number().int().min(1).max(200).default(50),
  }),
};

/** Cases, newest first, with the facts of their newest runs. */
export const listCases: Handler<typeof listCasesInput, CaseList> = async (
  { store, playbooks },
  { query },
) => {
  const { degraded, ...rest } = query;
  const asked: CaseQuery = degraded === undefined ? rest : { ...rest, degraded: degraded === 'true' };
  const { items, nextCursor } = await store.record.listCases(asked);
  return { cases: items.map((item) => entryOf(item, playbooks)), nextCursor, items };
};

/** A case as it stands in the list. */
export function entryOf(
  { id: caseId, run, ...summary }: CaseSummary,
  playbooks: readonly Pick<Playbook, 'name' | 'presenting'>[],
): CaseListEntry {
  const presenting = playbooks.find(({ name }) => name === summary.playbook)?.presenting;
  return {
    caseId,
    ...summary,
    lane: run?.lane ?? null,
    runId: run?.id ?? null,
    runStatus: run?.status ?? null,
    stage: run?.stage ?? null,
    round: run?.round ?? null,
    verdict: run?.verdict ? briefOf(run.verdict, presenting) : null,
  };
}

function briefOf(verdict: Verdict, presenting: Presenting | undefined): VerdictBrief {
  const { outcome, reasons: _, citations: __, ...facts } = verdict;
  const action = typeof outcome['action'] === 'string' ? outcome['action'] : null;
  const word = presenting?.word(verdict) ?? facts.disposition;
  const confidenceApplies = (presenting?.unproven?.(verdict) ?? null) === null;
  return { ...facts, word, confidenceApplies, action, outcome: shortFacts(outcome) };
}

function shortFacts(outcome: Verdict['outcome']): VerdictBrief['outcome'] {
  return Object.fromEntries(
    Object.entries(outcome).filter(
      (entry): entry is [string, string | number | boolean] =>
        typeof entry[1] === 'number' ||
        typeof entry[1] === 'boolean' ||
        (typeof entry[1] === 'string' && entry[1].length <= SHORT),
    ),
  );
}
