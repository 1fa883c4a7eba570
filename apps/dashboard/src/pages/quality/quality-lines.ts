import type { Quality, QualityPeriod } from '@casefile/contracts';
import type { Line } from '../../ui/line-chart.js';

type Shown = Pick<Quality, 'series' | 'step' | 'evaluations' | 'from' | 'to'>;

/**
 * Returns the lines of the charts over time. Each period adds its kinds; times are those of the slowest kind.
 * The shares also have the days on which an unseen set was judged. Seen sets are left out: rules learned from
 * them. `at` and `sharesAt` are in seconds since 1970.
 */
export function qualityLines({ series, ...range }: Shown) {
  const times = ascending(series.map(({ at }) => Date.parse(at)));
  const sets = unseenSets(range);
  const shareTimes = ascending([...times, ...sets.map(({ at }) => at)]);
  const periods = (at: number) => series.filter((row) => Date.parse(row.at) === at);
  const line = (name: string, value: (rows: readonly QualityPeriod[]) => number | null): Line => ({
    name,
    values: times.map((at) => value(periods(at))),
  });
  const share = (name: string, key: ShareName): Line => ({
    name,
    values: shareTimes.map((at) => shareOver(periods(at), key)),
  });
  const onSets = {
    name: 'right on unseen sets',
    values: shareTimes.map((at) =>
      shareOver(
        sets.filter((one) => one.at === at),
        'accuracy',
      ),
    ),
  };
  return {
    at: times.map(seconds),
    sharesAt: shareTimes.map(seconds),
    shares: [
      share('right', 'accuracy'),
      share('review', 'reviewShare'),
      share('degraded', 'degradedShare'),
      share('citations verified', 'citationAccuracy'),
      ...(sets.length === 0 ? [] : [onSets]),
    ],
    cost: [line('cost', costOver)],
    time: [
      line('p50', (rows) => Math.max(...rows.map(({ p50Ms }) => p50Ms))),
      line('p95', (rows) => Math.max(...rows.map(({ p95Ms }) => p95Ms))),
    ],
  };
}

// A result has a day and no time, so charts by hours do not show it.
function unseenSets({ evaluations, step, from, to }: Omit<Shown, 'series'>) {
  if (step === 'hour') return [];
  return evaluations
    .filter(({ unseen, date }) => unseen && date >= from.slice(0, 10) && date <= to.slice(0, 10))
    .map((one) => ({ accuracy: one.accuracy, at: Date.parse(one.date) }));
}

const ascending = (times: readonly number[]) => [...new Set(times)].sort((a, b) => a - b);
const seconds = (ms: number) => ms / 1_000;

type ShareName = 'accuracy' | 'reviewShare' | 'degradedShare' | 'citationAccuracy';

function shareOver<N extends ShareName>(rows: readonly Pick<QualityPeriod, N>[], name: N): number | null {
  const of = rows.reduce((sum, row) => sum + row[name].of, 0);
  return of === 0 ? null : rows.reduce((sum, row) => sum + row[name].part, 0) / of;
}

function costOver(rows: readonly QualityPeriod[]): number | null {
  const verdicts = rows.reduce((sum, row) => sum + row.verdicts, 0);
  const cost = rows.reduce((sum, row) => sum + (row.costUsdPerVerdict ?? 0) * row.verdicts, 0);
  return verdicts === 0 ? null : cost / verdicts;
}
