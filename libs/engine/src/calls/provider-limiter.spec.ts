import {
  silentLogger,
  type CallShareRequest,
  type Providers,
  type Clock,
  type ProviderLimits,
} from '@casefile/contracts';
import { manualClock, pause } from '@casefile/contracts/testing';
import { testRecord } from '@casefile/store/testing';
import { ProviderLimiter } from './provider-limiter.js';

const NO_LIMITS: ProviderLimits = { concurrency: null, requestsPerMinute: null, tokensPerMinute: null };

const record = testRecord();

function setUp() {
  const clock = manualClock();
  const { store, passTime } = record();
  const requests: CallShareRequest[] = [];
  const providers: Pick<Providers, 'takeShare'> = {
    takeShare: (request) => (requests.push(request), store.providers.takeShare(request)),
  };
  const limiterOf = (holder: string) =>
    new ProviderLimiter({ providers, clock, log: silentLogger, holder, sleep: sleepBy(clock, passTime) });
  return { requests, clock, here: limiterOf('here'), there: limiterOf('there') };
}

/** Time passes only during waits that are not woken early. */
const sleepBy =
  (clock: Clock & { advance(ms: number): void }, passTime = async (_ms: number) => undefined as void) =>
  async (ms: number, signal: AbortSignal) => {
    await new Promise((resolve) => setImmediate(resolve));
    if (signal.aborted) return;
    clock.advance(ms);
    await passTime(ms);
  };

const call = (over: { tokens?: number; until?: number | null; signal?: AbortSignal } = {}) => ({
  tokens: () => over.tokens ?? 1,
  until: over.until ?? null,
  signal: over.signal ?? new AbortController().signal,
});

describe('limits of a provider', () => {
  it('ask nothing where there are none', async () => {
    const { here, requests } = setUp();
    (await here.enter('p', NO_LIMITS, call()))();
    expect(requests).toEqual([]);
  });

  it('hold the calls of all processes at once', async () => {
    const { here, there } = setUp();
    let atOnce = 0;
    let most = 0;
    let allIn!: () => void;
    const three = new Promise<void>((resolve) => (allIn = resolve));
    const work = async (limiter: ProviderLimiter) => {
      const leave = await limiter.enter('p', { ...NO_LIMITS, concurrency: 3 }, call());
      most = Math.max(most, (atOnce += 1));
      if (atOnce === 3) allIn();
      // Independent of the speed at which they are admitted one after the other.
      await three;
      await pause(5, 'A fourth call, if one were admitted, would begin meanwhile.');
      atOnce -= 1;
      leave();
    };
    await Promise.all(Array.from({ length: 40 }, (_, i) => work(i % 2 === 0 ? here : there)));
    expect(most).toBe(3);
  });

  it('ask for all that wait in one question', async () => {
    const { here, requests } = setUp();
    await Promise.all(
      Array.from({ length: 50 }, () => here.enter('p', { ...NO_LIMITS, concurrency: 100 }, call())),
    );
    expect(requests.length).toBeLessThan(5);
  });

  it('hold requests a minute: sixty of them take a minute but for what was saved up', async () => {
    const { here, clock } = setUp();
    const started = clock.now();
    const really = performance.now();
    await Promise.all(
      Array.from({ length: 60 }, () => here.enter('p', { ...NO_LIMITS, requestsPerMinute: 60 }, call())),
    );
    // The store's time passes independently.
    const passed = clock.now() - started;
    expect(passed + performance.now() - really).toBeGreaterThanOrEqual(50_000);
    expect(passed).toBeLessThan(52_000);
  });

  it('immediately refuse a caller that cannot wait so long, and say how long it would be', async () => {
    const { here, clock } = setUp();
    const limits = { ...NO_LIMITS, tokensPerMinute: 600 };
    await here.enter('p', limits, call({ tokens: 400 }));
    const before = clock.now();
    const refused = here.enter('p', limits, call({ tokens: 100, until: before + 5_000 }));
    await expect(refused).rejects.toMatchObject({
      reasonCode: 'rate_limited',
      retryAfterMs: expect.closeTo(40_000, -4),
    });
    expect(clock.now()).toBe(before);
  });

  it('forget a caller that stopped waiting', async () => {
    const { here } = setUp();
    const limits = { ...NO_LIMITS, concurrency: 1 };
    const leave = await here.enter('p', limits, call());
    const stop = new AbortController();
    const waiting = here.enter('p', limits, call({ signal: stop.signal }));
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    leave();
    (await here.enter('p', limits, call()))();
  });

  it('fail the calls that wait when the store fails, and go on when it is back', async () => {
    let broken = true;
    const providers: Pick<Providers, 'takeShare'> = {
      takeShare: async ({ wants }) => {
        if (broken) throw new Error('no store');
        return { granted: wants.length, waitMs: null };
      },
    };
    const clock = manualClock();
    const limiter = new ProviderLimiter({
      providers,
      clock,
      log: silentLogger,
      holder: 'x',
      sleep: sleepBy(clock),
    });
    const limits = { ...NO_LIMITS, concurrency: 1 };
    await expect(limiter.enter('p', limits, call())).rejects.toThrow('no store');
    broken = false;
    (await limiter.enter('p', limits, call()))();
  });
});
