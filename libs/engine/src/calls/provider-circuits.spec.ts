import { CasefileError, silentLogger, type Providers, reasonCodeOf } from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { testRecord } from '@casefile/store/testing';
import { ProviderCircuits } from './provider-circuits.js';

const LIMITS = {
  openAfter: 3,
  usedUpAfter: 2,
  openMs: 10_000,
  pauseMs: 60_000,
  maxOpenMs: 300_000,
  probeMs: 5_000,
  refreshMs: 1_000,
};
const failure = (code: string, retryAfterMs?: number) =>
  new CasefileError(reasonCodeOf(code), '', retryAfterMs === undefined ? {} : { retryAfterMs });

const record = testRecord();

/** The store uses real time, so the rest of a wait is slightly less. */
const about = (ms: number) => expect.closeTo(ms, -4);

/** Two processes on one record, and their calls to it. */
function setUp() {
  const clock = manualClock();
  const { store, passTime } = record();
  const storeCalls: string[] = [];
  const watched = (): Providers => ({
    states: () => (storeCalls.push('states'), store.providers.states()),
    failed: (one) => (storeCalls.push('failed'), store.providers.failed(one)),
    succeeded: (one) => (storeCalls.push('succeeded'), store.providers.succeeded(one)),
    tryNow: async () => null,
    takeShare: (request) => store.providers.takeShare(request),
    claimProbe: (one, ms) => (storeCalls.push('probe'), store.providers.claimProbe(one, ms)),
  });
  const process = () => new ProviderCircuits({ providers: watched(), clock, log: silentLogger }, LIMITS);
  const pass = async (ms: number) => {
    clock.advance(ms);
    await passTime(ms);
  };
  return { pass, storeCalls, here: process(), there: process() };
}

describe('the circuit of a provider', () => {
  it('opens for every process once its copy is a second old, and says how long it is open', async () => {
    const { here, there, pass } = setUp();
    await there.permit('p');
    for (let i = 0; i < 3; i += 1) await here.failed('p', failure('server_error'), 1);
    expect(await here.permit('p')).toEqual({ goes: false, waitMs: about(10_000), reason: 'server_error' });
    await pass(1_000);
    expect(await there.permit('p')).toEqual({ goes: false, waitMs: about(9_000), reason: 'server_error' });
  });

  it('opens after the last attempt of a call, unless another call succeeded meanwhile', async () => {
    const { here } = setUp();
    await here.failed('p', failure('network'), 1);
    await here.succeeded('p');
    await here.failed('p', failure('network'), 2);
    expect(await here.permit('p')).toEqual({ goes: true });
    await here.failed('p', failure('network'), 2);
    expect(await here.permit('p')).toMatchObject({ goes: false, reason: 'network' });
    for (let i = 0; i < 2; i += 1) await here.failed('other', failure('empty_answer'), 2);
    expect(await here.permit('other')).toEqual({ goes: true });
  });

  it.each(['quota_exhausted', 'bad_key'])('R12 opens at once for %s, and for longer', async (code) => {
    const { here } = setUp();
    await here.failed('p', failure(code), 1);
    expect(await here.permit('p')).toMatchObject({ goes: false, waitMs: about(60_000), reason: code });
  });

  it('lets one probe of all processes through, and closes when it is answered', async () => {
    const { here, there, pass } = setUp();
    await here.failed('p', failure('bad_key'), 1);
    await pass(60_000);
    const permissions = [await here.permit('p'), await there.permit('p'), await here.permit('p')];
    expect(permissions.map(({ goes }) => goes)).toEqual([true, false, false]);
    await here.succeeded('p');
    await pass(1_000);
    expect(await there.permit('p')).toEqual({ goes: true });
  });

  it('S4-55 is neither opened nor probed by calls that are not counted', async () => {
    const { here, pass, storeCalls } = setUp();
    const shadow = here.uncounted();
    for (let i = 0; i < 5; i += 1) await shadow.failed('p', failure('server_error'), 1);
    expect(await shadow.permit('p')).toEqual({ goes: true });
    await here.failed('p', failure('bad_key'), 1);
    expect(await shadow.permit('p')).toMatchObject({ goes: false, reason: 'bad_key' });
    await pass(60_000);
    expect(await shadow.permit('p')).toMatchObject({ goes: false });
    await shadow.succeeded('p');
    expect(storeCalls).not.toContain('probe');
    expect(await here.permit('p')).toEqual({ goes: true });
  });

  it('stays open at least as long as the provider asked for', async () => {
    const { here } = setUp();
    for (let i = 0; i < 3; i += 1) await here.failed('p', failure('server_error', 45_000), 1);
    expect(await here.permit('p')).toMatchObject({ waitMs: about(45_000) });
  });

  it('does not count what is no outage, nor a rate limit', async () => {
    const { here, storeCalls } = setUp();
    for (const code of ['rate_limited', 'empty_answer', 'refused', 'bad_request', 'store_unreachable']) {
      await here.failed('p', failure(code), 1);
    }
    expect(storeCalls).toEqual([]);
  });

  it('loses no call for a store that does not answer', async () => {
    const broken = () => Promise.reject(new CasefileError('store_unreachable', 'gone'));
    const providers = { ...record().store.providers, failed: broken };
    const ports = { providers, clock: manualClock(), log: silentLogger };
    await expect(
      new ProviderCircuits(ports, LIMITS).failed('p', failure('network'), 1),
    ).resolves.toBeUndefined();
  });

  it('asks the store once a second and writes nothing while all is well', async () => {
    const { here, storeCalls, pass } = setUp();
    for (let i = 0; i < 20; i += 1) {
      await here.permit('p');
      await here.succeeded('p');
      await pass(100);
    }
    expect(storeCalls).toEqual(['states', 'states']);
  });

  it('keeps what it reported if an older look at all providers is answered later', async () => {
    const { store } = record();
    let answerLook!: () => void;
    const waits = new Promise<void>((resolve) => (answerLook = resolve));
    const providers: Providers = {
      ...store.providers,
      failed: (one) => store.providers.failed(one),
      states: async () => {
        const states = await store.providers.states();
        await waits;
        return states;
      },
    };
    await store.providers.failed({
      provider: 'p',
      reasonCode: 'network',
      openAfter: 9,
      openMs: 1,
      maxOpenMs: 1,
    });
    const here = new ProviderCircuits({ providers, clock: manualClock(), log: silentLogger }, LIMITS);
    const permission = here.permit('p');
    await here.failed('p', failure('bad_key'), 1);
    answerLook();
    expect(await permission).toEqual({ goes: false, waitMs: about(60_000), reason: 'bad_key' });
  });
});
