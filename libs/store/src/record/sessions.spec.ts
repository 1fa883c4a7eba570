import { testRecord } from '../testing/test-record.js';

const at = testRecord();

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const person = {
  source: 'oidc' as const,
  subject: 'ann',
  name: 'ann@example.com',
  role: 'operator' as const,
  groups: ['soc'],
  userAgent: 'test',
};
const open = (tokenHash: string) => at().store.sessions.open({ ...person, tokenHash }, null);
/** Returns whether a request with the session is accepted. */
const isAccepted = async (tokenHash: string) => (await at().store.sessions.find(tokenHash)) !== null;

describe('S2-21 a sign-in at a provider', () => {
  it('is finished once within 10 minutes, by several processes too', async () => {
    const { store, other } = at();
    const finished = await Promise.all([store, other, store].map(({ sessions }) => sessions.finish('a')));
    expect(finished.filter(Boolean)).toHaveLength(1);
    expect(await other.sessions.finish('b')).toBe(true);
    await at().passTime(9 * MINUTE_MS);
    expect(await store.sessions.finish('a')).toBe(false);
    await at().passTime(2 * MINUTE_MS);
    expect(await store.sessions.finish('a')).toBe(true);
  });
});

describe('S2-21 the limits of a sign-in session', () => {
  it('ends it 8 hours after its last request', async () => {
    await open('a');
    await at().passTime(8 * HOUR_MS - MINUTE_MS);
    expect(await at().store.sessions.list()).toHaveLength(1);
    await at().passTime(2 * MINUTE_MS);
    expect(await isAccepted('a')).toBe(false);
    expect(await at().store.sessions.list()).toEqual([]);
  });

  it('does not end it within 8 hours of a request, and a list is no request', async () => {
    await open('a');
    await at().passTime(7 * HOUR_MS);
    expect(await isAccepted('a')).toBe(true);
    await at().passTime(7 * HOUR_MS);
    await at().store.sessions.list();
    expect(await isAccepted('a')).toBe(true);
    await at().passTime(7 * HOUR_MS);
    await at().store.sessions.list();
    await at().passTime(HOUR_MS + MINUTE_MS);
    expect(await isAccepted('a')).toBe(false);
  });

  it('ends it 24 hours after the sign-in, however often it is used', async () => {
    await open('a');
    let hours = 0;
    for (; hours < 23; hours += 1) {
      await at().passTime(HOUR_MS);
      expect(await isAccepted('a')).toBe(true);
    }
    await at().passTime(HOUR_MS - MINUTE_MS);
    expect(await isAccepted('a')).toBe(true);
    await at().passTime(2 * MINUTE_MS);
    expect(await isAccepted('a')).toBe(false);
    expect(await at().store.sessions.list()).toEqual([]);
  });

  it('notes the last request exact to one minute', async () => {
    await open('a');
    const seen = async () => Date.parse((await at().store.sessions.list())[0]?.lastSeenAt ?? '');
    const opened = await seen();
    await isAccepted('a');
    expect(await seen()).toBe(opened);
    await at().passTime(MINUTE_MS + 1_000);
    await isAccepted('a');
    expect(await seen()).toBeGreaterThanOrEqual(opened);
  });

  it('removes an ended session from the record at the next sign-in', async () => {
    await open('a');
    await at().passTime(24 * HOUR_MS + MINUTE_MS);
    await open('b');
    const rows = await at().store.database.rows('select token_hash from sign_in_sessions');
    expect(rows).toEqual([{ token_hash: 'b' }]);
  });
});
