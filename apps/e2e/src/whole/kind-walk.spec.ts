import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { caseListSchema, shownCaseSchema, type DecisionFile, type JsonObject } from '@casefile/contracts';
import { drawnSecret, temporaryFolder, until } from '@casefile/contracts/testing';
import { Queue } from 'bullmq';
import { dumpTables, linesWith } from '../testing/dump-stores.js';
import { FIVE_SERVICES, fiveServices, type FiveServices } from '../testing/five-services.js';
import { testRedis } from '../testing/redis-database.js';
import { runCasefile } from '../testing/run-casefile.js';

const WRITTEN = 'invoice-check';
const folder = join(temporaryFolder('kind-walk'), WRITTEN);
const YAML = new URL('../../../../samples/kinds/vendor-bank-change', import.meta.url).pathname;
const CLI = new URL('../../../cli/dist/main.js', import.meta.url).pathname;
const request = {
  vendor: 'Hafen Logistik AG',
  knownDomain: 'hafen-logistik.example',
  senderDomain: 'hafen-logistik.example',
  oldIban: 'DE89370400440532013000',
  newIban: 'DE12500105170648489890',
  openAmount: 1_200,
  confirmedByPhone: true,
};
/** Payloads with a text, the word of their verdict, and an answer of a person. */
const KINDS = {
  [WRITTEN]: { payload: (text: string) => ({ subject: text, amount: 120 }), word: 'pass', answer: 'stop' },
  'vendor-bank-change': {
    payload: (text: string) => ({ ...request, message: text }),
    word: 'change',
    answer: 'block',
  },
} as const;

const signingKey = generateKeyPairSync('ed25519')
  .privateKey.export({ format: 'pem', type: 'pkcs8' })
  .toString();
const queueUrl = testRedis('kind-walk');
const savedEnv = { ...process.env };
let system: FiveServices;

beforeAll(async () => {
  const made = spawnSync(process.execPath, [CLI, 'new', 'kind', WRITTEN, '--folder', folder]);
  expect(made.status).toBe(0);
  const CASEFILE_KINDS = `${folder},${YAML}`;
  Object.assign(process.env, { CASEFILE_KINDS, LLM_PROVIDER: 'none' });
  system = await fiveServices({
    services: [...FIVE_SERVICES, 'console'],
    queueUrl,
    settings: { reviews: { sendAfterSeconds: 1 } },
    env: () => ({ CASEFILE_KINDS, LLM_PROVIDER: 'none', CASEFILE_SIGNING_KEY: signingKey }),
  });
  await system.start();
});
afterAll(async () => {
  process.env = savedEnv;
  await system?.close();
});

describe.each(Object.keys(KINDS) as (keyof typeof KINDS)[])(
  'a kind from outside in six processes: %s',
  (kind) => {
    const { payload, word, answer } = KINDS[kind];
    let caseId: string;
    const console = () => system.service('console').url;
    const read = async (path: string) =>
      (await (await fetch(`${console()}/api/v1${path}`)).json()) as JsonObject;
    const post = async (path: string, body: object) => {
      const response = await fetch(`${console()}/api/v1${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const answer = (await response.json()) as JsonObject;
      expect([path, response.ok, answer]).toEqual([path, true, expect.anything()]);
      return answer;
    };
    const shown = async (id = caseId) => shownCaseSchema.parse(await read(`/cases/${id}`));
    const decided = async (id: string, runs = 1) => {
      const ended = async () => {
        const found = (await shown(id)).runs;
        return found.length >= runs && found.every(({ status }) => status === 'decided');
      };
      await until('the runs have ended', ended);
      return shown(id);
    };
    const casefile = (...args: string[]) => runCasefile(...args, '--console', console());

    it('is accepted over HTTP, with secrets masked, and shown in console and command line', async () => {
      const secret = `ghp_${drawnSecret(36, 7)}`;
      caseId = await system.alert({ playbook: kind, payload: payload(`Please check ${secret} soon`) });
      const { playbook, runs } = await decided(caseId);
      expect([playbook, runs[0]?.presentation?.word]).toEqual([kind, word]);
      const { cases } = caseListSchema.parse(await read(`/cases?playbook=${kind}`));
      expect(cases.map((one) => one.caseId)).toEqual([caseId]);
      expect((await casefile('show', caseId)).lines.join('\n')).toContain(word);
      expect(linesWith(await dumpTables(system.databaseUrl), secret)).toEqual([]);
    });

    it('is accepted over BullMQ', async () => {
      const alerts = new Queue('alerts', { connection: { url: queueUrl } });
      const job = await alerts.add('alert', { playbook: kind, payload: payload('By queue') });
      await until('the job is done', () => job.isCompleted());
      const answer = (await alerts.getJob(job.id ?? ''))?.returnvalue as { caseId: string };
      expect((await decided(answer.caseId)).playbook).toBe(kind);
      await alerts.close();
    });

    it('is reviewed, and replayed with the same verdict', async () => {
      await post(`/reviews/${caseId}/answer`, { by: 'ann', outcome: { action: answer } });
      expect(await shown()).toMatchObject({ correction: { by: 'ann', word: answer.replace('-', ' ') } });
      const { runId } = await post(`/cases/${caseId}/runs`, { lane: 'replay' });
      const { runs } = await decided(caseId, 2);
      const replay = runs.find(({ id }) => id === runId);
      expect(replay?.verdict?.outcome).toEqual(runs[0]?.verdict?.outcome);
    });

    it('takes part in an experiment', async () => {
      const arms = [
        { name: 'control', settings: {} },
        { name: 'new', settings: { strategy: 'rules' } },
      ];
      const about = { by: 'ann', reason: 'a test' };
      const created = await post('/experiments', {
        name: 'rules',
        playbook: kind,
        mode: 'shadow',
        budgetUsd: 1,
        arms,
        share: 1,
        ...about,
      });
      await post(`/experiments/${String(created['id'])}/start`, about);
      // Each process follows the switch within seconds.
      await until('a new case is judged by both arms', async () => {
        const id = await system.alert({ playbook: kind, payload: payload(`Sent ${Date.now()}`) });
        await decided(id);
        const [row] = await system.store.database.rows<{ n: number }>(
          `select count(*)::int as n from runs r join cases c on c.id = r.case_id where c.playbook = $1 and r.lane = 'shadow'`,
          [kind],
        );
        return (row?.n ?? 0) > 0;
      });
    });

    it('is exported as a decision file, and erased', async () => {
      const out = join(temporaryFolder('decision'), 'file.json');
      expect((await casefile('export', 'decision', caseId, '--out', out)).code).toBe(0);
      const { records } = JSON.parse(readFileSync(out, 'utf8')) as DecisionFile;
      const run = records.find(({ id }) => /^runs\/[^/]+$/.test(id))?.body;
      expect(run).toMatchObject({
        settings: {
          playbook: kind,
          playbookVersion: '1',
          kindDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      });
      expect(JSON.stringify(records)).toContain(word);
      const waiting = `select 1 from corrected_verdicts where case_id = $1 and due_at is not null and sent_at is null and cancelled_at is null`;
      await until(
        'the answer has left',
        async () => (await system.store.database.rows(waiting, [caseId])).length === 0,
      );
      const { id } = await post('/erasures', { caseIds: [caseId], by: 'ann', reason: 'asked' });
      await until('the case is erased', async () => (await read(`/erasures/${String(id)}`))['erased'] === 1);
      expect(JSON.stringify(await shown())).not.toContain('Please check');
    });
  },
);
