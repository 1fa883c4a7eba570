import type { AcceptRequest, JsonObject } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { testRecord } from '../testing/test-record.js';
import { aVerdict } from '../testing/store-bench.js';

const DAY_MS = 86_400_000;

const at = testRecord();

describe('an alert of a decided case', () => {
  // Creates a case with the fingerprint `print`, decided with this verdict by a run with this provider.
  const decidedCase = async (verdict: JsonObject, provider = 'openai') => {
    const { bench } = at();
    const settings = aRunSettings({ provider });
    const first = await bench.accept({ fingerprint: 'print', settings });
    await bench.decide(first.runId, { body: { ...aVerdict(), ...verdict } });
    return first;
  };
  const degraded = (...degradedBy: string[]): JsonObject => ({
    degraded: true,
    method: 'heuristic',
    degradedBy,
    degradedNote: 'as it was',
  });
  const next = async (provider = 'openai', over: Partial<AcceptRequest> = {}) => {
    const settings = aRunSettings({ provider });
    return at().bench.accept({ fingerprint: 'print', holdOffMs: DAY_MS, settings, ...over });
  };

  it('S1-17 answers an alert that joins a decided case with that verdict', async () => {
    const first = await decidedCase({});
    const { runId, nudges, verdictOf } = await next();
    expect([runId, nudges]).toEqual([first.runId, []]);
    expect(verdictOf).toEqual({
      runId: first.runId,
      decidedAt: aVerdict()['decidedAt'],
      degraded: false,
      degradedNote: '',
    });
    expect(first.verdictOf).toBeUndefined();
  });

  it.each(['model_out', 'timeout', 'unreadable'])(
    'S1-17 judges a case anew that was degraded by %s, as soon as a model can be asked',
    async (cause) => {
      const { store, passTime } = at();
      const failure = { provider: 'openai', reasonCode: 'server_error', openAfter: 1 };
      const first = await decidedCase(degraded(cause));
      await store.providers.failed({ ...failure, openMs: 30_000, maxOpenMs: 30_000 });
      expect((await next()).verdictOf).toMatchObject({ degraded: true, degradedNote: 'as it was' });
      expect((await next('none')).nudges).toEqual([]);
      await passTime(31_000);
      const anew = await next();
      expect(anew).toMatchObject({ caseId: first.caseId, joined: true });
      expect(anew.runId).not.toBe(first.runId);
      expect(anew.verdictOf).toBeUndefined();
      // The next alert joins the run that is under way.
      expect(await next()).toMatchObject({ runId: anew.runId, nudges: [] });
    },
  );

  it('S1-17 asks a provider of the list where the first one is out', async () => {
    const first = await decidedCase(degraded('model_out'));
    const failure = { provider: 'openai', reasonCode: 'bad_key', openAfter: 1 };
    await at().store.providers.failed({ ...failure, openMs: 30_000, maxOpenMs: 30_000 });
    const settings = aRunSettings({ provider: 'openai', fallbackProviders: ['spare'] });
    expect((await next('openai', { settings })).runId).not.toBe(first.runId);
  });

  it('S1-17 judges a case anew that a budget had no room for', async () => {
    const first = await decidedCase(degraded('budget'));
    expect((await next()).runId).not.toBe(first.runId);
  });

  it('S1-17 judges failed look-ups anew, but not more often than once a minute', async () => {
    const first = await decidedCase(degraded('lookups_failed'), 'none');
    expect((await next('none')).runId).toBe(first.runId);
    await at().passTime(61_000);
    expect((await next('none')).runId).not.toBe(first.runId);
  });

  it('S1-17 judges again what rules decided without a model, once there is one', async () => {
    const first = await decidedCase({ method: 'heuristic' }, 'none');
    expect((await next('none')).runId).toBe(first.runId);
    expect((await next('openai')).runId).not.toBe(first.runId);
  });

  it('S1-17 holds off what cannot be read, and what was judged as it was meant to be', async () => {
    const first = await decidedCase(degraded('no_text'));
    await at().passTime(3_600_000);
    expect((await next()).runId).toBe(first.runId);
  });

  it('S1-17 judges again what is asked for again, decided or not, in the same case', async () => {
    const first = await decidedCase({});
    const again = await next('openai', { again: true });
    expect(again).toMatchObject({ caseId: first.caseId, joined: true });
    expect(again.runId).not.toBe(first.runId);
    const more = await next('openai', { again: true });
    expect(more.caseId).toBe(first.caseId);
    expect([first.runId, again.runId]).not.toContain(more.runId);
  });

  it('judges the case of a key anew, also where repeats do not join one case, once it is decided', async () => {
    const { bench, store } = at();
    const idempotency = { key: 'again', bodyDigest: 'digest' };
    const first = await bench.accept({ fingerprint: null, idempotency, again: 'key' });
    const ask = (over: Partial<AcceptRequest> = {}) =>
      bench.request({ fingerprint: null, idempotency, again: 'key', ...over });
    expect(await store.runs.accept(ask())).toMatchObject({ kind: 'repeated', runId: first.runId });
    await bench.decide(first.runId, { body: aVerdict() });
    expect(await store.runs.accept(ask({ again: false }))).toMatchObject({
      kind: 'repeated',
      runId: first.runId,
    });
    const request = ask();
    const anew = await store.runs.accept(request);
    expect(anew).toMatchObject({
      kind: 'accepted',
      caseId: first.caseId,
      runId: request.runId,
      joined: true,
    });
    const more = { kind: 'repeated', caseId: first.caseId, runId: request.runId };
    expect([await store.runs.accept(request), await store.runs.accept(ask())]).toMatchObject([more, more]);
    const other = ask({ idempotency: { ...idempotency, bodyDigest: 'other' } });
    expect(await store.runs.accept(other)).toEqual({ kind: 'key-reused' });
    expect(await store.record.getCase(first.caseId)).toMatchObject({ alertCount: 2, status: 'open' });
  });

  it('S1-17 reads a degraded verdict that is older than the codes', async () => {
    const first = await decidedCase({ degraded: true, method: 'heuristic' });
    const anew = await next();
    expect(anew.caseId).toBe(first.caseId);
    expect(anew.runId).not.toBe(first.runId);
  });
});
