import { join } from 'node:path';
import { silentLogger } from '@casefile/contracts';
import { kinds } from '@casefile/shipped/loaded';
import { temporaryFolder, until } from '@casefile/contracts/testing';
import { describeInstallation, readConfig } from '@casefile/runtime';
import { createPostgresStore, type PostgresStore } from '@casefile/store';
import { connectQueueStore, createAlertSender } from '@casefile/queue';
import { testDatabase } from '@casefile/store/testing';
import { Queue } from 'bullmq';
import { emptyQueue } from './fault-run/empty-queue.js';
import { countRecord } from './fault-run/count-record.js';
import { postUntilAccepted } from './testing/sender.js';
import { testRedis } from './testing/redis-database.js';
import { serviceProcesses, type ServiceProcess } from './testing/service-processes.js';
import { realWorld, type World } from './testing/world.js';

const JSON_TYPE = { 'content-type': 'application/json' };

describe('intake over HTTP', () => {
  let world: World;
  beforeAll(async () => void (world = await realWorld('postgres', null)));
  afterAll(() => world.close());

  const post = async (body: string | Buffer, headers: Record<string, string> = {}, query = '') => {
    const answer = await fetch(`${world.ingestUrl}/v1/alerts${query}`, {
      method: 'POST',
      body,
      headers: { ...JSON_TYPE, ...headers },
    });
    return {
      status: answer.status,
      type: answer.headers.get('content-type') ?? '',
      body: (await answer.json()) as Record<string, unknown>,
    };
  };

  it('answers 202 with the ids once the alert is on the record', async () => {
    const { status, body } = await post(JSON.stringify({ text: 'Pay the customs fee' }));
    expect(status).toBe(202);
    expect(await world.platform.store.record.getCase(String(body['caseId']))).not.toBeNull();
  });

  it('takes a batch, in which a bad alert does not turn the others away', async () => {
    const { status, body } = await post(JSON.stringify([{ text: 'one' }, { text: 7 }, { text: 'three' }]));
    expect(status).toBe(202);
    expect(body['results']).toMatchObject([
      { index: 0, joined: false },
      { index: 1, problem: { status: 400, errors: [{ path: 'text' }] } },
      { index: 2, joined: false },
    ]);
  });

  it('E-12 R16 puts alerts into the lane that is asked for, one or many, and live ones where none is', async () => {
    const laneOf = async (caseId: unknown) =>
      (await world.platform.store.record.getCase(String(caseId)))?.runs.map(({ lane }) => lane);
    const one = JSON.stringify({ text: 'Nobody waits for this one' });
    expect(await laneOf((await post(one, {}, '?lane=batch')).body['caseId'])).toEqual(['batch']);
    const two = JSON.stringify([{ text: 'nor for this' }, { text: 'nor for that' }]);
    const results = (await post(two, {}, '?lane=batch')).body['results'] as { caseId: string }[];
    for (const { caseId } of results) expect(await laneOf(caseId)).toEqual(['batch']);
    const waitedFor = JSON.stringify({ text: 'Somebody waits for this one' });
    expect(await laneOf((await post(waitedFor, {}, '?lane=live')).body['caseId'])).toEqual(['live']);
    expect(await laneOf((await post(JSON.stringify({ text: 'and this' }))).body['caseId'])).toEqual(['live']);
  });

  it('S2-27 stores no Idempotency-Key as the sender wrote it, of one alert or of a batch', async () => {
    const key = { 'idempotency-key': '<mail-17@bob.example.com>' };
    const one = JSON.stringify({ text: 'Sent twice, with the id of a mail' });
    const first = await post(one, key);
    expect((await post(one, key)).body['alertId']).toBe(first.body['alertId']);
    await post(JSON.stringify([{ text: 'in a batch' }]), key);
    const rows = await (world.platform.store as PostgresStore).database.rows<{ key: string }>(
      'select key from idempotency_keys',
    );
    expect(JSON.stringify(rows)).not.toContain('bob');
    expect(rows.filter(({ key: stored }) => /^sender:[0-9a-f]{64}$/.test(stored))).toHaveLength(2);
  });

  it('E-12 R16 honours the lane that an alert names in its body, and refuses one that differs from the query', async () => {
    const sent = (lane: string, query = '') => post(JSON.stringify({ text: `in ${lane}`, lane }), {}, query);
    const { body } = await sent('batch');
    const stored = await world.platform.store.record.getCase(String(body['caseId']));
    expect(stored?.runs.map(({ lane }) => lane)).toEqual(['batch']);
    expect((await sent('batch', '?lane=batch')).status).toBe(202);
    const message = 'expected live, as the query states';
    expect((await sent('batch', '?lane=live')).body['errors']).toEqual([{ path: 'lane', message }]);
    const unknown = { path: 'lane', message: 'expected one of live, batch' };
    expect((await sent('replay')).body['errors']).toEqual([unknown]);
    const several = JSON.stringify([
      { text: 'a', lane: 'batch' },
      { text: 'b', lane: 'nope' },
      { text: 'c' },
    ]);
    expect((await post(several)).body['results']).toMatchObject([
      { joined: false },
      { problem: { errors: [unknown] } },
      { joined: false },
    ]);
  });

  it.each(['replay', 'shadow', 'nope', ''])(
    'E-12 refuses the lane "%s" and names what it knows',
    async (lane) => {
      const { status, body } = await post(JSON.stringify({ text: 'x' }), {}, `?lane=${lane}`);
      expect(status).toBe(400);
      expect(body['errors']).toEqual([{ path: 'lane', message: 'expected one of live, batch' }]);
    },
  );

  it.each([
    ['an unknown playbook', JSON.stringify({ playbook: 'nope', text: 'x' }), 400, 'playbook'],
    ['no text', JSON.stringify({ playbook: 'scam-verdict' }), 400, ''],
    ['a NUL byte', '{"text":"a\\\\u0000b"}', 400, 'text'],
    ['half a surrogate pair', '{"text":"a\\\\ud800b"}', 400, 'text'],
    ['a body that is no JSON', '{"text":', 400, ''],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400, ''],
    ['nothing at all', '', 400, ''],
    [
      'absurd nesting',
      `{"text":"x","payload":${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}}`,
      400,
      'payload.a',
    ],
  ])('answers a problem that names the field for %s', async (_what, body, status, path) => {
    const answer = await post(typeof body === 'string' ? body.replaceAll('\\\\u', '\\u') : body);
    expect([answer.status, answer.type]).toEqual([
      status,
      expect.stringContaining('application/problem+json'),
    ]);
    const errors = (answer.body['errors'] ?? []) as { path: string }[];
    expect(errors[0]?.path.startsWith(path)).toBe(true);
  });

  it('answers 413 for a body that is too large, and lives', async () => {
    const answer = await post(JSON.stringify({ text: 'x'.repeat(19 * 1024 * 1024) }));
    expect([answer.status, answer.body['reasonCode']]).toEqual([413, 'too_large']);
    expect((await post(JSON.stringify({ text: 'still here' }))).status).toBe(202);
  });

  it('R11 answers a repeated key with the same ids, and 422 with another body', async () => {
    const headers = { 'idempotency-key': 'key-1' };
    const first = await post(JSON.stringify({ text: 'the same' }), headers);
    expect((await post(JSON.stringify({ text: 'the same' }), headers)).body).toEqual(first.body);
    const other = await post(JSON.stringify({ text: 'another' }), headers);
    expect([other.status, other.body['reasonCode']]).toEqual([422, 'idempotency_key_reused']);
  });
});

describe('intake by two processes', () => {
  let ingests: ServiceProcess[] = [];
  afterEach(() => Promise.all(ingests.map((ingest) => ingest.signal('SIGKILL'))));

  it('R11 T-11 makes one case of 100 identical alerts at once over HTTP and the queue; what is none is a dead letter', async () => {
    const database = await testDatabase();
    const queueUrl = testRedis('intake');
    await emptyQueue(queueUrl);
    const logFile = join(temporaryFolder('intake'), 'services.log');
    ingests = await serviceProcesses(['ingest', 'ingest'], { databaseUrl: database.url, queueUrl, logFile });
    // Intake freezes runs from what a reasoner has published, which need not run now.
    const store = createPostgresStore({ databaseUrl: database.url, poolSize: 3 });
    await store.installations.publish(describeInstallation(readConfig({ LLM_PROVIDER: 'none' }, kinds)));
    await store.close();
    await Promise.all(ingests.map((ingest) => ingest.start()));
    const alert = { playbook: 'scam-verdict', text: 'You have won, call now', source: 'storm' };
    const connection = await connectQueueStore(queueUrl, { log: silentLogger });
    const sender = createAlertSender(connection);
    const overHttp = Array.from({ length: 80 }, (_, i) =>
      postUntilAccepted(ingests[i % 2]?.url ?? '', alert, `storm-${i}`, 250_000),
    );
    const overQueue = sender.send(Array.from({ length: 20 }, () => ({ body: alert })));
    const caseIds = await Promise.all(overHttp);
    await overQueue;
    expect(new Set(caseIds).size).toBe(1);
    const producer = new Queue('alerts', { connection: { url: queueUrl } });
    const outage = { text: 'Checkout is down for all customers, 500s from every gateway. P1.' };
    const { id = '' } = await producer.add('alert', [alert, { text: 7 }, outage]);
    const returned = async () => (await producer.getJob(id))?.returnvalue as { results: object[] } | null;
    await until('the job has returned', async () => ((await returned()) ?? null) !== null);
    expect((await returned())?.results).toEqual([
      expect.objectContaining({ index: 0, caseId: caseIds[0] }),
      { index: 1, problem: expect.objectContaining({ reasonCode: 'invalid_input' }) },
      // T-11: a text over the queue is no message to a person either.
      expect.objectContaining({
        index: 2,
        playbook: 'incident',
        chosenBy: expect.objectContaining({ rule: 'content' }),
      }),
    ]);
    await producer.close();
    await until('all alerts are recorded', async () => (await countRecord(database.url)).alerts === 102);
    await until('the wrong alert is buried', async () => (await countRecord(database.url)).buried === 1);
    expect(await countRecord(database.url)).toMatchObject({ cases: 2, alerts: 102 });
    await sender.close();
    await connection.close();
    await Promise.all(ingests.map((ingest) => ingest.signal('SIGTERM')));
    await database.drop();
  });
});
