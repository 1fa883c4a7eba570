import type { ShownEvolutionDetail } from '@casefile/contracts';
import { oneLine } from '@casefile/kit/output/escape';

const STATES: Record<string, string> = {
  comparing: 'being compared',
  not_better: 'not better than its parent',
  missed: 'dropped: runs without a verdict',
};
const RESULTS: Record<string, string> = {
  improved:
    'The best text is better on the held-out cases. Compare it in a shadow or an experiment before it becomes live.',
  no_improvement_on_held_out:
    'No improvement on the held-out cases that chance would not explain: no version was added.',
  no_improvement_on_validation: 'No improvement on the validation cases. The held-out cases were not used.',
};

/** Returns the progress of an evolution, its texts with their scores, and its report. */
export function evolutionLines({
  evaluations,
  mostEvaluations,
  etaSeconds,
  cases,
  candidates,
  report,
}: ShownEvolutionDetail): string[] {
  const remainingTime = etaSeconds === null ? '' : `, at most ${Math.ceil(etaSeconds / 60)} min left`;
  return [
    `${evaluations} of at most ${mostEvaluations} evaluations${remainingTime}`,
    `cases: ${cases.train} train, ${cases.validation} validation, ${cases.heldOut} held-out`,
    ...candidates.flatMap(({ index, parent, state, score, reason, changes }) => [
      oneLine(
        [
          `text ${index}`,
          parent === null ? 'live' : `from ${parent}`,
          parent === null ? null : (STATES[state] ?? state),
          score === null ? null : `score ${score.toFixed(3)}`,
          reason,
        ]
          .filter((one) => one !== null)
          .join('  '),
      ),
      ...changes.map(({ change, text }) => `  ${change === 'added' ? '+' : '-'} ${oneLine(text)}`),
    ]),
    ...(report === null ? [] : ['', RESULTS[report.result]!]),
    ...comparedSet('validation', report?.validation),
    ...comparedSet('held-out', report?.heldOut),
  ];
}

type Comparisons = NonNullable<ShownEvolutionDetail['report']>['heldOut'];

function comparedSet(name: string, rows: Comparisons = []): string[] {
  return rows
    .filter(({ cases }) => cases > 0)
    .map(({ objective, cases, live, candidate, difference, interval }) => {
      const range =
        interval === null
          ? ''
          : `, difference ${shownNumber(difference)} (95 % interval ${shownNumber(interval.low)} to ${shownNumber(interval.high)})`;
      return `${name} ${objective}: ${shownNumber(live)} -> ${shownNumber(candidate)} on ${cases} cases${range}`;
    });
}

const shownNumber = (value: number | null): string => (value === null ? '-' : value.toFixed(3));
