import type { CallShareRequest, ProviderFailure } from '@casefile/contracts';
import { testRecord } from '../testing/test-record.js';

const aFailure = (over: Partial<ProviderFailure> = {}): ProviderFailure => ({
  provider: 'openai',
  reasonCode: 'server_error',
  openAfter: 3,
  openMs: 10_000,
  maxOpenMs: 60_000,
  ...over,
});
const anAsk = (over: Partial<CallShareRequest> = {}): CallShareRequest => ({
  provider: 'openai',
  limits: { concurrency: null, requestsPerMinute: null, tokensPerMinute: null },
  holder: 'a',
  leaseMs: 15_000,
  inUse: 0,
  wants: [1],
  ...over,
});
const limited = (over: Partial<CallShareRequest['limits']>) => ({ limits: { ...anAsk().limits, ...over } });

const at = testRecord();

describe('circuits of providers', () => {
  it('open after so many failures in a row, for every process', async () => {
    const { store, other } = at();
    await store.providers.failed(aFailure());
    await other.providers.failed(aFailure());
    expect(await store.providers.states()).toMatchObject([{ state: 'closed', failures: 2, probeInMs: 0 }]);
    await store.providers.failed(aFailure({ reasonCode: 'network' }));
    const [shown] = await other.providers.states();
    expect(shown).toMatchObject({ provider: 'openai', state: 'open', reason: 'network', failures: 3 });
    expect(shown!.probeInMs).toBeGreaterThan(0);
  });

  it('count again after a success', async () => {
    const { store } = at();
    await store.providers.failed(aFailure());
    await store.providers.failed(aFailure());
    await store.providers.succeeded('openai');
    await store.providers.failed(aFailure());
    expect(await store.providers.states()).toMatchObject([{ state: 'closed', failures: 1 }]);
  });

  it('open at once when the failure says so, and tell of every change', async () => {
    const { store, bench, passTime } = at();
    await store.providers.failed(aFailure({ reasonCode: 'bad_key', openAfter: 1 }));
    await passTime(11_000);
    await store.providers.claimProbe('openai', 5_000);
    await store.providers.succeeded('openai');
    const events = (await bench.events()).filter((event) => event.type === 'provider.circuit');
    expect(events.map(({ data }) => [data['from'], data['state'], data['reason']])).toEqual([
      ['closed', 'open', 'bad_key'],
      ['open', 'half-open', 'bad_key'],
      ['half-open', 'closed', null],
    ]);
  });

  it('let one probe through over all processes, when their time is over', async () => {
    const { store, other, passTime } = at();
    await store.providers.failed(aFailure({ openAfter: 1 }));
    expect(await store.providers.claimProbe('openai', 600_000)).toBe(false);
    await passTime(11_000);
    const asked = await Promise.all(
      [store, other, store, other].map((one) => one.providers.claimProbe('openai', 600_000)),
    );
    expect(asked.filter(Boolean)).toHaveLength(1);
    expect(await store.providers.claimProbe('openai', 600_000)).toBe(false);
    await passTime(600_001);
    expect(await other.providers.claimProbe('openai', 600_000)).toBe(true);
  });

  it('stay open longer with every probe that fails, up to a bound', async () => {
    const { store, passTime } = at();
    const waits: number[] = [];
    for (let i = 0; i < 5; i += 1) {
      const { probeInMs } = await store.providers.failed(aFailure({ openAfter: 1 }));
      waits.push(Math.round(probeInMs / 10_000));
      await passTime(probeInMs + 1_000);
      expect(await store.providers.claimProbe('openai', 5_000)).toBe(true);
    }
    expect(waits).toEqual([1, 2, 4, 6, 6]);
  });

  it('are not held open by calls that were under way when they opened', async () => {
    const { store, passTime } = at();
    for (let i = 0; i < 3; i += 1) await store.providers.failed(aFailure());
    await passTime(9_000);
    const late = await store.providers.failed(aFailure());
    expect(late.probeInMs).toBeLessThan(2_000);
    expect(late.failures).toBe(4);
  });

  it('can be tried by a person before their time is over, with an event', async () => {
    const { store, other, bench } = at();
    expect(await store.providers.tryNow('openai')).toBeNull();
    await store.providers.failed(aFailure({ openAfter: 1 }));
    expect(await other.providers.claimProbe('openai', 5_000)).toBe(false);
    expect(await store.providers.tryNow('openai')).toMatchObject({ state: 'open', probeInMs: 0 });
    const asked = await Promise.all([store, other].map((one) => one.providers.claimProbe('openai', 5_000)));
    expect(asked.filter(Boolean)).toHaveLength(1);
    await store.providers.succeeded('openai');
    expect(await store.providers.tryNow('openai')).toMatchObject({ state: 'closed' });
    const events = (await bench.events()).filter((event) => event.type === 'operator.tried-provider');
    expect(events.map(({ data }) => data)).toEqual([
      { provider: 'openai', state: 'open' },
      { provider: 'openai', state: 'closed' },
    ]);
  });

  it('let no probe at a provider that is well', async () => {
    expect(await at().store.providers.claimProbe('openai', 5_000)).toBe(false);
  });
});

describe('limits of providers over all workers', () => {
  it('never give more calls at once than there may be', async () => {
    const { store, other } = at();
    const ask = (holder: string, inUse: number) =>
      anAsk({ ...limited({ concurrency: 3 }), holder, inUse, wants: [1, 1] });
    const first = await Promise.all([
      store.providers.takeShare(ask('a', 0)),
      other.providers.takeShare(ask('b', 0)),
    ]);
    expect(first.map(({ granted }) => granted).sort()).toEqual([1, 2]);
    const full = first[0]!.granted === 2 ? ['a', 'b'] : ['b', 'a'];
    expect(await store.providers.takeShare(ask(full[1]!, 1))).toEqual({ granted: 0, waitMs: null });
    await store.providers.takeShare({ ...ask(full[0]!, 0), wants: [] });
    expect((await other.providers.takeShare(ask(full[1]!, 1))).granted).toBe(2);
  });

  it('take back the share of a process that is not heard of', async () => {
    const { store, passTime } = at();
    const ask = (holder: string) => anAsk({ ...limited({ concurrency: 1 }), holder });
    expect((await store.providers.takeShare(ask('dead'))).granted).toBe(1);
    expect((await store.providers.takeShare(ask('alive'))).granted).toBe(0);
    await passTime(16_000);
    expect((await store.providers.takeShare(ask('alive'))).granted).toBe(1);
  });

  it('hold requests a minute, and say when the next may go', async () => {
    const { store, other, passTime } = at();
    const ask = (wants: number) =>
      anAsk({ ...limited({ requestsPerMinute: 12 }), wants: Array(wants).fill(1) });
    const granted = await Promise.all([store.providers.takeShare(ask(8)), other.providers.takeShare(ask(8))]);
    expect(granted[0]!.granted + granted[1]!.granted).toBe(2);
    const empty = await store.providers.takeShare(ask(1));
    expect(empty.granted).toBe(0);
    expect(empty.waitMs).toBeGreaterThan(0);
    expect(empty.waitMs).toBeLessThanOrEqual(5_000);
    await passTime(60_000);
    expect((await other.providers.takeShare(ask(8))).granted).toBe(2);
  });

  it('hold tokens a minute; a call above what can be saved up goes and is owed', async () => {
    const { store, passTime } = at();
    const ask = (...wants: number[]) => anAsk({ ...limited({ tokensPerMinute: 6_000 }), wants });
    expect((await store.providers.takeShare(ask(400, 400, 400))).granted).toBe(2);
    await passTime(10_000);
    expect((await store.providers.takeShare(ask(3_000, 1))).granted).toBe(1);
    const owed = await store.providers.takeShare(ask(1));
    expect(owed.granted).toBe(0);
    // Saved up in 10 s, it owes another 20 s.
    expect(owed.waitMs).toBeGreaterThan(10_000);
  });

  it('give in the order of asking', async () => {
    const { store } = at();
    const share = await store.providers.takeShare(
      anAsk({ ...limited({ tokensPerMinute: 6_000 }), wants: [900, 500, 10] }),
    );
    expect(share.granted).toBe(1);
  });
});
