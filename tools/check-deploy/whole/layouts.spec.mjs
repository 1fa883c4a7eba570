// Both production layouts reach the same verdicts as the one-process layout. The six programs run with the
// environments of docker-compose.yml and k8s/ on real stores, and get the same alerts as `casefile up`,
// through every intake.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSamples } from '@casefile/cli/up/samples';
import { startSimulator } from '@casefile/llm-simulator/simulator';
import { connectQueueStore, createAlertSender } from '@casefile/queue';
import { kinds } from '@casefile/shipped/loaded';
import { connect, readConfig } from '@casefile/runtime';
import { silentLogger } from '@casefile/contracts';
import { temporaryFolder, until } from '@casefile/contracts/testing';
import { testDatabase } from '@casefile/store/testing';
import { emptyQueue } from '../../../apps/e2e/src/fault-run/empty-queue.js';
import { PATIENT } from '../../../apps/e2e/src/testing/patient-settings.js';
import { rowsIn } from '../../../apps/e2e/src/testing/run-casefile.js';
import { testRedis } from '../../../apps/e2e/src/testing/redis-database.js';
import { root } from '../../root.mjs';
import { readCompose, REQUIRED } from '../compose-file.mjs';
import { composeContainers, EXPECTED_SECRETS, kubernetesContainers } from '../containers.mjs';
import { renderKustomization } from '../kubectl.mjs';
import { startContainers } from '../layout-processes.mjs';
import { collectVerdicts, signatureOf } from '../verdict-receiver.mjs';

const MODEL = 'model-of-the-installation';
const VERDICT_KEY = 'a key of verdicts for the specs';
const ALERTS = 50;
/** Every fifth alert is also sent through the queue. */
const SENT = ALERTS + ALERTS / 5;
/** Timeout for steps that hang. */
const ENDED_WITHIN_MS = 240_000;
const OVER = ['decided', 'stopped', 'quarantined'];

/** Settings with a variable that only two services need. No step waits long for an absent service. */
const SETTINGS = {
  mcp: {
    servers: {
      cluster: {
        url: 'http://127.0.0.1:9/mcp',
        headers: { Authorization: 'Bearer ${PROM_TOKEN}' },
        allow: ['logs'],
        kinds: ['incident'],
        forAlerts: { team: 'none of these' },
      },
    },
  },
  // No look-up, no reading of an image and no answer of a model is too late because the machine is busy.
  ocr: PATIENT.ocr,
  tools: PATIENT.tools,
  runbooks: { sources: [{ url: 'http://127.0.0.1:9/runbook.md', name: 'nowhere', token: '${PROM_TOKEN}' }] },
  playbooks: {
    ...PATIENT.playbooks,
    'policy-check': { ...PATIENT.playbooks['policy-check'], callTimeoutMs: 120_000, patienceMs: 240_000 },
  },
};

let simulator;
let folder;
let configFile;
/** Variables that an operator sets in `.env` or the secret `casefile-keys`. */
let keys;
let alerts;
beforeAll(async () => {
  folder = temporaryFolder('layouts');
  configFile = join(folder, 'own.yaml');
  writeFileSync(configFile, JSON.stringify(SETTINGS));
  simulator = await startSimulator();
  keys = {
    LLM_PROVIDER: 'vllm',
    LLM_MODEL: MODEL,
    VLLM_BASE_URL: simulator.baseUrl,
    CASEFILE_VERDICT_KEY: VERDICT_KEY,
    CASEFILE_FINGERPRINT_KEY: 'a fingerprint key of the specs',
    PROM_TOKEN: 'a token',
    RDAP_BASE_URL: 'off',
  };
  alerts = await sampleAlerts();
});
afterAll(async () => {
  await simulator?.close();
});

/** Bundled samples of every playbook, and product cases of two, each with its own key. */
async function sampleAlerts() {
  const bundled = (await readSamples()).alerts;
  const others = ['scam-verdict', 'message-screening'].flatMap((name) =>
    JSON.parse(readFileSync(join(root, `apps/e2e/src/product-cases/${name}.json`), 'utf8')).map(
      ({ alert }) => alert,
    ),
  );
  return [...bundled, ...others].slice(0, ALERTS);
}

const LAYOUTS = {
  'one process': () => [
    {
      name: 'console',
      command: ['node', 'apps/cli/dist/main.js', 'up', '--no-samples'],
      environment: keys,
      services: ['console', 'ingest', 'evidence-collector', 'reasoner', 'critic-writer', 'decision'],
    },
  ],
  'docker-compose.yml': () =>
    composeContainers(readCompose(join(root, 'docker-compose.yml'), { ...REQUIRED, ...keys }), {
      '.env': keys,
    }),
  k8s: () =>
    kubernetesContainers(renderKustomization(join(root, 'k8s')), {
      ...EXPECTED_SECRETS,
      'casefile-keys': keys,
    }),
};

describe('the layouts', () => {
  const verdictsByLayout = {};

  describe.each(Object.entries(LAYOUTS))('%s', (layout, containersOf) => {
    let database;
    let processes;
    let messages;
    let closeMessages;
    let queueUrl;
    let firstCase;
    beforeAll(async () => {
      database = await testDatabase();
      queueUrl = testRedis('layouts');
      await emptyQueue(queueUrl);
      await importSamples(database.url);
      processes = await startContainers(containersOf(), {
        databaseUrl: database.url,
        queueUrl,
        configFile,
        folder,
      });
      ({ messages, close: closeMessages } = collectVerdicts(queueUrl));
    }, 600_000);
    afterAll(async () => {
      await closeMessages?.();
      await processes?.stop();
      await database?.drop();
    });
    const api = (path, init) => requestJson(`${processes.urlOf('console')}/api/v1${path}`, init);
    const ended = async (caseId) => {
      let body;
      const hasEnded = async () => {
        ({ body } = await api(`/cases/${caseId}`));
        return body.runs?.every(({ status }) => OVER.includes(status)) === true;
      };
      const state = () => `case ${caseId} has ended: ${JSON.stringify(body?.runs)}`;
      await until(state, hasEnded, 100, ENDED_WITHIN_MS);
      return body;
    };

    it('judges 50 alerts of all kinds, sent through console, intake and queue', async () => {
      const connection = await connectQueueStore(queueUrl, { log: silentLogger });
      const sender = createAlertSender(connection);
      const caseIds = [];
      for (const [i, alert] of alerts.entries()) {
        const headers = { 'idempotency-key': `alert-${i}` };
        if (i % 5 === 4) await sender.send([{ body: { ...alert, source: 'queue' } }]);
        const sent =
          i % 2 === 0 ? await api('/alerts', post(alert, headers)) : await intake(processes, alert, headers);
        expect([i, sent.status]).toEqual([i, 202]);
        caseIds.push(sent.body.caseId);
      }
      await sender.close();
      await connection.close();
      [firstCase] = caseIds;
      verdictsByLayout[layout] = (await Promise.all(caseIds.map(ended))).map(({ playbook, runs: [run] }) => [
        playbook,
        run.settings.provider,
        run.settings.model,
        run.verdict.method,
        run.verdict.disposition,
        run.verdict.degradedBy.join(),
        run.verdict.degraded ? run.gaps.map(({ tool, reasonCode }) => `${tool} ${reasonCode}`).join() : '',
      ]);
      expect(verdictsByLayout[layout]).toEqual(verdictsByLayout['one process']);
    });

    it('freezes alerts of every webhook with the configured model', async () => {
      const firing = {
        status: 'firing',
        labels: { alertname: 'ProbeFailed' },
        annotations: {},
        startsAt: START,
      };
      const posts = {
        '/v1/webhooks/alertmanager': {
          version: '4',
          status: 'firing',
          alerts: [{ ...firing, fingerprint: 'a1' }],
        },
        '/v1/webhooks/grafana': {
          version: '1',
          status: 'firing',
          alerts: [{ ...firing, fingerprint: 'g1' }],
        },
        '/v1/cloudevents': {
          specversion: '1.0',
          id: '1',
          source: '/spec',
          type: 'x',
          data: { playbook: 'scam-verdict', text: 'You have won, call +44 7700 900142 now' },
        },
      };
      for (const [path, body] of Object.entries(posts)) {
        const type = path.endsWith('events') ? 'application/cloudevents+json' : 'application/json';
        const sent = await requestJson(
          `${processes.urlOf('ingest')}${path}`,
          post(body, { 'content-type': type }),
        );
        expect([path, sent.status]).toEqual([path, 202]);
        const caseId = sent.body.caseId ?? sent.body.results[0].caseId;
        expect((await ended(caseId)).runs[0].settings).toMatchObject({ provider: 'vllm', model: MODEL });
      }
    });

    it('joins the same alert of console and intake to one case', async () => {
      const alert = {
        playbook: 'scam-verdict',
        text: 'Your parcel waits at http://parcel.example/7',
        source: 'same',
      };
      const [first, second] = [await api('/alerts', post(alert)), await intake(processes, alert)];
      expect(second.body).toMatchObject({ caseId: first.body.caseId, joined: true });
    });

    it('shows the configured model, and asks another one about a recorded case', async () => {
      expect((await api('/meta')).body).toMatchObject({ provider: 'vllm', model: MODEL });
      const caseId = firstCase;
      const settings = { provider: 'vllm', model: 'another-model' };
      const opened = await api(
        `/cases/${caseId}/runs`,
        post({ lane: 'batch', evidence: 'recorded', settings }),
      );
      expect(opened.status).toBe(202);
      const run = (await ended(caseId)).runs.find(({ id }) => id === opened.body.runId);
      expect(run).toMatchObject({
        settings: { provider: 'vllm', model: 'another-model' },
      });
      // A lease that was lost in a pause leaves an attempt without an answer.
      expect(run.interactions.filter(({ state }) => state === 'completed')).toMatchObject([
        { provider: 'vllm' },
      ]);
    });

    it('freezes every run with the configured model, signs every verdict, and finds nothing wrong with itself', async () => {
      await until(
        () => `${SENT} verdicts, not ${messages.length}`,
        () => messages.length >= SENT,
        100,
        ENDED_WITHIN_MS,
      );
      const frozen = await rowsIn(
        database.url,
        `select distinct settings ->> 'provider' as provider, settings ->> 'model' as model from runs where lane = 'live'`,
      );
      expect(frozen).toEqual([{ provider: 'vllm', model: MODEL }]);
      expect(messages.filter((message) => message.signature !== signatureOf(message, VERDICT_KEY))).toEqual(
        [],
      );
      // A process that was silent for a moment is a condition until its next sign of life.
      let conditions = null;
      await until(
        () => `no condition is left: ${JSON.stringify(conditions)}`,
        async () => ({ conditions } = (await api('/conditions')).body).conditions?.length === 0,
        100,
        ENDED_WITHIN_MS,
      );
    });
  });
});

const START = '2026-01-05T10:00:00Z';
const post = (body, headers = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

const intake = (processes, alert, headers) =>
  requestJson(`${processes.urlOf('ingest')}/v1/alerts`, post(alert, headers));

/** Repeats a request while the service is too busy, as its senders do. */
async function requestJson(url, init) {
  let answer;
  const isServed = async () => (answer = await fetch(url, init)).status !== 503;
  await until(`${url} is served`, isServed, 200, ENDED_WITHIN_MS);
  return { status: answer.status, body: await answer.json() };
}

/** Imports the knowledge that the samples are checked against. */
async function importSamples(databaseUrl) {
  const config = readConfig({ DATABASE_URL: databaseUrl, LLM_PROVIDER: 'none', LOG_LEVEL: 'error' }, kinds);
  const { adapters, close } = await connect(config, []);
  try {
    const { lookedUp } = await readSamples();
    await adapters.knowledge.seed(lookedUp);
  } finally {
    await close();
  }
}
