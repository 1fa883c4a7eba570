import { until } from '@casefile/contracts/testing';
import { testRecord } from '@casefile/store/testing';
import { hook, message, senderBench, status } from './testing/sender-bench.js';

const at = testRecord();
const HOUR_MS = 3_600_000;
const SILENCE = 'silence-1';
const KINDS = ['scam-verdict'];

/** A sender over the record, with a case and a silence that matches its alert. */
async function silencedBench(labels: Record<string, string> = { service: 'checkout' }) {
  const { store, bench } = at();
  const of = senderBench(store, [hook('archive')], () => status(200));
  const { caseId, runId } = await bench.accept({
    alert: { playbook: 'scam-verdict', text: 'A parcel', labels },
    fingerprint: 'f',
  });
  const verdict = { ...message(1), caseId, runId };
  const iso = (ms: number) => new Date(of.clock.now() + ms).toISOString();
  const silence = (on: boolean) =>
    on
      ? store.silences.create(
          {
            id: SILENCE,
            matchers: [{ name: 'service', value: 'checkout', isRegex: false, isEqual: true }],
            startsAt: iso(0),
            endsAt: iso(HOUR_MS),
            reason: 'A move',
            author: 'ann',
          },
          { by: 'ann', reason: 'A move', actId: 'act-1' },
        )
      : store.silences.end(SILENCE, { by: 'ann', reason: '', actId: 'act-2' }, of.clock.now());
  const states = async () => (await of.deliveries()).map(({ kind, state }) => `${kind} ${state}`).sort();
  const flap = () => store.database.rows('update cases set flapped_at = now() where id = $1', [caseId]);
  const resolve = () => store.database.rows('update cases set resolved_at = now() where id = $1', [caseId]);
  const pass = () => of.pass(1);
  return { ...of, verdict, silence, states, flap, resolve, pass, store };
}

describe('a silence', () => {
  it('withholds a verdict once, also if it is routed again after the silence', async () => {
    const { sender, verdict, silence, states, received, clock } = await silencedBench();
    await silence(true);
    expect([...(await sender.route([verdict]))]).toEqual([[verdict.runId, SILENCE]]);
    await silence(false);
    clock.advance(1);
    expect((await sender.route([verdict])).size).toBe(0);
    await sender.idle();
    expect([await states(), received]).toEqual([['verdict withheld'], []]);
  });

  it('costs no statement while none is in force, also not one that is over or planned', async () => {
    const { sender, verdict, silence, states, store, clock } = await silencedBench();
    const reads = jest.spyOn(store.silences, 'inForce');
    await silence(true);
    await silence(false);
    clock.advance(1);
    expect((await sender.route([verdict])).size).toBe(0);
    await sender.idle();
    expect([await states(), reads.mock.calls.length]).toEqual([['verdict delivered'], 0]);
    reads.mockRestore();
  });

  it('changes nothing of a verdict that left before, or that a person decided', async () => {
    const { sender, verdict, silence, states, store } = await silencedBench();
    await sender.route([verdict]);
    await silence(true);
    await sender.route([verdict]);
    await sender.route([{ ...verdict, deliveryId: 'corrected' }], { byPerson: true });
    await sender.idle();
    expect(await states()).toEqual(['verdict delivered', 'verdict delivered']);
    expect(await store.deliveries.isWithheld(verdict.runId)).toBe(false);
  });

  it('withholds nothing of an alert that it does not match', async () => {
    const { sender, verdict, silence, states } = await silencedBench({ service: 'search' });
    await silence(true);
    await sender.route([verdict]);
    await sender.idle();
    expect(await states()).toEqual(['verdict delivered']);
  });

  it('withholds flapping of a case whose page left before, and reports none of a withheld one', async () => {
    const { sender, verdict, silence, states, flap, pass } = await silencedBench();
    await sender.route([verdict]);
    await silence(true);
    await flap();
    await pass();
    expect(await states()).toEqual(['flapping withheld', 'verdict delivered']);
  });

  it('lets no page follow of a withheld verdict: no escalation, no acknowledgement, no end', async () => {
    const { sender, verdict, silence, states, flap, resolve, pass, store, clock } = await silencedBench();
    await silence(true);
    await sender.route([verdict]);
    await flap();
    await resolve();
    await store.database.rows(`update outbound_deliveries set open_until = now() + interval '1 day'`);
    await pass();
    const now = clock.now() + HOUR_MS;
    const to = { from: 'archive', to: 'other' };
    expect(await store.destinations.unacknowledged({ ...to, withinMs: 1 }, now)).toEqual([]);
    const none = { closedSubjects: [], unacknowledged: [] };
    const escalation = { ...to, afterMs: 1, openUntil: null, ...none };
    expect(await store.destinations.escalate(escalation, now)).toBe(0);
    expect(await store.destinations.acknowledge(verdict.caseId, ['archive'], 'ann', now)).toBeNull();
    expect(await store.destinations.addResolved(['archive'], now)).toBe(0);
    expect(await states()).toEqual(['verdict withheld']);
  });

  it('is replaced by another one that matches when it ends', async () => {
    const { sender, verdict, silence, store, clock } = await silencedBench();
    await silence(true);
    await sender.route([verdict]);
    expect(await store.silences.over(clock.now(), 10, KINDS)).toEqual([]);
    await silence(false);
    const now = clock.now() + 1;
    const [over] = await store.silences.over(now, 10, KINDS);
    expect(await store.silences.over(now, 10, ['another-kind'])).toEqual([]);
    expect(over).toMatchObject({ runId: verdict.runId, leads: true, isOver: false, isAnswered: false });
    const times = { startsAt: '2026-01-01T00:00:00Z', endsAt: '2030-01-01T00:00:00Z' };
    const foreign = { id: 'am', matchers: [], ...times, reason: '', author: 'ben', problem: null };
    await store.silences.replace('alertmanager', [foreign], now);
    await store.silences.move([{ runId: verdict.runId, silenceId: 'am' }]);
    expect(await store.silences.over(now, 10, KINDS)).toEqual([]);
    expect(await store.silences.get('am', now)).toMatchObject({ state: 'active', withheld: { messages: 1 } });
    // One that Alertmanager no longer lists is over, and one of Casefile cannot be replaced from there.
    await store.silences.replace('alertmanager', [{ ...foreign, id: SILENCE }], now);
    expect(await store.silences.get('am', now)).toMatchObject({ state: 'over' });
    expect(await store.silences.get(SILENCE, now)).toMatchObject({ source: 'casefile', state: 'over' });
    await until('it is over', async () => (await store.silences.over(now, 10, KINDS)).length === 1);
  });
});
