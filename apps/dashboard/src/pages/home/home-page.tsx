import type { PipelineView, Series } from '@casefile/contracts';
import { useEffect, useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useInbox } from '../../api/inbox.js';
import { usePipeline } from '../../api/queries.js';
import { useSeries } from '../../api/series.js';
import { countOf, countText, moneyText } from '../../format/numbers.js';
import { durationText } from '../../format/time.js';
import { PageNotes } from '../../shell/page-notes-list.js';
import { Sparkline } from '../../ui/sparkline.js';
import { seriesLines } from '../../ui/series-lines.js';
import { Age } from '../../ui/stamp.js';
import { Answer } from '../../ui/answer.js';
import { noteVisit } from './last-visit.js';
import { OpenSilences } from './open-silences.js';
import { SinceLastVisit } from './since-last-visit.js';
import './home.css';

/** First page: four figures with their last 24 hours, open silences, and what changed since the last visit. */
export default function HomePage() {
  const pipeline = usePipeline();
  const [before] = useState(noteVisit);
  useEffect(() => void (document.title = 'Casefile'), []);
  return (
    <>
      <div className="page-head">
        <h1>Home</h1>
      </div>
      <PageNotes page="home" readAt={pipeline.dataUpdatedAt} isFailing={pipeline.error !== null} />
      <Answer of={pipeline} what="The figures" lines={6}>
        {(view) => <Figures view={view} />}
      </Answer>
      <OpenSilences />
      <SinceLastVisit before={before} />
    </>
  );
}

function Figures({ view }: { view: PipelineView }) {
  const waiting = useInbox().data?.waiting.find(({ type }) => type === 'review');
  const depth = useSeries('queue_depth', '24h').data;
  const p95 = useSeries('latency_p95', '24h').data;
  const cost = useSeries('cost', '24h').data;
  const left = useSeries('verdicts', '24h', 'disposition').data;
  const p95Values = valuesOf(p95, null);
  const measured = p95Values.filter((value) => value !== null);
  const budget = view.budgets.filter(({ key, measure }) => key === 'day:usd' && measure === 'usd').at(-1);
  return (
    <dl className="home-tiles">
      <Tile
        name="Waiting to be judged"
        value={countText(view.backlog)}
        href="/cases?status=open"
        note="unfinished runs"
        values={valuesOf(depth, 0)}
      />
      <Tile
        name="Time to a verdict, p95"
        value={measured.length === 0 ? '–' : durationText(measured.at(-1)!)}
        href="/operate"
        note={
          measured.length === 0
            ? 'no verdict in 24 hours'
            : `at most ${durationText(Math.max(...measured))} in 24 h`
        }
        values={p95Values}
      />
      <Tile
        name={budget === undefined ? 'Cost, 24 hours' : 'Cost today'}
        value={moneyText(
          budget === undefined ? sumOf(valuesOf(cost, 0)) : budget.spentUsd + budget.reservedUsd,
        )}
        href="/operate/cost"
        note={budget === undefined ? 'no daily budget is set' : `of ${moneyText(budget.limitUsd)}`}
        values={valuesOf(cost, 0)}
      />
      <Tile
        name="Verdicts left to a person"
        value={countText(waiting?.count ?? 0)}
        href="/inbox?type=review"
        note={
          waiting === undefined ? (
            'none waits'
          ) : (
            <>
              the oldest for <Age at={waiting.oldest} />
            </>
          )
        }
        values={valuesOf(left, 0, 'review')}
      />
    </dl>
  );
}

/** Returns one value per step: of one group, or of all added. `empty`: value of a step without data. */
function valuesOf(series: Series | undefined, empty: 0 | null, group?: string): (number | null)[] {
  if (series === undefined) return [];
  const of =
    group === undefined ? series : { ...series, series: series.series.filter((one) => one.group === group) };
  const { at, lines } = seriesLines(of, empty);
  const [first] = lines;
  return first === undefined ? at.map(() => empty) : [...first.values];
}

function sumOf(values: readonly (number | null)[]): number {
  return values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
}

interface TileProps {
  name: string;
  value: string;
  href: string;
  note: ReactNode;
  values: readonly (number | null)[];
}

function Tile({ name, value, href, note, values }: TileProps) {
  return (
    <div className="home-tile">
      <dt>{name}</dt>
      <dd>
        <Link href={href} className="num">
          {value}
        </Link>
        <p className="quiet">{note}</p>
        <Sparkline label={`${name}: ${countOf(values.length, 'hour')}`} values={values} />
      </dd>
    </div>
  );
}
