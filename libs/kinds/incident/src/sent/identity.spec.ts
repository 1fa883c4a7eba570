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
  ['Latency 1,204.5 ms, value=97 now', 'Latency 980 ms, value: 98 now', true],
  ['P1: checkout does not answer', 'P2: checkout does not answer', true],
  ['तेल का दबाव: ठीक हो गया', 'तेल का दबाव', true],
  ['Pembayaran theek ho gaya', 'Pembayaran', true],
  ['Host unreachable: 192.168.1.10', 'Host unreachable: 192.168.1.11', false],
  ['Host is 10.0.0.1', 'Host is 11.0.0.1', false],
  ['10.0.0.1:80 refuses connections', '10.0.0.2:80 refuses connections', false],
  ['10.0.0.1:80 refuses connections', '10.0.0.1:81 refuses connections', false],
  ['Route to 10.0.1.0/24 lost', 'Route to 10.0.2.0/24 lost', false],
  ['Port 1/0/1 down', 'Port 1/0/24 down', false],
  ['us-east-1b does not answer', 'us-east-1d does not answer', false],
  ['node-5m does not answer', 'node-6m does not answer', false],
  ['db:5432 does not answer', 'db:6379 does not answer', false],
  ['instance=1 does not answer', 'instance=2 does not answer', false],
  ['web-1.2 does not answer', 'web-1.3 does not answer', false],
  ['Pump P1 stopped', 'Pump P2 stopped', false],
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
    ['the same id under another name', { incident_id: 42 }, { problem_id: 42 }, false],
    ['the same id, written otherwise', { incident_id: 42 }, { incidentId: '42' }, true],
    [
      'one rule, other hosts in the title',
      { title: 'CPU high on web-1' },
      { title: 'CPU high on web-2' },
      false,
    ],
    ['one rule, other values in the title', { title: 'CPU at 91 %' }, { title: 'CPU at 95 %' }, true],
    [
      'one rule, one environment, other hosts in the title',
      { title: 'CPU high on web-1', environment: 'prod' },
      { title: 'CPU high on web-2', environment: 'prod' },
      false,
    ],
    ['one rule and host, other titles', { title: 'CPU high', host: 'a' }, { title: 'Load', host: 'a' }, true],
  ])('T-43 %s: %j and %j join: %s', (_what, one, other, joins) => {
    const rule = 'incident_id' in one ? {} : { monitor_id: 5 };
    const keys = [one, other].map((fields) => keyOf({ ...rule, ...fields } as JsonObject));
    expect(keys[0] !== null && keys[0] === keys[1]).toBe(joins);
  });

  const sourced: JsonObject[] = [
    { incident_id: 42 },
    { id: 42, title: 'Backup failed', status: 'down' },
    { monitor_id: 5, host: 'a' },
  ];
  it.each(sourced)('T-43 of two sources never join: %j', (payload) => {
    const [one, other] = ['a', 'b'].map((source) => occurrence({ payload, source })?.key);
    expect([typeof one, one === other]).toEqual(['string', false]);
  });

  it.each([
    ['a short name alone', { title: 'error', severity: 'critical' }],
    ['the id of a message', { id: 'm1', title: 'oops' }],
  ])('join by nothing that others have too: %s', (_what, payload) => {
    expect(occurrence({ payload })).toBeNull();
  });
});
