import type { ShownRun } from '@casefile/contracts';
import { Link, useLocation } from 'wouter';
import { Badge } from '../../ui/badge.js';
import { RunStatusBadge } from '../../ui/run-status.js';
import { Age } from '../../ui/stamp.js';
import { VerdictBadge } from '../../ui/verdict-badge.js';

interface TabsProps {
  runs: ShownRun[];
  run: ShownRun;
  /** The run that it is compared with, if there is one. */
  other: ShownRun | undefined;
}

/** The runs of a case: which one is shown, and which it is compared with. */
export function RunTabs({ runs, run, other }: TabsProps) {
  const [location, navigate] = useLocation();
  return (
    <nav className="run-tabs" aria-label="Runs of this case">
      <ul>
        {runs.map((it, index) => (
          <li key={it.id}>
            <Link
              href={`${location}?run=${it.id}`}
              className={it === run ? 'run-tab run-tab-current' : 'run-tab'}
              aria-current={it === run ? 'true' : undefined}
            >
              <span className="run-number">Run {index + 1}</span>
              {it.verdict === null ? (
                <RunStatusBadge status={it.status} stage={it.stage} />
              ) : (
                <VerdictBadge disposition={it.verdict.disposition} word={it.presentation?.word} />
              )}
              {it.lane !== 'live' && <Badge tone="violet">{it.lane}</Badge>}
              <span className="quiet">
                <Age at={it.createdAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <label className="compare-choice">
        Compare with
        <select
          className="field"
          value={other?.id ?? ''}
          onChange={({ target: { value } }) =>
            navigate(`${location}?run=${run.id}${value === '' ? '' : `&with=${value}`}`)
          }
        >
          <option value="">no other run</option>
          {runs.map((it, index) =>
            it === run ? null : (
              <option key={it.id} value={it.id}>
                run {index + 1} ({it.lane})
              </option>
            ),
          )}
        </select>
      </label>
    </nav>
  );
}
