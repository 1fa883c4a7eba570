import {
  CasefileError,
  MOST_PAST_CASES,
  PAST_CASE_BOUNDS,
  PAST_CASES_TOOL,
  z,
  type Json,
  type PastCases,
  type ShownPastCase,
  type Tool,
} from '@casefile/contracts';
import { OWN_LOOK_UP, toolLimits, type EvidenceSettings } from '../settings.js';

const word = z.string().min(1).max(PAST_CASE_BOUNDS.characters);
const args = z.strictObject({
  playbook: z.string().min(1).max(100),
  keys: z.array(word).min(1).max(PAST_CASE_BOUNDS.keys),
  terms: z.array(word).min(1).max(PAST_CASE_BOUNDS.terms),
  limit: z.number().int().min(1).max(MOST_PAST_CASES),
});

const HEAD =
  'Past cases with the outcome that a person confirmed. They show what was found then, not the state now.';

/**
 * Returns the tool that finds similar past cases with the outcome that a person confirmed. Result
 * `{ cases: [{ caseId, confirmedAt, agreed, similarity (0..1), title, outcome, note }], text }`,
 * the most similar first. No similar case is an answer, not a failure.
 */
export function findPastCases(
  settings: Pick<EvidenceSettings, 'limits'>,
  pastCases: Pick<PastCases, 'find'> | undefined,
): Tool {
  return {
    name: PAST_CASES_TOOL,
    description: 'Finds similar past cases with the outcome that a person confirmed.',
    locality: 'local',
    reads: 'database',
    entityTypes: [],
    args,
    limits: toolLimits(PAST_CASES_TOOL, { ...OWN_LOOK_UP, concurrency: 20 }, settings),
    async run(input, { signal, runId }) {
      signal.throwIfAborted();
      if (pastCases === undefined || runId === undefined)
        throw new CasefileError('not_configured', 'Past cases are compared within a run, by the record');
      const cases = await pastCases.find({ ...args.parse(input), runId });
      const text = cases.length === 0 ? 'No similar past case.' : [HEAD, ...cases.map(caseLine)].join('\n');
      return { result: { cases: cases as unknown as Json, text }, source: 'past cases' };
    },
  };
}

function caseLine({ caseId, confirmedAt, agreed, outcome, title, note }: ShownPastCase): string {
  const decided = Object.entries(outcome).map(([name, value]) => `${name} ${plainValue(value)}`);
  const how = agreed ? 'a person agreed with the verdict' : 'a person corrected the verdict';
  const said = note === null ? '' : ` Note of the person: ${note}`;
  return `Case ${caseId}, ${confirmedAt.slice(0, 10)}, ${how}: ${decided.join(', ')}. Alert: ${title.endsWith('.') ? title : `${title}.`}${said}`;
}

const plainValue = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));
