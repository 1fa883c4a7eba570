import { asCasefileError, CasefileError, silentLogger, type StoredAccessKey } from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { AttemptLimit } from './attempt-limit.js';
import { KeyAuthenticator } from './key-authenticator.js';
import { newKey } from './key-format.js';

const ADDRESS = '192.0.2.1';
const PER_MINUTE = 30;

/**
 * Checks keys against a database whose queries end only when `answer` is called, as those of a pool whose connections
 * take seconds.
 */
function storm(keys: number) {
  const created = Array.from({ length: keys }, (_, i) => ({ ...newKey(), name: `key ${i}` }));
  const rest: Omit<StoredAccessKey, 'id' | 'sha256' | 'name'> = {
    role: 'viewer',
    scopes: [],
    limits: null,
    perMinute: null,
    isValid: true,
    isNoted: true,
  };
  const stored = new Map<string, StoredAccessKey>(
    created.map(({ id, sha256, name }) => [id, { id, sha256, name, ...rest }]),
  );
  let queries = 0;
  const waiting: (() => void)[] = [];
  let failure: CasefileError | null = null;
  const clock = manualClock();
  const authenticator = new KeyAuthenticator({
    keys: {
      find: async (id) => {
        queries += 1;
        await new Promise<void>((resolve) => waiting.push(resolve));
        if (failure !== null) throw failure;
        return stored.get(id) ?? null;
      },
      noteUse: async () => undefined,
    },
    failures: new AttemptLimit(PER_MINUTE, clock),
    clock,
    log: silentLogger,
  });
  const send = (key: string, address = ADDRESS): Promise<string> =>
    authenticator.callerOf(key, address).then(
      ({ name }) => name,
      (error: unknown) => asCasefileError(error).reasonCode,
    );
  /** Answers queries, each 3 s after it began, until all requests have their results. */
  const results = async (requests: readonly Promise<string>[]): Promise<string[]> => {
    let isOver = false;
    const all = Promise.all(requests).finally(() => (isOver = true));
    for (let turn = 0; !isOver && turn < 10_000; turn += 1) {
      clock.advance(waiting.length > 0 ? 3_000 : 0);
      for (const answer of waiting.splice(0)) answer();
      await new Promise(setImmediate);
    }
    return all;
  };
  return {
    keys: created.map(({ key }) => key),
    stored,
    clock,
    send,
    results,
    queries: () => queries,
    fail: (error: CasefileError | null) => void (failure = error),
    revoke: () => stored.forEach((key) => (key.isValid = false)),
  };
}

const times = <T>(n: number, one: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => one(i));

describe('S2-21 a storm of requests with keys', () => {
  it('makes 1 query for 1,000 requests at once, and 1 more after 3 s', async () => {
    const { keys, send, results, queries, clock } = storm(1);
    expect(await results(times(1_000, () => send(keys[0]!)))).toEqual(times(1_000, () => 'key 0'));
    expect(queries()).toBe(1);
    clock.advance(500);
    // The result of the query is 3.5 s old: it is used while the next query runs.
    expect(await Promise.all(times(1_000, () => send(keys[0]!)))).toEqual(times(1_000, () => 'key 0'));
    expect(queries()).toBe(2);
  });

  it('makes no query for 10,000 forged keys beyond the limit of their address, at once and one by one', async () => {
    const { send, results, queries } = storm(0);
    const refused = await results(times(10_000, () => send(newKey().key)));
    expect(refused.filter((reason) => reason === 'unauthenticated')).toHaveLength(PER_MINUTE);
    expect(refused.filter((reason) => reason === 'too_many')).toHaveLength(10_000 - PER_MINUTE);
    expect(queries()).toBe(PER_MINUTE);
    for (let i = 0; i < 100; i += 1) expect(await send(newKey().key)).toBe('too_many');
    expect(queries()).toBe(PER_MINUTE);
  });

  it('accepts a key that was valid at its last query from an address at its limit, and every key from others', async () => {
    const { keys, send, results, clock, queries } = storm(2);
    await results([send(keys[0]!)]);
    await results(times(PER_MINUTE, () => send(newKey().key)));
    expect(await send(newKey().key)).toBe('too_many');
    clock.advance(10_000);
    expect(await results([send(keys[0]!), send(keys[1]!), send(keys[1]!, '192.0.2.2')])).toEqual([
      'key 0',
      'too_many',
      'key 1',
    ]);
    expect(queries()).toBe(PER_MINUTE + 3);
    clock.advance(60_000);
    expect(await results([send(keys[1]!)])).toEqual(['key 1']);
  });

  it('refuses no valid key while a connection takes 3 s: 1,000 requests with 100 keys of one address', async () => {
    const { keys, send, results, queries } = storm(100);
    const expected = times(1_000, (i) => `key ${i % 100}`);
    expect(await results(times(1_000, (i) => send(keys[i % 100]!)))).toEqual(expected);
    expect(queries()).toBe(100);
  });

  it('counts each request with a wrong key, also those that share a query', async () => {
    const { send, results, queries } = storm(0);
    const { key } = newKey();
    await results(times(PER_MINUTE, () => send(key)));
    expect(queries()).toBe(1);
    expect(await send(newKey().key)).toBe('too_many');
    expect(queries()).toBe(1);
  });

  it('answers waiting requests with the error of the database, and does not count it', async () => {
    const { keys, send, results, fail } = storm(100);
    fail(new CasefileError('store_unreachable', 'gone', { retryable: true }));
    expect(new Set(await results(keys.map((key) => send(key))))).toEqual(new Set(['store_unreachable']));
    fail(null);
    expect(await results([send(keys[0]!)])).toEqual(['key 0']);
  });

  it('stops to accept a revoked key within 5 s', async () => {
    const { keys, send, results, revoke, clock } = storm(1);
    await results([send(keys[0]!)]);
    clock.advance(-3_000);
    revoke();
    clock.advance(4_999);
    expect(await results([send(keys[0]!)])).toEqual(['unauthenticated']);
  });
});
