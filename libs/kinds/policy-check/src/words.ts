import type { CitationProblem, CriterionStatus } from '@casefile/contracts';
import type { CombinationRule } from './citations/verify-citations.js';

const PROBLEMS: Record<CitationProblem, string> = {
  unknown_node: 'the policy has no such section',
  wrong_page: 'the section is on another page',
  quote_too_short: 'the quote is too short to tell one place from another',
  quote_altered: 'the section says it in other words',
  quote_elsewhere: 'the words stand in another section',
  quote_not_found: 'the section does not say so',
  unknown_fact: 'the case has no such fact',
  other_value: 'the fact has another value',
  is_there: 'it is there',
  never_looked_up: 'it was never looked up',
  look_up_failed: 'the look-up for it failed',
};

/** Returns the problem of a citation, as part of a sentence. */
export function problemInWords(problem: CitationProblem): string {
  return PROBLEMS[problem];
}

/** A status in words. */
export const STATUS_WORDS: Record<CriterionStatus, string> = {
  MET: 'met',
  NOT_MET: 'not met',
  UNCERTAIN: 'uncertain',
};

/** Maximum number of characters that lists show. */
const LINE = 100;

/**
 * Returns the decided criteria on one line: `1 of 3 criteria settled: notice not met`. At most 100
 * characters.
 */
export function settledInWords(criteria: readonly { id: string; status: CriterionStatus }[]): string {
  const settled = criteria.filter(({ status }) => status !== 'UNCERTAIN');
  const head = `${settled.length} of ${criteria.length} ${criteria.length === 1 ? 'criterion' : 'criteria'} settled`;
  const lines = settled.map((_none, i) => {
    const named = settled.slice(0, i + 1).map(({ id, status }) => `${id} ${STATUS_WORDS[status]}`);
    const more = settled.length - named.length;
    return `${head}: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  });
  return lines.findLast((line) => line.length <= LINE) ?? head;
}

/** Returns in one sentence how the criteria determine the status of the case. */
export function combinationInWords(
  status: CriterionStatus,
  statuses: readonly CriterionStatus[],
  combine: CombinationRule,
): string {
  if (statuses.length === 1)
    return `The only criterion is ${STATUS_WORDS[status]}, so the case is ${STATUS_WORDS[status]}.`;
  const count = (sought: CriterionStatus): number => statuses.filter((one) => one === sought).length;
  const total = statuses.length;
  const needed = { all: `All ${total}`, any: `Any of ${total}`, 'n-of-m': '' }[combine.rule];
  const rule = combine.rule === 'n-of-m' ? `At least ${combine.n} of ${total}` : needed;
  return (
    `${rule} criteria must be met: ${count('MET')} met, ${count('NOT_MET')} not met, ` +
    `${count('UNCERTAIN')} uncertain, so the case is ${STATUS_WORDS[status]}.`
  );
}
