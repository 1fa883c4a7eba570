import type { Quality, QualityPeriod } from '@casefile/contracts';
import { useMemo } from 'react';
import { moneyText, percentText } from '../../format/numbers.js';
import { durationText } from '../../format/time.js';
import { LineChart, type Line } from '../../ui/line-chart.js';

/** Charts over time of all shown kinds: shares, cost and time to a verdict. */
export function QualityOverTime({ quality: { series, step } }: { quality: Quality }) {
  const { at, shares, cost, time } = useMemo(() => linesOf(series), [series]);
  if (at.length < 2)
    return <p className="quiet">Charts over time appear with the second {step} that has verdicts.</p>;
  return (
    <div className="quality-charts">
      <section className="panel quality-part" aria-label="Shares over time">
        <h2>Shares</h2>
        <LineChart
          label={`Shares of verdicts per ${step}`}
          at={at}
          lines={shares}
          format={percentText}
          most={1}
        />
      </section>
      <section className="panel quality-part" aria-label="Cost over time">
        <h2>Cost per verdict</h2>
        <LineChart label={`Cost per verdict per ${step}`} at={at} lines={cost} format={moneyText} />
      </section>
      <section className="panel quality-part" aria-label="Time over time">
        <h2>Time to a verdict</h2>
        <LineChart label={`Time to a verdict per ${step}`} at={at} lines={time} format={durationText} />
      </section>
    </div>
  );
}

/** Adds the kinds of each period. Times are those of the slowest kind. */
function linesOf(series: readonly QualityPeriod[]) {
  const times = [...new Set(series.map(({ at }) => at))];
  const periods = times.map((at) => [at, series.filter((row) => row.at === at)] as const);
  const line = (name: string, value: (rows: readonly QualityPeriod[]) => number | null): Line => ({
    name,
    values: periods.map(([, rows]) => value(rows)),
  });
  return {
    at: periods.map(([at]) => Date.parse(at) / 1_000),
    shares: [
      line('right', (rows) => shareOver(rows, 'accuracy')),
      line('review', (rows) => shareOver(rows, 'reviewShare')),
      line('degraded', (rows) => shareOver(rows, 'degradedShare')),
      line('citations verified', (rows) => shareOver(rows, 'citationAccuracy')),
    ],
    cost: [line('cost', costOver)],
    time: [
      line('p50', (rows) => Math.max(...rows.map(({ p50Ms }) => p50Ms))),
      line('p95', (rows) => Math.max(...rows.map(({ p95Ms }) => p95Ms))),
    ],
  };
}

type ShareName = 'accuracy' | 'reviewShare' | 'degradedShare' | 'citationAccuracy';

function shareOver(rows: readonly QualityPeriod[], name: ShareName): number | null {
  const of = rows.reduce((sum, row) => sum + row[name].of, 0);
  return of === 0 ? null : rows.reduce((sum, row) => sum + row[name].part, 0) / of;
}

function costOver(rows: readonly QualityPeriod[]): number | null {
  const verdicts = rows.reduce((sum, row) => sum + row.verdicts, 0);
  const cost = rows.reduce((sum, row) => sum + (row.costUsdPerVerdict ?? 0) * row.verdicts, 0);
  return verdicts === 0 ? null : cost / verdicts;
}
