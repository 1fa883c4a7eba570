import type { RunDiff, RunDifference, ShownRun } from '@casefile/contracts';
import { useRunDiff } from '../../api/runs.js';
import { countOf } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { Badge } from '../../ui/badge.js';
import { Failed, Skeleton } from '../../ui/states.js';

const isUnderWay = ({ status }: ShownRun): boolean => ['due', 'running', 'suspended'].includes(status);

/** In what two runs differ, and where they parted first. */
export function RunDifferences({ runs: [a, b] }: { runs: readonly [ShownRun, ShownRun] }) {
  const { data, error, refetch } = useRunDiff(a.id, b.id, `${a.status} ${b.status}`);
  if (error !== null)
    return <Failed what="The runs could not be compared" error={error} retry={() => void refetch()} />;
  if (data === undefined || [a, b].some(isUnderWay))
    return <Skeleton lines={3} label="The runs are compared" />;
  return (
    <section className="panel run-difference" aria-label="In what the runs differ">
      <h2>
        {headlineOf(data)} {data.flipped && <Badge tone="amber">flipped</Badge>}
      </h2>
      <Differences differences={data.differences.filter(({ counts }) => counts)} />
      {data.firstDivergence !== null && <Parted {...data.firstDivergence} />}
    </section>
  );
}

function headlineOf({ same, differences }: RunDiff): string {
  if (same) return 'The same outcome, confidence, citations, tool path and requests';
  return countOf(differences.filter(({ counts }) => counts).length, 'difference');
}

function Differences({ differences }: { differences: RunDifference[] }) {
  if (differences.length === 0) return null;
  return (
    <ul>
      {differences.map(({ what, a, b }) => (
        <li key={what}>
          <strong>{visible(what)}</strong>: {visible(a)} → {visible(b)}
        </li>
      ))}
    </ul>
  );
}

function Parted({ stage, round, unit, step, what, path, a, b }: NonNullable<RunDiff['firstDivergence']>) {
  return (
    <div>
      <h3>
        They part in {stage}, round {round}
        {unit === '' ? '' : `, ${visible(unit)}`}, step {step}: {what}
        {path === '' ? '' : ` at ${visible(path)}`}
      </h3>
      <pre className="diff-pair">
        <del>{visible(a)}</del>
        {'\n'}
        <ins>{visible(b)}</ins>
      </pre>
    </div>
  );
}
