import type { CreateKey } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import { startSimulator, type Simulator } from '@casefile/llm-simulator/simulator';
import { ingest } from '@casefile/ingest/ingest';
import { createKey, startService, type RunningService } from '@casefile/runtime';
import { configuredWorld, type ConfiguredWorld } from '../testing/configured-world.js';

let simulator: Simulator;
let world: ConfiguredWorld;
let service: RunningService;
const keys = new Map<string, string>();

beforeAll(async () => {
  simulator = await startSimulator();
  // A call costs about a dollar.
  const price = '{ input: 1000, output: 1000 }';
  const prices = `{ dear: ${price}, casefile-simulator: ${price} }`;
  const yaml = `providers: { simulator: { model: dear, prices: ${prices} } }\ncalls: { probeAtStart: false }\n`;
  world = await configuredWorld(yaml, { LLM_PROVIDER: 'simulator', LLM_BASE_URL: simulator.baseUrl });
  service = await startService(ingest, world.platform);
  await addKey('admin', { role: 'admin' });
  await addKey('gateway', { scopes: ['intake'], limits: { dailyUsd: 0.01 } });
  await addKey('other gateway', { scopes: ['intake'], limits: { dailyUsd: 1_000 } });
});
afterAll(async () => {
  await service.close();
  await world.close();
  await simulator.close();
});

async function addKey(name: string, rights: Partial<CreateKey>): Promise<void> {
  const { store, clock } = world.platform;
  const act = { by: 'test', reason: '' };
  const ports = { keys: store.keys, now: () => clock.now() };
  keys.set(name, (await createKey(ports, { name, ...rights, ...act }, { actId: name, ...act })).key);
}

async function send(name: string, path: string, body: object, type = 'application/json') {
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': type, authorization: `Bearer ${keys.get(name)}` },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Record<string, string>;
  return { status: response.status, retryAfter: Number(response.headers.get('retry-after')), answer };
}

describe('S2-21 the daily budget of a key', () => {
  it('refuses its alerts until the next day once their runs have cost it, and those of no other key', async () => {
    const alert = { playbook: 'scam-verdict', text: 'Parcel is held, pay at once', collect: false };
    const first = await send('gateway', '/v1/alerts', alert);
    expect(first.status).toBe(202);
    await world.ended([String(first.answer['caseId'])]);

    // The cost that was read for the first alert is kept for some seconds.
    let refused = first;
    await until(
      'the budget is used up',
      async () => (refused = await send('gateway', '/v1/alerts', alert)).status !== 202,
      500,
    );
    expect(refused.status).toBe(429);
    expect(refused.answer).toMatchObject({
      reasonCode: 'budget_exhausted',
      detail: expect.stringMatching(
        /^The key gateway may spend \$0\.01 per UTC day, .* \$[\d.]+\. /,
      ) as string,
    });
    expect(refused.retryAfter).toBeGreaterThan(0);
    expect(refused.retryAfter).toBeLessThanOrEqual(86_400);

    // The sender of a whole post repeats it, so that nothing of it is kept as a dead letter.
    const event = { specversion: '1.0', type: 'x', source: 's', id: '1', data: alert };
    const post = await send('gateway', '/v1/cloudevents', event, 'application/cloudevents+json');
    expect(post).toMatchObject({ status: 429, answer: { reasonCode: 'budget_exhausted' } });
    expect((await world.platform.store.deadLetters.find({ limit: 10 })).items).toEqual([]);

    expect((await send('other gateway', '/v1/alerts', { ...alert, text: 'Pay the fee' })).status).toBe(202);
  });
});
