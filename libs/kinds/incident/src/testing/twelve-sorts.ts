import { readFileSync } from 'node:fs';
import { z } from '@casefile/contracts';
import type { Investigated } from './incident-verdicts.js';

const answerSchema = z.strictObject({
  /** The summary of the alert. */
  reported: z.string(),
  lookUps: z.array(z.tuple([z.string(), z.string(), z.string()])),
  /** The cause, or the summary of a false alarm, as the model states it. */
  stated: z.string(),
  quotes: z.array(z.tuple([z.string(), z.string()])),
});
const pairSchema = z.strictObject({
  of: z.enum(['cause', 'false-alarm']),
  sort: z.string(),
  language: z.string(),
  wrong: answerSchema,
  honest: answerSchema,
});
type Pair = z.infer<typeof pairSchema>;

/** A wrong conclusion with true quotes, and an honest one of the same form. */
export interface SortPair {
  of: Pair['of'];
  sort: string;
  language: string;
  wrong: Investigated;
  honest: Investigated;
}

const FILE = new URL('../../../../../samples/eval/trust/incident-sorts.jsonl', import.meta.url);
const START = '2026-06-11T12:00:00Z';

/** Returns the pairs of the twelve sorts. */
export const sortPairs = (): SortPair[] =>
  readFileSync(FILE, 'utf8')
    .trim()
    .split('\n')
    .map((line) => pairSchema.parse(JSON.parse(line)))
    .map(({ wrong, honest, ...pair }) => ({
      ...pair,
      wrong: investigated(wrong, pair.of),
      honest: investigated(honest, pair.of),
    }));

function investigated({ reported, lookUps, stated, quotes }: Pair['wrong'], of: Pair['of']): Investigated {
  const citations = quotes.map(([id, quote]) => ({ id, quote }));
  return {
    labels: { alertname: 'Alert', severity: 'warning', service: 'booking', instance: 'bk-db' },
    alert: { annotations: { summary: reported }, startsAt: START },
    lookUps: lookUps.map(([tool, name, text]) => [`cluster__${tool}`, { of: name }, { text }] as const),
    analysis: {
      summary: stated,
      confidence: 0.95,
      ...(of === 'cause'
        ? {
            hypotheses: [{ cause: stated, probability: 0.95, citations }],
            impact: { now: true, what: 'Bookings fail.' },
          }
        : { falseAlarm: { is: true, citations } }),
    },
  };
}
