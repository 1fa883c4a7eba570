import { consoleWith } from '@casefile/console/console';
import { routes } from '@casefile/console/routes/index';
import { until } from '@casefile/contracts/testing';
import { startService, type RunningService } from '@casefile/runtime';
import { seededRandom } from '@casefile/contracts';
import { realWorld, type World } from '../../testing/world.js';
import { oddRequest, operationsAt, statusOf, type Operation } from '../odd-requests.js';

/** Odd requests per operation; `npm run fuzz` sends more. */
const EACH = 15;
const SEED = 1;
const NOWHERE = '01900000-0000-7000-8000-00000000dead';

let world: World;
let service: RunningService;
const knownIds: Record<string, string> = {
  policyId: 'x',
  version: 'current',
  name: 'x',
  provider: 'x',
  server: 'x',
};

beforeAll(async () => {
  world = await realWorld('postgres', null, { LOG_LEVEL: 'fatal' });
  service = await startService(consoleWith({ dashboard: '/nowhere' }), world.platform);
  const { caseId } = await world.accept({ playbook: 'scam-verdict', text: 'Pay the fee', collect: false });
  const { runs, alerts } = await world.ended(caseId);
  const runId = runs[0]?.id ?? '';
  const { batchId } = await world.platform.rerun.createBatch({ filter: {}, lane: 'replay' });
  Object.assign(knownIds, {
    caseId,
    id: caseId,
    runId,
    a: runId,
    b: runId,
    alertId: alerts[0]?.id,
    batchId,
    act: 'pause',
  });
});
afterAll(async () => {
  await service.close();
  await world.close();
});

const operations = async (): Promise<Operation[]> => [
  ...(await operationsAt(service.url, '/api/openapi.json')),
  ...(await operationsAt(world.ingestUrl ?? '', '/openapi.json')),
];
const ask = (path: string, body?: unknown) =>
  fetch(`${service.url}/api/v1${path}`, {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: { 'content-type': 'application/json' },
  });

describe('requests that are not as documented', () => {
  it('E-13 are walked over every operation of both API documents', async () => {
    const paths = (await operations()).map(({ path }) => path);
    for (const { path } of routes) expect(paths).toContain(`/api/v1${path}`);
    expect(paths).toEqual(expect.arrayContaining(['/v1/alerts', '/v1/cloudevents', '/v1/research']));
  });

  it('E-13 are answered 4xx, or what they mean where that is valid, and never 5xx', async () => {
    const random = seededRandom(SEED);
    const below = (n: number) => Math.floor(random() * n);
    const failed: string[] = [];
    const refused = new Map<string, number>();
    for (const operation of await operations())
      for (let i = 0; i < EACH; i += 1) {
        const request = oddRequest(operation, knownIds, below);
        let status = 0;
        await until(`${request.method} ${request.url.slice(0, 200)} is served`, async () => {
          status = await statusOf(request);
          return status !== 503;
        });
        const said = `${status} ${request.method} ${request.url.slice(0, 200)} ${JSON.stringify(request.headers)} ${request.body?.toString().slice(0, 300) ?? ''}`;
        if (status === 0 || status >= 500) failed.push(said);
        const name = `${operation.method} ${operation.path}`;
        if (status >= 400) refused.set(name, (refused.get(name) ?? 0) + 1);
      }
    expect(failed).toEqual([]);
    expect(refused.size).toBeGreaterThan(30);
  });

  it.each<[string, string, object | undefined]>([
    ['NUL in `by`', '/cases/{caseId}/feedback', { agree: true, by: 'a\u0000' }],
    ['NUL in `note`', '/cases/{caseId}/feedback', { agree: true, by: 'a', note: '\u0000' }],
    ['half a surrogate pair in `by`', '/cases/{caseId}/feedback', { agree: true, by: '\ud800' }],
    ['year 0 in `at`', '/cases/{caseId}/feedback', { agree: true, by: 'a', at: '0000-01-01T00:00:00Z' }],
    ['NUL in `filter.playbook`', '/batches', { filter: { playbook: '\u0000' } }],
    ['NUL in `dataset`', '/batches', { dataset: 'a\u0000' }],
    ['year 0 in `filter.from`', '/batches', { filter: { from: '0000-01-01T00:00:00Z' } }],
    ['no time in `degradedSince`', '/batches', { degradedSince: 'yesterday' }],
    ['NUL in the name of a provider', '/providers/%00/try', {}],
    ['NUL in a key', '/batches', { filter: { ['\u0000']: 1 } }],
  ])('E-13 %s is answered 400', async (_what, path, body) => {
    const answer = await ask(path.replace('{caseId}', knownIds['caseId'] ?? ''), body);
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({ reasonCode: 'invalid_input', errors: expect.any(Array) }),
    ]);
  });

  it('E-13 a batch may name 100,000 cases, may not be slower than one in 100 s, and 10 are open at most', async () => {
    const caseIds = Array.from(
      { length: 100_000 },
      (_, i) => NOWHERE.slice(0, -6) + String(i).padStart(6, '0'),
    );
    const named = await ask('/batches', { caseIds });
    expect([named.status, await named.json()]).toEqual([202, { batchId: null, count: 0, estimateUsd: 0 }]);
    const slow = await ask('/batches', { filter: {}, ratePerSecond: 1e-300 });
    expect(slow.status).toBe(400);
    const made: number[] = [];
    for (let i = 0; i < 11; i += 1)
      made.push((await ask('/batches', { filter: {}, lane: 'replay', ratePerSecond: 0.01 })).status);
    expect(made.at(-1)).toBe(409);
    expect(made.filter((status) => status === 202).length).toBeLessThanOrEqual(10);
  });

  it('E-13 feedback comes ten times a minute and case, then 429 with Retry-After', async () => {
    const label = { outcome: { riskLevel: 'high' }, by: 'ann' };
    const say = () => ask(`/cases/${knownIds['caseId'] ?? ''}/feedback`, label);
    let last = await say();
    for (let i = 0; i < 10; i += 1) last = await say();
    expect([last.status, last.headers.get('retry-after')]).toEqual([429, '60']);
    expect(await last.json()).toMatchObject({ reasonCode: 'too_many' });
  });

  it.each([
    '/batches/unknown/members',
    `/batches/${NOWHERE}/members`,
    '/cases/unknown/feedback',
    `/cases/${NOWHERE}/feedback`,
  ])('E-13 %s is answered 404: there is no such thing', async (path) =>
    expect((await ask(path)).status).toBe(404),
  );
});
