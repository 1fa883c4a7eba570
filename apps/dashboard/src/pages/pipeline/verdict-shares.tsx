import type { PipelineView } from '@casefile/contracts';
import { Link } from 'wouter';
import { countText, percentText } from '../../format/numbers.js';
import { Dot } from '../../ui/badge.js';
import { toneOfDisposition } from '../../ui/verdict-badge.js';

const ORDER = ['act', 'review', 'dismiss'];

/** How the verdicts of the last hour are shared out. */
export function VerdictShares({ verdicts }: { verdicts: PipelineView['verdicts'] }) {
  const known = ORDER.map((name) => [name, verdicts.byDisposition[name] ?? 0] as const);
  const total = known.reduce((sum, [, n]) => sum + n, 0);
  if (total === 0) return <p className="quiet">There was none.</p>;
  return (
    <>
      <svg className="shares" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        {known.map(([name, n], i) => {
          const before = known.slice(0, i).reduce((sum, [, it]) => sum + it, 0);
          return (
            <rect
              key={name}
              className={`share tone-${toneOfDisposition(name)}`}
              x={(before / total) * 100}
              width={(n / total) * 100}
              height={6}
            />
          );
        })}
      </svg>
      <dl className="share-list">
        {known.map(([name, n]) => (
          <div key={name}>
            <dt>
              <Dot tone={toneOfDisposition(name)} /> <Link href={`/cases?disposition=${name}`}>{name}</Link>
            </dt>
            <dd className="num">
              {countText(n)} <span className="quiet">{percentText(n / total)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
