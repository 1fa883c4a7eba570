import { counted, rich, t } from '../../strings/text.js';
import type { PipelineView, Series } from '@casefile/contracts';
import { useEffect, useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useInbox } from '../../api/inbox.js';
import { usePipeline } from '../../api/queries.js';
import { useSeries } from '../../api/series.js';
import { countText, moneyText } from '../../format/numbers.js';
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
        <h1>{t('home.home')}</h1>
      </div>
      <PageNotes page="home" readAt={pipeline.dataUpdatedAt} isFailing={pipeline.error !== null} />
      <Answer of={pipeline} what={t('home.theFigures')} lines={6}>
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
        name={t('home.waitingToBeJudged')}
        value={countText(view.backlog)}
        href="/cases?status=open"
        note={t('home.unfinishedRuns')}
        values={valuesOf(depth, 0)}
      />
      <Tile
        name={t('home.timeToAVerdictP95')}
        value={measured.length === 0 ? '–' : durationText(measured.at(-1)!)}
        href="/operate"
        note={
          measured.length === 0
            ? t('home.noVerdictIn24Hours')
            : t('home.atMostIn24H', { durationText: durationText(Math.max(...measured)) })
        }
        values={p95Values}
      />
      <Tile
        name={budget === undefined ? t('home.cost24Hours') : t('home.costToday')}
        value={moneyText(
          budget === undefined ? sumOf(valuesOf(cost, 0)) : budget.spentUsd + budget.reservedUsd,
        )}
        href="/operate/cost"
        note={
          budget === undefined
            ? t('home.noDailyBudgetIsSet')
            : t('home.of', { limitUsd: moneyText(budget.limitUsd) })
        }
        values={valuesOf(cost, 0)}
      />
      <Tile
        name={t('home.verdictsLeftToAPerson')}
        value={countText(waiting?.count ?? 0)}
        href="/inbox?type=review"
        note={
          waiting === undefined ? (
            t('home.noneWaits')
          ) : (
            <>{rich('home.theOldestFor', { age: <Age at={waiting.oldest} /> })}</>
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
        <Sparkline label={`${name}: ${counted('count.hour', values.length)}`} values={values} />
      </dd>
    </div>
  );
}
