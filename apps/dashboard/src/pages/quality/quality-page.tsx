import type { Quality } from '@casefile/contracts';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { usePlaybooks } from '../../api/queries.js';
import { DEFAULT_DAYS, QUALITY_FILTERS, useQuality, type QualityFilter } from '../../api/quality.js';
import { Choice } from '../../ui/choice.js';
import { useFilter } from '../../ui/use-filter.js';
import { Empty, Failed, Skeleton } from '../../ui/states.js';
import { kindHref } from '../trials/trial.js';
import { Calibrations } from './calibrations.js';
import { Examiners } from './examiners.js';
import { LabelledSets } from './labelled-sets.js';
import { MissingLookUps } from './missing-look-ups.js';
import { QualityOverTime } from './quality-over-time.js';
import { QualityTable } from './quality-table.js';
import './quality.css';

const RANGES = [
  ['1', 'last 24 hours'],
  ['7', 'last 7 days'],
  ['30', 'last 30 days'],
  ['90', 'last 90 days'],
] as const;
const GROUPS = [
  ['model', 'model'],
  ['prompt', 'prompt'],
  ['strategy', 'strategy'],
  ['provider', 'provider'],
] as const;

/** Page of the share of right verdicts, by people's labels, and of their cost. */
export default function QualityPage() {
  useEffect(() => void (document.title = 'Quality · Casefile'), []);
  const [filter, set] = useFilter(QUALITY_FILTERS);
  const { data, error, refetch } = useQuality(filter);
  const kinds = usePlaybooks().data?.playbooks.map(({ name, title }) => [name, title] as const) ?? [];
  return (
    <>
      <div className="page-head">
        <h1>Quality</h1>
        <div className="quality-filters">
          <Choice
            label="Kind"
            value={filter.playbook ?? ''}
            options={kinds}
            all="all"
            change={set('playbook')}
          />
          <Choice label="Time" value={filter.days ?? DEFAULT_DAYS} options={RANGES} change={set('days')} />
          <Choice label="Rows by" value={filter.by ?? ''} options={GROUPS} all="kind" change={set('by')} />
        </div>
      </div>
      <nav className="quality-kinds" aria-label="Kinds">
        {kinds.map(([name, title]) => (
          <Link key={name} className="button button-plain" href={kindHref(name)}>
            {title}
          </Link>
        ))}
      </nav>
      {data !== undefined ? (
        <Figures quality={data} filter={filter} />
      ) : error !== null ? (
        <Failed what="The figures could not be read" error={error} retry={() => void refetch()} />
      ) : (
        <div className="panel">
          <Skeleton lines={8} label="Figures are loading" />
        </div>
      )}
    </>
  );
}

function Figures({ quality, filter }: { quality: Quality; filter: QualityFilter }) {
  if (quality.quality.length === 0)
    return (
      <>
        <Empty title="No verdicts in this time">
          Figures appear some seconds after the first verdict: <a href="/docs/use/quality">Quality</a>
        </Empty>
        <LabelledSets evaluations={quality.evaluations} />
      </>
    );
  return (
    <>
      <section className="panel quality-part" aria-label="Figures">
        <QualityTable rows={quality.quality} by={filter.by} from={quality.from} />
      </section>
      <LabelledSets evaluations={quality.evaluations} />
      <QualityOverTime quality={quality} />
      <MissingLookUps missing={quality.missing} from={quality.from} />
      <Examiners examiners={quality.examiners} />
      <Calibrations all={quality.calibration} />
    </>
  );
}
