import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  caseListSchema,
  configurationSchema,
  playbookListSchema,
  shownCaseSchema,
  type JsonObject,
} from '@casefile/contracts';
import { drawnSecret, temporaryFolder, until } from '@casefile/contracts/testing';
import { fiveServices, type FiveServices } from './testing/five-services.js';
import { runCasefile } from './testing/run-casefile.js';

const KIND = 'invoice-check';
const ROOT = new URL('../../../', import.meta.url);
/** A kind that is written as YAML. */
const YAML = new URL('samples/kinds/vendor-bank-change', ROOT).pathname;
const built = (app: string): string => new URL(`../../${app}/dist/main.js`, import.meta.url).pathname;

/** Secret of the register in this test. */
const REGISTER_KEY = drawnSecret(24, 3);

/** A register on loopback with these subjects and their limits. */
function registerOf(limits: Record<string, number>) {
  const keys = new Set<string | undefined>();
  const server = createServer((request, response) => {
    keys.add(request.headers.authorization);
    const subject = decodeURIComponent((request.url ?? '').split('/').at(-1) ?? '');
    const limit = limits[subject];
    response.writeHead(limit === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(limit === undefined ? {} : { limit }));
  });
  const listening = new Promise<string>((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`),
    ),
  );
  return { listening, keys, close: () => server.close() };
}

describe('a kind of case from a folder outside of the repository, in built programs', () => {
  const folder = join(temporaryFolder('outside'), KIND);
  const savedEnv = { ...process.env };
  const register = registerOf({ Desks: 50_000, 'Office chairs': 50_000 });
  let system: FiveServices;
  const console = () => system.service('console').url;
  const read = async (path: string): Promise<unknown> => (await fetch(`${console()}/api/v1${path}`)).json();
  const judged = async (payload: JsonObject) => {
    const caseId = await system.alert({ playbook: KIND, payload });
    const show = async () => shownCaseSchema.parse(await read(`/cases/${caseId}`));
    await until('the case is decided', async () => (await show()).runs[0]?.status === 'decided');
    return show();
  };

  beforeAll(async () => {
    const command = [built('cli'), 'new', 'kind', KIND, '--folder', folder, '--with', 'tool'];
    const made = spawnSync(process.execPath, command, { encoding: 'utf8' });
    expect(made).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining(folder) });
    const CASEFILE_KINDS = `${folder},${YAML}`;
    const variables = {
      CASEFILE_KINDS,
      INVOICE_CHECK_REGISTER_URL: await register.listening,
      INVOICE_CHECK_REGISTER_KEY: REGISTER_KEY,
    };
    Object.assign(process.env, variables, { LLM_PROVIDER: 'none' });
    system = await fiveServices({ services: 'one process', env: () => variables });
    await system.start();
  });
  afterAll(async () => {
    process.env = savedEnv;
    await system.close();
    register.close();
  });

  // With other parts: whole/kind-with-parts.spec.ts.
  it('passes the test that it was made with, by Node without an installation in its folder', async () => {
    const { test } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).scripts as {
      test: string;
    };
    const [node, ...args] = test.replace('kind.test.ts', join(folder, 'kind.test.ts')).split(' ');
    const env = { ...process.env, NODE_OPTIONS: '' };
    // Not spawnSync: this process must notice that a service closes its idle connections meanwhile.
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });
    expect([node, stdout]).toEqual(['node', expect.stringMatching(/(?:# |ℹ )pass 8\n[^]*(?:# |ℹ )fail 0\n/)]);
  });

  it('is made only with parts that there are', async () => {
    const { code, errors } = await runCasefile('new', 'kind', 'other-check', '--with', 'tool,magic');
    expect([code, errors.join()]).toEqual([1, expect.stringMatching(/--with.*model, tool, policy.*magic/)]);
  });

  it('asks its own tool, whose answer is evidence, and passes nothing that the tool does not know', async () => {
    const [known, unknown] = await Promise.all([
      judged({ subject: 'Desks', amount: 120 }),
      judged({ subject: 'Gold', amount: 120 }),
    ]);
    const itemsOf = ({ runs }: typeof known) =>
      runs[0]?.artifacts.find(({ artifact }) => artifact === 'evidence')?.body['items'];
    expect(itemsOf(known)).toMatchObject([
      {
        id: 'E1',
        toolName: 'invoice_check_register',
        result: { isKnown: true, limit: 50_000 },
        success: true,
      },
    ]);
    expect(itemsOf(unknown)).toMatchObject([{ result: { isKnown: false }, success: true }]);
    expect(known.runs[0]?.verdict).toMatchObject({ disposition: 'dismiss', degraded: false });
    expect(unknown.runs[0]?.verdict).toMatchObject({
      disposition: 'review',
      reasons: expect.arrayContaining(['The register does not have it [E1].']),
    });
    expect(register.keys).toEqual(new Set([`Bearer ${REGISTER_KEY}`]));
    const { configuration } = configurationSchema.parse(await read('/configuration'));
    const valueOf = (name: string) => configuration.find((entry) => entry.name === name)?.value;
    expect([valueOf('INVOICE_CHECK_REGISTER_URL'), valueOf('INVOICE_CHECK_REGISTER_KEY')]).toEqual([
      await register.listening,
      expect.not.stringContaining(REGISTER_KEY),
    ]);
  });

  it.each([
    [120, 'pass', 'dismiss'],
    [2_500, 'review', 'review'],
    [25_000, 'stop', 'act'],
  ])('judges an amount of %s over HTTP, and is shown by declaration', async (amount, word, disposition) => {
    const { caseId, playbook, runs } = await judged({ subject: 'Desks', amount });
    const [run] = runs;
    expect({ playbook, settings: run?.settings }).toMatchObject({
      playbook: KIND,
      settings: { playbook: KIND, playbookVersion: '1', kindDigest: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(run?.verdict).toMatchObject({ disposition, outcome: { amount } });
    expect(run?.presentation).toMatchObject({
      word,
      view: null,
      facts: [{ label: 'amount', value: `${amount}` }],
    });
    const { cases } = caseListSchema.parse(await read(`/cases?playbook=${KIND}`));
    expect(cases.map((one) => one.caseId)).toContain(caseId);
    const shown = await runCasefile('show', caseId, '--console', console());
    expect(shown).toMatchObject({ code: 0, errors: [] });
    expect(shown.lines.join('\n')).toMatch(new RegExp(`${KIND}[^]*${word} {2}\\(${disposition}\\)`));
  });

  it('is refused by field, listed, and on the page Settings with version and digest', async () => {
    const response = await fetch(`${system.service('ingest').url}/v1/alerts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ playbook: KIND, payload: { amount: -1 } }),
    });
    expect([response.status, JSON.stringify(await response.json())]).toEqual([
      400,
      expect.stringMatching(/payload\.subject.*payload\.amount/),
    ]);
    const { playbooks } = playbookListSchema.parse(await read('/playbooks'));
    expect(playbooks.find(({ name }) => name === KIND)).toMatchObject({
      version: '1',
      title: 'Invoice check',
    });
    const { configuration } = configurationSchema.parse(await read('/configuration'));
    expect(configuration.find(({ name }) => name === `installed kind ${KIND}`)).toMatchObject({
      value: {
        version: '1',
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        module: join(folder, 'index.ts'),
      },
      source: 'environment',
    });
  });

  it.each([
    [KIND, 4],
    ['vendor-bank-change', 5],
  ])('is measured by its own labelled set, in the running system: %s', async (kind, count) => {
    const results = join(temporaryFolder('outside-eval'), 'results.jsonl');
    const where = ['--console', console(), '--results', results];
    const { code, lines, errors } = await runCasefile(
      'eval',
      '--playbook',
      kind,
      '--rules',
      '--json',
      ...where,
    );
    expect([code, errors]).toEqual([0, []]);
    expect(JSON.parse(lines[0]!)).toMatchObject({ payloads: count, right: { part: count, of: count } });
    expect(readFileSync(results, 'utf8').match(/"expected"/g)).toHaveLength(count);
  });

  it('stops the start of a service if it cannot be loaded, with what was expected', () => {
    const env = { ...process.env, CASEFILE_KINDS: '/nowhere/kind', DATABASE_URL: system.databaseUrl };
    const { status, stderr } = spawnSync(process.execPath, [built('ingest')], { env, encoding: 'utf8' });
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining('CASEFILE_KINDS: /nowhere/kind: expected a folder or a module'),
    ]);
  });
});
