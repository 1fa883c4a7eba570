import type { JsonObject } from '@casefile/contracts';
import { generatedPairs } from '@casefile/pipeline/testing/generated-alerts';
import { occurrence } from '../alert.js';
import { stableName } from './identity.js';

const keyOf = (payload: JsonObject) => occurrence({ payload })?.key ?? null;

it.each([
  ['[FIRING:1] KafkaLagHigh', '[RESOLVED] KafkaLagHigh', true],
  ['Disk of db-2 is full: 97 %', 'Disk of db-2 is full: 98.5 %', true],
  ['Browser check "Pay" has failed', 'Browser check "Pay" has recovered', true],
  ['12 failures in 5 min at 20:30', '13 failures in 5 min at 20:35', true],
  ['3 of 5 volumes were not saved', '4 of 5 volumes were not saved', true],
  ['[BEHOBEN] Bezahlung antwortet nicht', 'Bezahlung antwortet nicht', true],
  ['Disk of db-2 is full', 'Disk of db-3 is full', false],
  ['shard 3 is down', 'shard 5 is down', false],
  ['[Triggered on {host:db-1}] CPU', '[Triggered on {host:db-2}] CPU', false],
])('the stable names of %j and %j are equal: %s', (one, other, isEqual) => {
  expect(stableName(one) === stableName(other)).toBe(isEqual);
});

describe('alerts of senders without a known shape', () => {
  const pairs = generatedPairs(220, 54);

  it('join if they report the same problem, and never if service, host or check differ, in 200 generated pairs', () => {
    expect(pairs.length).toBeGreaterThanOrEqual(200);
    const keys = pairs.map(({ posts, ...pair }) => ({ ...pair, keys: posts.map(keyOf) }));
    const joins = ({ keys: [one, two] }: { keys: (string | null)[] }) => one !== null && one === two;
    const bySender = (errors: typeof keys) => errors.map(({ sender, keys: both }) => [sender, ...both]);
    const wronglyJoined = keys.filter((pair) => !pair.same && joins(pair));
    const wronglySplit = keys.filter((pair) => pair.same && !joins(pair));
    expect(bySender(wronglyJoined)).toEqual([]);
    expect(bySender(wronglySplit)).toEqual([]);
  });

  it.each([
    ['an id of the incident', { dedup_key: 'd1', title: 'x' }, 'dedup_key'],
    ['the id of the check and the host', { check_id: 'c1', check_name: 'Shop', host: 'a' }, 'check_id, host'],
    ['the name and the service', { title: 'Backup failed', service: 'ledger' }, 'title, service'],
    [
      'host and service',
      { host_name: 'a', service_name: 'http', status: 'CRITICAL' },
      'host_name, service_name',
    ],
  ])('state by what they join: %s', (_what, payload, joinedBy) => {
    expect(occurrence({ payload: payload as JsonObject })).toMatchObject({ joinedBy });
  });

  it.each([
    ['a short name alone', { title: 'error', severity: 'critical' }],
    ['the id of a message', { id: 'm1', title: 'oops' }],
  ])('join by nothing that others have too: %s', (_what, payload) => {
    expect(occurrence({ payload })).toBeNull();
  });
});
