import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { consoleWith } from '@casefile/console/console';
import { routes } from '@casefile/console/routes/index';
import {
  acceptedAlertSchema,
  acceptedBatchSchema,
  problemSchema,
  type JsonObject,
} from '@casefile/contracts';
import { startSimulator, type Simulator } from '@casefile/llm-simulator/simulator';
import { startService, type RunningService } from '@casefile/runtime';
import type { PostgresStore } from '@casefile/store';
import { apiDocuments } from './api-documents.js';
import { holdsExample } from './testing/api-examples.js';
import { startExperiment } from './testing/experiments.js';
import { pausedEvolution } from './testing/paused-evolution.js';
import { importSamplePolicy, sampleBundles } from './testing/sample-policy.js';
import { simulatedModel } from './testing/simulated-model.js';
import { realWorld, type World } from './testing/world.js';

const image = readFileSync(new URL('../../../samples/screenshot-bank.png', import.meta.url));
const TEXT = 'Your parcel is held. Pay the fee at https://parcel.example/pay';

/** A record with a case of each kind, an image, a policy, a dead letter, a budget that was used and a provider that failed. */
let world: World;
let simulator: Simulator;
let service: RunningService;
/** What stands for the parameters of a path. */
const values: Record<string, string> = {
  policyId: 'claims-handling',
  version: 'current',
  ids: '0001,9999',
  name: 'disk',
};

beforeAll(async () => {
  simulator = await startSimulator();
  const { privateKey } = generateKeyPairSync('ed25519');
  world = await realWorld('inline', simulatedModel(simulator), {
    CASEFILE_SIGNING_KEY: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  });
  const { platform } = world;
  await importSamplePolicy(platform.knowledge.policies);
  const runbook = { name: 'disk.md', bytes: Buffer.from('# Disk'), source: 'disk.md', address: null };
  await platform.knowledge.seed({ runbooks: [runbook] });
  const judge = async (alert: JsonObject): Promise<void> => {
    const { caseId } = await world.accept(alert);
    const { alerts, runs } = await world.ended(caseId);
    const runId = runs[0]?.id ?? '';
    Object.assign(values, { caseId, id: caseId, alertId: alerts[0]?.id ?? '', runId, a: runId, b: runId });
  };
  const evidence = [{ toolName: 'scam_db', entityType: 'phone', result: { found: true } }];
  const bank = 'Your bank account is blocked. Send your password and OTP at http://bank-kyc.example now';
  await judge({ playbook: 'message-screening', text: bank, collect: false });
  const [session] = (await platform.store.engagements.find({ limit: 1 })).engagements;
  values['engagementId'] = session?.id ?? '';
  await judge({ playbook: 'policy-check', payload: sampleBundles[0] ?? {} });
  const picture = { mediaType: 'image/png', base64: image.toString('base64') };
  await judge({
    playbook: 'scam-verdict',
    text: TEXT,
    image: picture,
    evidence,
    collect: false,
    tenant: 'kept',
  });
  const { batchId } = await platform.rerun.createBatch({ filter: {}, lane: 'replay' });
  values['batchId'] = batchId ?? '';
  values['import'] = platform.ids.id();
  await platform.store.imports.open(values['import'], 'policy');
  values['letterId'] = platform.ids.id();
  const buried = { reasonCode: 'invalid_input', message: 'no text', payload: { texd: 'x' } };
  await platform.store.deadLetters.bury({ id: values['letterId'], ...buried });
  const failure = { provider: 'simulator', reasonCode: 'server_error', openAfter: 1 };
  await platform.store.providers.failed({ ...failure, openMs: 60_000, maxOpenMs: 60_000 });
  values['erasureId'] = platform.ids.id();
  const erasure = { id: values['erasureId'], classes: ['images' as const], by: 'ann', reason: 'asked' };
  await platform.store.erasures.request({ ...erasure, caseIds: [], subject: null });
  ofExperiments['id'] = await startExperiment(platform.store as PostgresStore, 'scam-verdict');
  ofEvolutions['id'] = await pausedEvolution(platform.store);
  service = await startService(consoleWith({ dashboard: '/nowhere' }), platform);
});
afterAll(async () => {
  await service.close();
  await world.close();
  await simulator.close();
});

/** What stands for them in the paths of prompts, experiments and evolutions. */
const ofPrompts: Record<string, string> = { playbook: 'scam-verdict', name: 'answer', version: '2' };
const ofExperiments: Record<string, string> = {};
const ofEvolutions: Record<string, string> = {};
const valuesFor = (path: string): Record<string, string> => {
  if (path.startsWith('/experiments')) return ofExperiments;
  if (path.startsWith('/evolutions')) return ofEvolutions;
  return path.startsWith('/prompts') ? ofPrompts : values;
};
const filled = (path: string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(valuesFor(path)[name] ?? ''));
const QUERY: Record<string, string> = {
  '/policies/{policyId}/versions/{version}/sections': '?ids=0001,9999',
  '/prompts/{playbook}/{name}/diff': '?to=2',
  '/series': '?metric=verdicts',
  '/quality/labels': '?playbook=scam-verdict',
};

describe('what the ops API really answers', () => {
  it.each(routes.filter(({ method, response }) => method === 'get' && typeof response !== 'string'))(
    'GET $path is of its documented shape, with no further field, and as its example',
    async ({ path, response, operationId }) => {
      const answer = await fetch(`${service.url}/api/v1${filled(path)}${QUERY[path] ?? ''}`);
      expect(answer.status).toBe(200);
      const body: unknown = await answer.json();
      if (typeof response === 'string') throw new Error('it answers JSON');
      // Parsing leaves out what no schema names: nothing may be left out.
      expect(response.parse(body)).toEqual(body);
      holdsExample(operationId, { answer: body });
    },
  );

  it('POST /prompts/{playbook}/{name}/render answers as its example', async () => {
    const body = { text: 'Judge the message.', caseId: values['caseId'] };
    const answer = await fetch(`${service.url}/api/v1/prompts/scam-verdict/answer/render`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
    holdsExample('renderPrompt', { body, answer: await answer.json() });
  });

  it('has something in every list', async () => {
    const read = async (path: string) =>
      (await (await fetch(`${service.url}/api/v1${path}`)).json()) as Record<string, object[]>;
    expect((await read('/cases'))['cases']).toHaveLength(3);
    const { runs: [run] = [] } = (await read(filled('/cases/{caseId}'))) as {
      runs?: Record<string, object[]>[];
    };
    for (const key of ['units', 'artifacts', 'interactions', 'trace', 'evidence'])
      expect(run?.[key]).not.toEqual([]);
    expect(await read('/pipeline')).toMatchObject({ providers: [{ state: 'open' }], deadLetters: 1 });
    expect((await read('/dead-letters'))['deadLetters']).toHaveLength(1);
    expect((await read('/queues'))['items']).not.toEqual([]);
    expect((await read('/engagements'))['engagements']).toHaveLength(1);
  });

  it.each([
    ['image/png', '/cases/{caseId}/alerts/{alertId}/image'],
    ['text/event-stream', '/events'],
  ])('answers %s at %s', async (type, path) => {
    const over = new AbortController();
    const answer = await fetch(`${service.url}/api/v1${filled(path)}`, { signal: over.signal });
    expect(answer.headers.get('content-type')).toContain(type);
    over.abort();
  });
});

describe('a known path with a method that it does not have', () => {
  it.each<[string, string, string, string]>([
    ['console', 'DELETE', '/api/v1/cases', 'GET'],
    ['console', 'PUT', '/api/v1/dead-letters/drop', 'GET, POST'],
    ['console', 'DELETE', '/api/v1/alerts', 'POST'],
    ['console', 'POST', '/health/ready', 'GET'],
    ['ingest', 'GET', '/v1/alerts', 'POST'],
    ['ingest', 'DELETE', '/v1/alerts', 'POST'],
    ['ingest', 'POST', '/openapi.json', 'GET'],
    ['ingest', 'POST', '/metrics', 'GET'],
  ])('is answered 405 with Allow, as a problem: %s %s %s', async (where, method, path, allowed) => {
    const answer = await fetch(`${where === 'console' ? service.url : world.ingestUrl}${path}`, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe(allowed);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(problemSchema.parse(await answer.json())).toMatchObject({
      status: 405,
      reasonCode: 'method_not_allowed',
      detail: expect.stringContaining(allowed),
    });
  });

  it('is another thing than an unknown path', async () => {
    for (const at of [`${service.url}/api/v1/nothing`, `${world.ingestUrl}/v1/nothing`])
      expect((await fetch(at, { method: 'POST' })).status).toBe(404);
  });

  it('leaves HEAD and OPTIONS as they are', async () => {
    expect((await fetch(`${service.url}/api/v1/meta`, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(`${service.url}/api/v1/meta`, { method: 'OPTIONS' })).headers.get('allow')).toContain(
      'GET',
    );
  });
});

describe('what the intake really answers', () => {
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${world.ingestUrl}/v1/alerts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  it('is of its documented shape for one alert, for a batch and for what is wrong', async () => {
    const one = await post({ text: 'hello', collect: false }, { 'idempotency-key': 'k' });
    const many = await post([{ text: 'more', collect: false }, { texd: 'x' }]);
    const [first, second] = [(await one.json()) as unknown, (await many.json()) as unknown];
    expect([one.status, many.status]).toEqual([202, 202]);
    expect(acceptedAlertSchema.parse(first)).toEqual(first);
    expect(acceptedBatchSchema.parse(second)).toEqual(second);
    const reused = await post({ text: 'other' }, { 'idempotency-key': 'k' });
    const wrong = await post({ texd: 'x' });
    expect([reused.status, wrong.status]).toEqual([422, 400]);
    for (const answer of [reused, wrong]) {
      const problem: unknown = await answer.json();
      expect(problemSchema.parse(problem)).toEqual(problem);
    }
  });

  it('names in its document what the guard before it answers', async () => {
    const foreign = await post({ text: 'x' }, { origin: 'https://evil.example' });
    const noJson = await post({ text: 'x' }, { 'content-type': 'text/plain' });
    const [{ document } = { document: {} }] = apiDocuments().filter(({ file }) => file.includes('ingest'));
    const { paths } = document as { paths: Record<string, { post: { responses: object } }> };
    const named = Object.keys(paths['/v1/alerts']?.post.responses ?? {});
    expect([foreign.status, noJson.status]).toEqual([403, 415]);
    expect(named).toEqual(expect.arrayContaining(['202', '400', '403', '413', '415', '421', '422', '503']));
  });

  it('serves the document of it', async () => {
    const read = () => fetch(`${world.ingestUrl}/openapi.json`);
    // The server may close a connection that was idle in the same moment in which it is used again.
    const document = (await (await read().catch(read)).json()) as { paths: object };
    expect(Object.keys(document.paths)).toEqual([
      '/v1/alerts',
      '/v1/webhooks/alertmanager',
      '/v1/webhooks/grafana',
      '/v1/cloudevents',
      '/v1/webhooks/custom/{name}',
      '/v1/feedback',
      '/v1/research',
    ]);
  });
});
