import { moves, type Lease } from '@casefile/contracts';
import { aClaimRequest, aRunSettings, goldenFile } from '@casefile/contracts/testing';
import pg from 'pg';
import { advanceTo, aReservation, aResult, aVerdict } from '../testing/store-bench.js';
import { testRecord } from '../testing/test-record.js';

const at = testRecord();

// A changed statement changes the file: delete the file, run this spec, and review the difference.
describe('the statements that every case pays for, as they are sent', () => {
  it('accept: a case with its alert, run and first unit', async () => {
    const { bench, store } = at();
    const request = bench.request({
      fingerprint: 'print',
      idempotency: { key: 'key', bodyDigest: 'digest' },
      claimForMs: 6_000,
      settings: aRunSettings(),
    });
    await expectGolden('accept', () => store.runs.accept(request));
  });

  it('claim: what is due, with all that its stage reads', async () => {
    const { bench, store } = at();
    const { runId } = await bench.accept();
    const claim = aClaimRequest(runId, { readsAlert: true, reads: ['brief'] });
    await expectGolden('claim', () => store.units.claim(claim));
  });

  it('intend: a model call, with the result of the call before it and what both cost', async () => {
    const { bench, store } = at();
    const { lease } = await bench.claim((await bench.accept()).runId);
    const first = { ...bench.intent(lease), reservations: [aReservation()] };
    await store.interactions.intend(first);
    const results = [aResult(first.interaction.id, { charge: { usd: 60, tokens: 15 } })];
    const next = { ...bench.intent(lease, { step: 2 }, results), reservations: [aReservation()] };
    await expectGolden('intend', () => store.interactions.intend(next));
  });

  it('continue: a stage that ends, its model calls and tool calls, and the next stage claimed', async () => {
    const { bench, store } = at();
    const { lease } = await bench.claim((await bench.accept()).runId);
    const intent = { ...bench.intent(lease), reservations: [aReservation()] };
    await store.interactions.intend(intent);
    const call = {
      id: bench.ids.id(),
      step: 2,
      seq: 0,
      tool: 'rdap',
      args: { of: 'example.test' },
      state: 'succeeded' as const,
      attempts: 1,
      result: { found: true },
      source: 'rdap',
      reasonCode: null,
      message: null,
      durationMs: 12.5,
    };
    const results = [aResult(intent.interaction.id, { charge: { usd: 60, tokens: 15 } })];
    const request = bench.commitRequest(lease, advanceTo('collect'), {
      claimForMs: 6_000,
      inlineToolCalls: [call],
      results,
    });
    await expectGolden('continue', () => store.units.commit(request));
  });

  it('suspend: a unit that waits for tool calls', async () => {
    const { bench } = at();
    const { lease } = await bench.claim((await bench.accept()).runId);
    await expectGolden('suspend', () => bench.suspend(lease, ['rdap', 'exa_search']));
  });

  it('decide: a verdict, its delivery and the end of the run', async () => {
    const { bench, store } = at();
    const { lease } = await bench.claim((await bench.accept()).runId);
    const verdict = { artifact: { name: 'verdict' as const, body: aVerdict() }, deliveryId: bench.ids.id() };
    const request = bench.commitRequest(lease, (stage: Lease) => moves.decideRun(stage, verdict));
    await expectGolden('decide', () => store.units.commit(request));
  });

  it('fail: a stage that is tried again later', async () => {
    const { bench, store } = at();
    const { lease } = await bench.claim((await bench.accept()).runId);
    const why = { reasonCode: 'unexpected', message: 'no', retryInMs: 1_000 };
    const request = bench.commitRequest(lease, (stage: Lease) => moves.failStep(stage, why));
    await expectGolden('fail', () => store.units.commit(request));
  });
});

async function expectGolden(name: string, step: () => Promise<unknown>): Promise<void> {
  const query = jest.spyOn(pg.Client.prototype, 'query');
  try {
    await step();
    const sent = query.mock.calls.map(([statement]) => laidOut(statement as unknown as Sent));
    const text = `${sent.filter((statement) => !OF_A_CONNECTION.test(statement)).join('\n\n')}\n`;
    expect(text).toBe(goldenFile(new URL(`./golden/${name}.sql`, import.meta.url), text));
  } finally {
    query.mockRestore();
  }
}

/** Settings of a new connection, and the probe of a server that a busy machine makes slow. */
const OF_A_CONNECTION = /^\s*(?:set |select 1;|select set_config\()/;

type Sent = string | { text: string; values: unknown[] };

/** Returns a statement with its parameters above it, one row per line. */
function laidOut(sent: Sent): string {
  if (typeof sent === 'string') return `${sent};`;
  const params = sent.values.map((value, i) => `-- $${i + 1}: ${rowsOf(value)}`);
  const text = sent.text.replace(/^\s*\n/gm, '').trim();
  return [...params, `${text};`].join('\n');
}

function rowsOf(value: unknown): string {
  if (typeof value !== 'string' || !value.startsWith('[')) return JSON.stringify(value);
  const rows = (JSON.parse(value) as unknown[]).map((row) => `\n--   ${JSON.stringify(row)}`);
  return rows.join('') || '[]';
}
