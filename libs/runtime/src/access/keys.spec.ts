import type { IncomingMessage } from 'node:http';
import { CasefileError, silentLogger, type StoredAccessKey } from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { readAccessKey } from '../config/read-config.js';
import { checkSender } from './alert-sender.js';
import { openWithoutKeys, refuseOpenNetwork } from './access-mode.js';
import { CheckedCallers } from './checked-callers.js';
import { KeyAuthenticator } from './key-authenticator.js';
import { keyDigest, keyId, newKey } from './key-format.js';

const request = (authorization?: string) => ({ headers: { authorization } }) as IncomingMessage;

/** Counts the steps of checks against one stored key. */
function checks(change: Partial<StoredAccessKey> = {}) {
  const { key, id, sha256 } = newKey();
  const stored: StoredAccessKey = {
    id,
    name: 'ann',
    role: 'viewer',
    scopes: [],
    limits: null,
    perMinute: null,
    sha256,
    isValid: true,
    isNoted: true,
    ...change,
  };
  const steps: string[] = [];
  const clock = manualClock();
  const state = {
    isGone: false,
    answered: Promise.resolve(),
    /** Lets queries wait until `answer` is called. */
    hold: () => {
      let answer!: () => void;
      state.answered = new Promise((resolve) => (answer = resolve));
      return { answer };
    },
  };
  const checked = new CheckedCallers(clock);
  const authenticator = new KeyAuthenticator({
    checked,
    keys: {
      find: async (asked) => {
        steps.push('query');
        await state.answered;
        if (state.isGone) throw new CasefileError('store_unreachable', 'gone', { retryable: true });
        return asked === stored.id ? stored : null;
      },
      noteUse: async () => void steps.push('note'),
    },
    digest: (text) => {
      steps.push('digest');
      return keyDigest(text);
    },
    isEqual: (one, other) => {
      steps.push('compare');
      expect(one.length).toBe(other.length);
      return one.equals(other);
    },
    clock,
    log: silentLogger,
  });
  const outcome = async (text: string) => {
    steps.length = 0;
    const caller = await authenticator
      .authenticate(request(`Bearer ${text}`), false)
      .catch((error: CasefileError) => error.reasonCode);
    return { caller, steps: [...steps] };
  };
  const recalled = (text = key) => authenticator.recall(request(`Bearer ${text}`));
  return { key, stored, outcome, clock, authenticator, state, recalled, checked };
}

const STEPS = ['digest', 'query', 'compare'];

describe('keys', () => {
  it('have an id, a secret and a checksum, and no two are equal', () => {
    const keys = Array.from({ length: 200 }, newKey);
    for (const { key, id } of keys) {
      expect(key).toMatch(/^cf_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/);
      expect(keyId(key)).toBe(id);
      expect(readAccessKey({ CASEFILE_KEY: key })).toBe(key);
    }
    expect(new Set(keys.map(({ key }) => key)).size).toBe(200);
  });

  it('S2-21 with any one character changed are refused without a query', async () => {
    const { key, outcome } = checks();
    for (let at = 3; at < key.length; at += 1) {
      const other = key[at] === 'x' ? 'y' : 'x';
      const { caller, steps } = await outcome(key.slice(0, at) + other + key.slice(at + 1));
      expect([caller, steps.filter((step) => step !== 'digest')]).toEqual(['unauthenticated', []]);
    }
  });

  it('S2-21 of known and unknown ids take the same steps', async () => {
    const { key, stored, outcome } = checks();
    expect(await outcome(newKey().key)).toEqual({ caller: 'unauthenticated', steps: STEPS });
    // The id of the stored key with another secret.
    stored.sha256 = newKey().sha256;
    expect(await outcome(key)).toEqual({ caller: 'unauthenticated', steps: STEPS });
    stored.sha256 = keyDigest(key);
    stored.isValid = false;
    expect(await outcome(key)).toEqual({ caller: 'unauthenticated', steps: STEPS });
    stored.isValid = true;
    expect(await outcome(key)).toMatchObject({ caller: { name: 'ann', role: 'viewer' }, steps: STEPS });
  });

  it('S2-21 are accepted for at most 4.5 s after they are revoked', async () => {
    const { key, stored, outcome, clock } = checks();
    await outcome(key);
    stored.isValid = false;
    clock.advance(2_999);
    expect(await outcome(key)).toMatchObject({ caller: { name: 'ann' }, steps: ['digest'] });
    clock.advance(1);
    // This request starts the query and does not wait for it.
    expect((await outcome(key)).caller).toMatchObject({ name: 'ann' });
    expect((await outcome(key)).caller).toBe('unauthenticated');
    expect((await outcome(key)).caller).toBe('unauthenticated');
  });

  it('S2-21 are refused 4.5 s after the last query that found them valid, also while the next one runs', async () => {
    const { key, stored, outcome, clock, state } = checks();
    await outcome(key);
    stored.isValid = false;
    const { answer } = state.hold();
    clock.advance(4_499);
    expect((await outcome(key)).caller).toMatchObject({ name: 'ann' });
    clock.advance(1);
    const late = outcome(key);
    answer();
    expect((await late).caller).toBe('unauthenticated');
  });

  it('note their use, and not again within a minute', async () => {
    const { key, stored, outcome, clock } = checks({ isNoted: false });
    expect((await outcome(key)).steps).toEqual([...STEPS, 'note']);
    stored.isNoted = true;
    clock.advance(4_500);
    expect((await outcome(key)).steps).toEqual(STEPS);
  });

  it('are refused above their requests per minute, and accepted in the next', async () => {
    const { key, outcome, clock } = checks({ perMinute: 2 });
    const callers = [];
    for (let i = 0; i < 3; i += 1) callers.push((await outcome(key)).caller);
    expect(callers).toMatchObject([{ name: 'ann' }, { name: 'ann' }, 'too_many']);
    clock.advance(60_000);
    expect((await outcome(key)).caller).toMatchObject({ name: 'ann' });
  });

  it('are refused above their requests per minute also if requests are checked at the same time', async () => {
    const { key, authenticator, clock } = checks({ perMinute: 5 });
    const accepted = async (): Promise<number> => {
      const burst = Array.from({ length: 8 }, () => authenticator.callerOf(key, undefined));
      return (await Promise.allSettled(burst)).filter(({ status }) => status === 'fulfilled').length;
    };
    expect(await accepted()).toBe(5);
    clock.advance(3_000);
    expect(await accepted()).toBe(0);
    // An admitted request that goes on is checked again, and is no new request.
    expect(await authenticator.callerOf(key, undefined, true)).toMatchObject({ name: 'ann' });
    clock.advance(60_000);
    for (let i = 0; i < 5; i += 1) await authenticator.callerOf(key, undefined, true);
    expect(await accepted()).toBe(5);
  });

  it('are refused while the database is gone, except recent ones for metrics alone', async () => {
    const person = checks();
    await person.outcome(person.key);
    person.state.isGone = true;
    person.clock.advance(4_500);
    expect((await person.outcome(person.key)).caller).toBe('store_unreachable');
    const scraper = checks({ role: null, scopes: ['metrics'] });
    await scraper.outcome(scraper.key);
    scraper.state.isGone = true;
    scraper.clock.advance(299_000);
    expect((await scraper.outcome(scraper.key)).caller).toMatchObject({ scopes: ['metrics'] });
    scraper.clock.advance(4_500);
    expect((await scraper.outcome(scraper.key)).caller).toBe('store_unreachable');
  });

  it('T-20 are recalled for five minutes after the database confirmed them, however often they are used', async () => {
    const { key, outcome, clock, state, recalled } = checks();
    expect(recalled()).toBeNull();
    await outcome(key);
    state.isGone = true;
    // Accepted from the cache of three seconds, which is no confirmation.
    clock.advance(4_499);
    await outcome(key);
    for (const [ms, name] of [
      [295_500, 'ann'],
      [1, undefined],
    ] as const) {
      clock.advance(ms);
      expect((await outcome(key)).caller).toBe('store_unreachable');
      expect(recalled()?.name).toBe(name);
    }
    expect(recalled(newKey().key)).toBeNull();
  });

  it('T-20 are not recalled after the database refused them', async () => {
    const { key, stored, outcome, clock, recalled } = checks();
    await outcome(key);
    expect(recalled()).toMatchObject({ name: 'ann', role: 'viewer' });
    stored.isValid = false;
    clock.advance(4_500);
    await outcome(key);
    expect(recalled()).toBeNull();
  });

  it.each([undefined, '', 'Bearer', 'Bearer abc', 'Basic Y2Y6Y2Y=', `Bearer ${'x'.repeat(100_000)}`])(
    'are not in a request with the header %#',
    async (header) => {
      expect(await checks().authenticator.authenticate(request(header), false)).toBeNull();
    },
  );
});

describe('an installation', () => {
  it('is open until there is a key, and never again', async () => {
    const clock = manualClock();
    let any = false;
    const isOpen = openWithoutKeys({ any: async () => any }, clock);
    expect(await isOpen()).toBe(true);
    any = true;
    clock.advance(2_000);
    expect(await isOpen()).toBe(false);
    any = false;
    clock.advance(60_000);
    expect(await isOpen()).toBe(false);
  });

  it('is not open after a query that found a key, if an older one found none and ends later', async () => {
    let answerOlder!: (any: boolean) => void;
    const older = new Promise<boolean>((resolve) => (answerOlder = resolve));
    const answers = [older, Promise.resolve(true)];
    const clock = manualClock();
    const isOpen = openWithoutKeys({ any: () => answers.shift()! }, clock);
    const first = isOpen();
    clock.advance(2_000);
    expect(await isOpen()).toBe(false);
    answerOlder(false);
    expect(await first).toBe(false);
    expect(await isOpen()).toBe(false);
  });

  it('S2-21 makes one query for 1,000 requests at once', async () => {
    const any = jest.fn(async () => true);
    const isOpen = openWithoutKeys({ any }, manualClock());
    expect(new Set(await Promise.all(Array.from({ length: 1_000 }, isOpen)))).toEqual(new Set([false]));
    expect(any).toHaveBeenCalledTimes(1);
  });

  it('whose database never answered is not open', async () => {
    const isOpen = openWithoutKeys({ any: () => Promise.reject(new Error('gone')) }, manualClock());
    await expect(isOpen()).rejects.toThrow('gone');
  });

  it('without a key listens on loopback alone, and names the command for the first key', async () => {
    const open = async () => true;
    const refused = refuseOpenNetwork({ host: '0.0.0.0', trustsNetwork: false }, open);
    await expect(refused).rejects.toThrow('casefile keys create NAME --role admin --direct');
    await refuseOpenNetwork({ host: '127.0.0.1', trustsNetwork: false }, open);
    await refuseOpenNetwork({ host: '0.0.0.0', trustsNetwork: true }, open);
    await refuseOpenNetwork({ host: '0.0.0.0', trustsNetwork: false }, async () => false);
  });
});

describe('a key for alerts', () => {
  const limits = { kinds: ['incident'], sources: ['grafana'], lanes: ['live'] };
  const alert = { kind: 'incident', source: 'grafana', lane: 'live' } as const;
  const send = (change: object, limited: object = limits) =>
    checkSender({ name: 'gateway', limits: limited }, { ...alert, ...change });

  it('sends what its limits allow', () => {
    expect(() => send({})).not.toThrow();
    expect(() => send({ kind: 'research', source: undefined, lane: 'batch' }, {})).not.toThrow();
  });

  it.each([{ kind: 'research' }, { source: 'mail' }, { source: undefined }, { lane: 'batch' }])(
    'does not send %o',
    (change) => {
      expect(() => send(change)).toThrow(/^The key gateway may not send alerts/);
    },
  );
});
