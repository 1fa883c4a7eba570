import { ROW } from '../../ui/walk-rows.js';
import type { ListedImport } from '@casefile/contracts';
import { hasEnded, useImports } from '../../api/imports.js';
import { visible } from '../../format/visible.js';
import { Badge } from '../../ui/badge.js';
import { Stamp } from '../../ui/stamp.js';
import './imports.css';

/** Ended imports that are shown. */
const ENDED = 3;
const TONES = { done: 'green', failed: 'red' } as const;

/**
 * Imports into knowledge bases: those that have not ended, with their progress, and the last that have. Shows
 * nothing without one.
 */
export function Imports() {
  const { data } = useImports();
  const all = data?.imports ?? [];
  const shown = [...all.filter((one) => !hasEnded(one)), ...all.filter(hasEnded).slice(0, ENDED)];
  if (shown.length === 0) return null;
  return (
    <section className="panel imports" aria-labelledby="imports">
      <h2 id="imports">Imports</h2>
      <ul>
        {shown.map((one) => (
          <li key={one.importId} {...ROW}>
            <ImportLine one={one} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function ImportLine({ one }: { one: ListedImport }) {
  const { kind, source, state, progress, complete, problem, doneAt, createdAt } = one;
  const isPartial = state === 'done' && complete === false;
  const tone = isPartial ? 'amber' : state === 'done' || state === 'failed' ? TONES[state] : undefined;
  return (
    <>
      <span className="mono">{kind}</span> {source !== null && visible(source)}{' '}
      <Badge {...(tone === undefined ? {} : { tone })}>{isPartial ? 'done in part' : state}</Badge>{' '}
      {progress !== null && (
        <>
          <progress max={progress.total} value={progress.done} aria-label={`Import of ${kind}`} />{' '}
          <span>
            {progress.what}: {progress.done} of {progress.total}
          </span>{' '}
        </>
      )}
      {problem !== null && <span dir="auto">{visible(problem.detail)}</span>}{' '}
      <span className="quiet">
        <Stamp at={doneAt ?? createdAt} />
      </span>
    </>
  );
}
