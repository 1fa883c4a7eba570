import type { ShownEvolutionDetail } from '@casefile/contracts';
import { Link } from 'wouter';
import { useEvolution } from '../../api/evolutions.js';
import { visible } from '../../format/visible.js';
import { Failed, Skeleton } from '../../ui/states.js';
import { PromptLines } from './prompt-lines.js';

const RESULTS = {
  improved:
    'The best text is better on the held-out cases. It was added as a candidate. Compare it in a shadow or an experiment before it becomes live.',
  no_improvement_on_held_out:
    'No improvement on the held-out cases that chance would not explain. No version was added.',
  no_improvement_on_validation:
    'No improvement on the validation cases. The held-out cases were not used, and no version was added.',
} as const;
const STATES = {
  comparing: 'being compared',
  kept: 'kept',
  not_better: 'not better than its parent',
  refused: 'refused',
  missed: 'dropped: runs without a verdict',
} as const;

/** Progress, report and texts of one evolution. */
export function EvolutionDetail({ id }: { id: string }) {
  const { data, error, refetch } = useEvolution(id);
  if (error !== null && data === undefined)
    return <Failed what="The evolution could not be read" error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={4} label="The evolution is loading" />;
  const { evaluations, mostEvaluations, etaSeconds, cases, report } = data;
  return (
    <>
      <p>
        {evaluations} of at most {mostEvaluations} evaluations
        {etaSeconds !== null && `, at most ${Math.ceil(etaSeconds / 60)} min left`} · {cases.train} training,{' '}
        {cases.validation} validation and {cases.heldOut} held-out cases
      </p>
      {report !== null && (
        <>
          <p>
            <strong>{RESULTS[report.result]}</strong>
          </p>
          <Comparison name="Validation cases" rows={report.validation} />
          <Comparison name="Held-out cases" rows={report.heldOut} />
        </>
      )}
      <Texts evolution={data} />
    </>
  );
}

type Rows = NonNullable<ShownEvolutionDetail['report']>['heldOut'];

function Comparison({ name, rows }: { name: string; rows: Rows }) {
  const measuredRows = rows.filter(({ cases }) => cases > 0);
  if (measuredRows.length === 0) return null;
  return (
    <>
      <h3>{name}</h3>
      <ul>
        {measuredRows.map(({ objective, cases, live, candidate, difference, interval }) => (
          <li key={objective}>
            {objective}: {figure(live)} → {figure(candidate)} on {cases} cases
            {interval !== null &&
              `, difference ${figure(difference)} (95 % interval ${figure(interval.low)} to ${figure(interval.high)})`}
          </li>
        ))}
      </ul>
    </>
  );
}

function Texts({ evolution: { candidates } }: { evolution: ShownEvolutionDetail }) {
  return (
    <>
      <h3>Texts</h3>
      <ol start={0} className="evolution-texts">
        {candidates.map(({ index, parent, state, reason, score, changes, added, learntFrom }) => (
          <li key={index}>
            {parent === null ? 'live text' : `made from text ${parent}: ${STATES[state]}`}
            {score !== null && `, score ${score.toFixed(3)}`}
            {reason !== null && ` (${visible(reason)})`}
            {added.length > 0 && (
              <>
                <h4>Sentences that text {index} adds to the live text</h4>
                <ul>
                  {added.map((sentence) => (
                    <li key={sentence}>{visible(sentence)}</li>
                  ))}
                </ul>
              </>
            )}
            {learntFrom.length > 0 && (
              <details>
                <summary>Cases that led to text {index}</summary>
                <ul>
                  {learntFrom.map((caseId) => (
                    <li key={caseId}>
                      <Link href={`/cases/${caseId}`}>{caseId}</Link>
                    </li>
                  ))}
                </ul>
              </details>
            )}
            {changes.length > 0 && (
              <details>
                <summary>Changes of text {index}</summary>
                <PromptLines lines={changes} label={`Text ${index} against text ${parent}`} />
              </details>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

const figure = (value: number | null): string => (value === null ? '–' : value.toFixed(2));
