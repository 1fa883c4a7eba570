import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { consoleService } from '@casefile/console/console';
import { kinds } from '@casefile/shipped/loaded';
import { criticWriter } from '@casefile/critic-writer/critic-writer';
import { decision } from '@casefile/decision/decision';
import { evidenceCollector } from '@casefile/evidence-collector/evidence-collector';
import { ingest } from '@casefile/ingest/ingest';
import { reasoner } from '@casefile/reasoner/reasoner';
import type { ShownCase } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import { freePort } from '@casefile/embedded/testing';
import { launch, readConfig, type RunningProcess } from '@casefile/runtime';
import { testDatabase, type TestDatabase } from '@casefile/store/testing';
import { rowsIn } from '../testing/run-casefile.js';
import { testEnvironment } from '../testing/world.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const REPORTS = 'entityType,entityValue,reportCount,riskScore\nphone,+14155550123,3,80\n';
const RUNBOOK = '---\nalerts: [DiskFull]\n---\n# Full disk\n';

/** A system, and the command in another folder with another environment, as in a second shell. */
let system: RunningProcess;
let database: TestDatabase;
let other: TestDatabase;
let folder: string;
let consoleUrl: string;
let ingestUrl: string;

beforeAll(async () => {
  [database, other] = await Promise.all([testDatabase(), testDatabase()]);
  folder = temporaryFolder('second-shell');
  const env = { DATABASE_URL: database.url, QUEUE_URL: database.url, CASEFILE_DATA: folder };
  const services = [consoleService, ingest, evidenceCollector, reasoner, criticWriter, decision];
  system = await launch(services, readConfig(testEnvironment(env), kinds));
  const urlOf = (service: string) => system.services.find(({ name }) => name === service)?.url ?? '';
  [consoleUrl, ingestUrl] = [urlOf('console'), urlOf('ingest')];
  writeFileSync(join(folder, 'reports.csv'), REPORTS);
  writeFileSync(join(folder, 'wrong.csv'), REPORTS.replace('80', 'high'));
  writeFileSync(join(folder, 'disk.md'), RUNBOOK);
});
afterAll(async () => {
  await system.stop();
  await Promise.all([database.drop(), other.drop()]);
});

interface Result {
  code: number;
  out: string;
  err: string;
}

function casefile(args: string[], env: Record<string, string> = {}): Promise<Result> {
  const command = [join(ROOT, 'apps/cli/dist/main.js'), ...args];
  const own = {
    PATH: process.env['PATH'] ?? '',
    CONSOLE_PORT: new URL(consoleUrl).port,
    RDAP_BASE_URL: 'off',
    ...env,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, command, { cwd: folder, env: own }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });
}

const DIRECT = () => ({ DATABASE_URL: other.url, CASEFILE_DATA: join(folder, 'data'), LLM_PROVIDER: 'none' });

describe('a database that services alone have migrated', () => {
  it('T-20 has the starting set of scam patterns, and the console reports no empty base', async () => {
    const [row] = await rowsIn(database.url, 'select count(*)::int as count from scam_patterns');
    expect(row?.['count']).toBeGreaterThan(100);
    const { out } = await casefile(['status', '--json']);
    expect(out).not.toContain('knowledge_empty');
  });
});

describe('casefile import next to a running system', () => {
  it('imports into the database of the system, whatever its own environment names', async () => {
    const { code, out, err } = await casefile(['import', 'scam-reports', 'reports.csv'], DIRECT());
    expect({ code, out, err }).toEqual({ code: 0, out: '1 new, 0 replaced\n', err: '' });
    const count = 'select count(*)::int as count from scam_reports';
    expect(await rowsIn(database.url, count)).toEqual([{ count: 1 }]);
    expect(await rowsIn(other.url, count)).toEqual([{ count: 0 }]);
    expect(await rowsIn(database.url, 'select count(*)::int as count from import_pieces')).toEqual([
      { count: 0 },
    ]);
  });

  it('reads a folder, and prints as JSON what it prints for people', async () => {
    const { code, out } = await casefile(['import', 'runbooks', '.', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ name: 'disk', outcome: 'new', version: 1 });
    const [row] = await rowsIn(database.url, 'select origin from runbooks');
    expect(row).toEqual({ origin: folder });
    const again = await casefile(['import', 'runbooks', '.']);
    expect(again.out).toContain('unchanged disk version 1');
  });

  it('names every wrong line, and the case that is not there', async () => {
    const wrong = await casefile(['import', 'scam-reports', 'wrong.csv']);
    expect(wrong).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/not valid:\n {2}line 2: riskScore/),
    });
    const missing = await casefile(['import', 'scam-patterns', '--case', 'x', '--scam-type', 's']);
    expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('no case has the id x') });
  });

  it('works directly on request, and names the database without its password', async () => {
    const { code, out, err } = await casefile(
      ['import', 'scam-reports', 'reports.csv', '--direct'],
      DIRECT(),
    );
    expect({ code, out }).toEqual({ code: 0, out: '1 new, 0 replaced\n' });
    const { pathname, password } = new URL(other.url);
    expect(err).toContain(`the database "${pathname.slice(1)}" at`);
    if (password !== '') expect(err).not.toContain(`:${password}@`);
    expect(await rowsIn(other.url, 'select count(*)::int as count from scam_reports')).toEqual([
      { count: 1 },
    ]);
  });
});

const POST = {
  version: '4',
  alerts: ['DiskFull', 'Unknown'].map((alertname) => ({
    status: 'firing',
    labels: { alertname, severity: 'critical' },
    annotations: { summary: `${alertname} on db-1` },
    startsAt: '2026-01-05T10:00:00Z',
  })),
};
const cases = (where: string) => `select count(*)::int as count from cases where ${where}`;

describe('casefile runbook match next to a running system', () => {
  it('asks the system, and says which alert of a post each answer is for', async () => {
    writeFileSync(join(folder, 'post.json'), JSON.stringify(POST));
    const { code, out, err } = await casefile(['runbook', 'match', 'post.json'], DIRECT());
    expect([code, err]).toEqual([1, '']);
    expect(out).toMatch(/^alert 1 of 2, DiskFull: disk Full disk\nwhy: A rule names it/);
    expect(out).toContain('alert 2 of 2, Unknown: no runbook');
    const direct = await casefile(['runbook', 'match', 'post.json', '--direct', '--json'], DIRECT());
    expect(direct.err).toContain(new URL(other.url).pathname.slice(1));
    expect(direct.out.split('\n').filter((line) => line.includes('"found":false'))).toHaveLength(2);
  });
});

describe('casefile check next to a running system', () => {
  it('S4-42 has the system judge, in a case of its own whose verdict is not delivered', async () => {
    const first = await casefile(['check', 'post.json', '--json'], DIRECT());
    expect(first.code).toBe(0);
    expect(first.err).toBe(
      'casefile: alert 1 of 2: DiskFull: DiskFull on db-1\ncasefile: alert 2 of 2: Unknown: Unknown on db-1\n',
    );
    const shown = first.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as ShownCase);
    expect(
      shown.map(({ playbook, runs }) => [playbook, runs[0]?.lane, runs[0]?.verdict?.outcome['action']]),
    ).toEqual([
      ['incident', 'batch', 'page'],
      ['incident', 'batch', 'page'],
    ]);
    const again = await casefile(['check', 'post.json', '--json']);
    expect(again.code).toBe(0);
    expect(await rowsIn(database.url, cases(`dataset = 'check' and alert_count = 1`))).toEqual([
      { count: 4 },
    ]);
    expect(await rowsIn(database.url, 'select count(*)::int as count from deliveries')).toEqual([
      { count: 0 },
    ]);
    expect(await rowsIn(other.url, cases('true'))).toEqual([{ count: 0 }]);
  });

  it('S4-42 judges directly on request or if nothing answers, and names the database', async () => {
    writeFileSync(
      join(folder, 'one.json'),
      JSON.stringify({ playbook: 'scam-verdict', text: 'Tell us the OTP' }),
    );
    const nothing = { ...DIRECT(), CONSOLE_PORT: String(await freePort()) };
    for (const result of [
      await casefile(['check', 'one.json', '--direct'], DIRECT()),
      await casefile(['check', 'one.json'], nothing),
    ]) {
      expect(result.err).toContain(`the database "${new URL(other.url).pathname.slice(1)}"`);
      expect([result.code, result.out]).toEqual([0, expect.stringContaining('scam-verdict')]);
    }
    expect(await rowsIn(other.url, cases(`dataset = 'check'`))).toEqual([{ count: 2 }]);
    const wrong = await casefile(['check', 'one.json', '--console', 'http://127.0.0.1:9']);
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('nothing answers') });
  });

  it('names what is wrong with an alert, as the system says it', async () => {
    writeFileSync(join(folder, 'bad.json'), JSON.stringify({ playbook: 'scam-verdict', text: 5 }));
    const { code, err } = await casefile(['check', 'bad.json']);
    expect([code, err]).toEqual([1, expect.stringContaining('  text: ')]);
  });
});

describe('casefile eval next to a running system', () => {
  it('measures the verdicts of the system, and continues from its results', async () => {
    const labelled = [
      {
        text: 'Share your OTP and password now or your bank account is blocked',
        language: 'en',
        isScam: true,
        category: 'bank',
      },
      { text: 'See you at eight', language: 'en', isScam: false, category: null },
    ];
    writeFileSync(join(folder, 'set.jsonl'), labelled.map((one) => JSON.stringify(one)).join('\n'));
    const args = [
      'eval',
      '--playbook',
      'scam-verdict',
      '--dataset',
      'set.jsonl',
      '--results',
      'results.jsonl',
      '--json',
    ];
    const first = await casefile(args, DIRECT());
    expect([first.code, first.err]).toEqual([0, '']);
    expect(JSON.parse(first.out)).toMatchObject({ texts: 2, unfinished: 0, all: { labels: 2 } });
    const measured = `dataset = 'set.jsonl' and lane = 'batch'`;
    expect(await rowsIn(database.url, cases(measured))).toEqual([{ count: 2 }]);
    expect(await rowsIn(other.url, cases(measured))).toEqual([{ count: 0 }]);
    const labels = `select "by" from feedback join cases c on c.id = case_id where c.dataset = 'set.jsonl'`;
    expect(await rowsIn(database.url, labels)).toEqual([
      { by: 'data set set.jsonl' },
      { by: 'data set set.jsonl' },
    ]);
    const again = await casefile(args);
    expect(again.err).toContain('2 of 2 are judged already');
    expect(again.out).toBe(first.out);
    const unknown = await casefile([...args, '--strategy', 'guess']);
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('expected one of')]);
  });

  it('imports the policy next to a set, as the set needs it', async () => {
    const results = ['--results', 'policies.jsonl', '--limit', '1', '--strategy', 'heuristic', '--json'];
    const { code, out, err } = await casefile(['eval', '--playbook', 'policy-check', ...results]);
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject({ cases: 1 });
    const [policy] = await rowsIn(database.url, `select source from policy_versions`);
    expect(policy?.['source']).toContain('claims-handling.md');
  });
});

describe('casefile submit of a text that names no kind', () => {
  it('T-11 judges an outage as an incident, prints why, and dismisses nothing that it cannot read as a message', async () => {
    const outages = [
      'Checkout is down for all customers since 10:02 UTC, 500s from every gateway. P1.',
      'Basket and checkout unavailable for every shop in Norway since 07:40 UTC, 503 from the gateway. P1',
    ];
    const texts = [...outages, 'The canteen opens at noon'];
    writeFileSync(join(folder, 'texts.json'), JSON.stringify(texts.map((text) => ({ text }))));
    const { code, out, err } = await casefile(['submit', 'texts.json', '--wait', '--json'], {
      INGEST_PORT: new URL(ingestUrl).port,
    });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const verdicts = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const of = (playbook: string) => verdicts.filter((one) => one['playbook'] === playbook);
    const paged = {
      chosenBy: { rule: 'content', why: expect.stringContaining('describes an outage') },
      verdict: { disposition: 'act', outcome: { action: 'page' } },
    };
    expect(of('incident')).toMatchObject([paged, paged]);
    expect(of('scam-verdict')).toMatchObject([
      {
        chosenBy: { rule: 'order' },
        verdict: { disposition: 'review', outcome: { riskLevel: 'unconfirmed' } },
      },
    ]);
    const plain = await casefile(['submit', 'texts.json'], { INGEST_PORT: new URL(ingestUrl).port });
    expect(plain.out).toContain('incident: The text describes an outage');
  });
});
