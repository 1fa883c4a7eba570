import {
  InvalidInput,
  seriesQuerySchema,
  seriesSchema,
  type Series,
  type SeriesGrouping,
  type SeriesMetric,
  type SeriesPoint,
  type SeriesStep,
} from '@casefile/contracts';
import { route } from '../http/route.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const STEP_MS: Record<SeriesStep, number> = { minute: 60_000, hour: HOUR_MS, day: DAY_MS };
const MOST_STEPS = 3_000;

const UNITS: Record<SeriesMetric, Series['unit']> = {
  verdicts: 'count',
  latency_p50: 'ms',
  latency_p95: 'ms',
  cost: 'usd',
  tokens: 'tokens',
  queue_depth: 'count',
  queue_age: 'ms',
  failures: 'count',
};
const OF_VERDICTS = ['playbook', 'disposition', 'model'] as const;
const OF_SAMPLES = ['name'] as const;
const SAMPLED: readonly SeriesMetric[] = ['queue_depth', 'queue_age', 'failures'];

/** Metrics over time. */
export const seriesRoutes = [
  route({
    method: 'get',
    path: '/series',
    operationId: 'getSeries',
    right: 'viewer',
    tag: 'pipeline',
    summary: 'A metric over time: verdicts, latency, cost, tokens, queues, failures',
    input: { query: seriesQuerySchema },
    answer: '{ metric, unit, step, series: [{ group, points: [{ at, value }] }] }',
    response: seriesSchema,
    handler: async ({ store, now }, { query: { metric, by, ...query } }) => {
      const to = query.to === undefined ? now() : Date.parse(query.to);
      const requestedFrom = query.from === undefined ? to - DAY_MS : Date.parse(query.from);
      if (requestedFrom >= to) throw invalid('from', 'expected a time before `to`');
      checkGrouping(metric, by);
      const step = query.step ?? defaultStep(to - requestedFrom);
      if ((to - requestedFrom) / STEP_MS[step] > MOST_STEPS)
        throw invalid('step', `expected a step that divides the time into at most ${MOST_STEPS} parts`);
      // Begins at a whole step, so that its value agrees with that of other requests.
      const range = {
        from: new Date(Math.floor(requestedFrom / STEP_MS[step]) * STEP_MS[step]).toISOString(),
        to: new Date(to).toISOString(),
      };
      const points = await store.history.series({
        metric,
        step,
        ...range,
        ...(by === undefined ? {} : { by }),
      });
      return {
        metric,
        unit: UNITS[metric],
        step,
        ...range,
        series: groupByName(points),
        nextCursor: null,
      };
    },
  }),
];

function groupByName(points: readonly SeriesPoint[]): Series['series'] {
  const groups = new Map<string | null, Series['series'][number]>();
  for (const { group, at, value } of points) {
    const one = groups.get(group) ?? { group, points: [] };
    one.points.push({ at, value });
    groups.set(group, one);
  }
  return [...groups.values()];
}

function checkGrouping(metric: SeriesMetric, by: SeriesGrouping | undefined): void {
  const allowed: readonly SeriesGrouping[] = SAMPLED.includes(metric) ? OF_SAMPLES : OF_VERDICTS;
  if (by === undefined || allowed.includes(by)) return;
  throw invalid('by', `expected one of ${allowed.join(', ')} for the metric ${metric}`);
}

function defaultStep(lengthMs: number): SeriesStep {
  if (lengthMs <= 6 * HOUR_MS) return 'minute';
  return lengthMs <= 14 * DAY_MS ? 'hour' : 'day';
}

function invalid(path: string, message: string): InvalidInput {
  return new InvalidInput([{ path, message }], 'request');
}
