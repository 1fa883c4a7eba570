import type { Series, SeriesGrouping, SeriesMetric } from '@casefile/contracts';
import { useMemo } from 'react';
import { DEFAULT_RANGE, RANGES, useSeries } from '../../api/series.js';
import { countText } from '../../format/numbers.js';
import { durationText } from '../../format/time.js';
import { Choice } from '../../ui/choice.js';
import { useFilter } from '../../ui/use-filter.js';
import { LineChart } from '../../ui/line-chart.js';
import { seriesLines } from '../../ui/series-lines.js';
import { Failed, Skeleton } from '../../ui/states.js';
import './history.css';

const FILTERS = ['range'] as const;

/** Charts of the pipeline over time. The range is in the URL. */
export default function History() {
  const [{ range = DEFAULT_RANGE }, set] = useFilter(FILTERS);
  const p50 = useSeries('latency_p50', range).data;
  const p95 = useSeries('latency_p95', range);
  const latency = useMemo(() => (p50 && p95.data ? together(p50, p95.data) : undefined), [p50, p95.data]);
  return (
    <section className="panel panel-wide history" aria-label="History">
      <header className="panel-head">
        <h2>History</h2>
        <Choice label="Range" value={range} options={RANGES} change={set('range')} />
      </header>
      <div className="history-charts">
        <Chart
          title="Verdicts"
          metric="verdicts"
          by="disposition"
          range={range}
          format={countText}
          empty={0}
        />
        <Drawn
          title="Time to a verdict"
          series={latency}
          error={p95.error}
          format={durationText}
          empty={null}
        />
        <Chart
          title="Waiting jobs"
          metric="queue_depth"
          by="name"
          range={range}
          format={countText}
          empty={0}
        />
        <Chart title="Oldest waiting job" metric="queue_age" range={range} format={durationText} empty={0} />
        <Chart title="Failures" metric="failures" by="name" range={range} format={countText} empty={0} />
      </div>
    </section>
  );
}

/** Both percentiles in one chart. */
function together(p50: Series, p95: Series): Series {
  const asGroup = (series: Series, group: string) => series.series.map(({ points }) => ({ group, points }));
  return { ...p95, series: [...asGroup(p50, 'p50'), ...asGroup(p95, 'p95')] };
}

interface ChartProps {
  title: string;
  metric: SeriesMetric;
  by?: SeriesGrouping;
  range: string;
  format(value: number): string;
  empty: 0 | null;
}

function Chart({ metric, by, range, ...drawn }: ChartProps) {
  const { data, error } = useSeries(metric, range, by);
  return <Drawn {...drawn} series={data} error={error} />;
}

interface DrawnProps extends Pick<ChartProps, 'title' | 'format' | 'empty'> {
  series: Series | undefined;
  error: Error | null;
}

function Drawn({ title, series, error, format, empty }: DrawnProps) {
  const drawn = useMemo(
    () => (series === undefined ? undefined : seriesLines(series, empty)),
    [series, empty],
  );
  return (
    <div className="history-chart">
      <h3>
        {title} {series !== undefined && <span className="quiet">per {series.step}</span>}
      </h3>
      {drawn === undefined ? (
        error === null ? (
          <Skeleton lines={4} label={`${title} is loading`} />
        ) : (
          <Failed what={`${title} could not be read`} error={error} />
        )
      ) : drawn.lines.length === 0 ? (
        <p className="quiet">None in this time.</p>
      ) : (
        <LineChart
          label={`${title} over time`}
          at={drawn.at}
          lines={drawn.lines}
          format={format}
          isCount={format === countText}
        />
      )}
    </div>
  );
}
