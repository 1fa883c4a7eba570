import fc from 'fast-check';
import { lookUpsOf } from './look-ups.js';
import { aLookUp, anIncidentInput, incidentEvidence } from './testing/incident-builders.js';
import { checkSentences, type Ground } from './prose-check.js';

const METRICS =
  '2026-03-02T09:05:31Z requests 1,117/s, errors 34.8 %, p99 5.02 s, pool 5 of 5, checkout-7f9c-x2x1z 5.2.0';
const failed = { ...aLookUp('cluster__logs', null), state: 'failed' as const, message: 'no answer' };
const reads = lookUpsOf(anIncidentInput(incidentEvidence([])).evidence, [
  aLookUp('cluster__metrics', { text: METRICS }),
  failed,
  aLookUp('cluster__disk_usage', { text: 'db-2 97 % of 200 GiB' }),
]);
const [metrics, logs, disk] = reads.map(({ id }) => id) as [string, string, string];
const ground: Ground = {
  reads,
  known: ['CheckoutErrorRateHigh since 2026-03-02T09:05:30Z'],
  runbookId: 'E9',
};
const whyOf = (text: string) => checkSentences(text, ground).map(({ why }) => why);

describe('T-04 ids and figures in what a model writes', () => {
  it.each([
    `A third of the payments fail: 34.8 % [${metrics}].`,
    `About 35 percent of 1117 requests fail since 09:05 [${metrics}].`,
    `The release 5.2.0 left a pool of 5 of 5 [${metrics}].`,
    `Pod checkout-7f9c waits 5.02s [${metrics}, ${disk}].`,
    `The disk of db-2 is at 97% of 200 GiB.`,
    `It began at 09:05:30 on 2 March 2026.`,
    'As the runbook says [E9].',
    'Customers cannot pay.',
  ])('finds all of: %s', (text) => {
    expect(whyOf(text)).toEqual([null]);
  });

  it.each([
    ['nothing has this id', 'The database is down, everybody panic [E77].'],
    ['the look-up failed', `The log is clean [${logs}].`],
    ['“97” is in nothing that it cites', `Errors are at 97 % [${metrics}].`],
    ['“348” is in nothing that was read', 'Errors are at 348 %.'],
    ['“db-7” is in nothing that was read', 'Restart db-7.'],
    ['“5.3.0” is in nothing that was read', 'It began with 5.3.0.'],
    ['“10:05” is in nothing that was read', 'It began at 10:05.'],
  ])('says of others: %s', (why, text) => {
    expect(whyOf(text)).toEqual([expect.stringContaining(why)]);
  });

  it('judges each sentence by itself', () => {
    expect(whyOf(`Errors are at 34.8 % [${metrics}]. It cost 812 orders. Customers cannot pay.`)).toEqual([
      null,
      expect.stringContaining('812'),
      null,
    ]);
  });

  it('finds no altered figure among those of its source', () => {
    // 2026 is the year in which the alert began, so it occurs in a source.
    const figure = fc.integer({ min: 1_000, max: 9_999 }).filter((value) => value !== 2026);
    fc.assert(
      fc.property(figure, figure, (there, altered) => {
        fc.pre(there !== altered);
        const [read] = lookUpsOf(anIncidentInput(incidentEvidence([])).evidence, [
          aLookUp('cluster__logs', { text: `queue ${there} messages` }),
        ]);
        const why = (n: number) =>
          checkSentences(`The queue has ${n} messages [${read!.id}].`, { ...ground, reads: [read!] })[0]!.why;
        expect(why(there)).toBeNull();
        expect(why(altered)).not.toBeNull();
      }),
      { numRuns: 300 },
    );
  });
});
