import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { consoleService } from '@casefile/console/console';
import { criticWriter } from '@casefile/critic-writer/critic-writer';
import { decision } from '@casefile/decision/decision';
import { evidenceCollector } from '@casefile/evidence-collector/evidence-collector';
import { ingest } from '@casefile/ingest/ingest';
import { reasoner } from '@casefile/reasoner/reasoner';
import { launch, readConfig, type RunningProcess } from '@casefile/runtime';
import { testDatabase, type TestDatabase } from '@casefile/store/testing';
import { rowsIn } from './testing/run-casefile.js';
import { testEnvironment } from './testing/world.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const REPORTS = 'entityType,entityValue,reportCount,riskScore\nphone,+14155550123,3,80\n';
const RUNBOOK = '---\nalerts: [DiskFull]\n---\n# Full disk\n';

/** A system, and the command in another folder with another environment, as in a second shell. */
let system: RunningProcess;
let database: TestDatabase;
let other: TestDatabase;
let folder: string;
let consoleUrl: string;

beforeAll(async () => {
  [database, other] = await Promise.all([testDatabase(), testDatabase()]);
  folder = mkdtempSync(join(tmpdir(), 'casefile-second-shell-'));
  const env = { DATABASE_URL: database.url, QUEUE_URL: database.url, CASEFILE_DATA: folder };
  const services = [consoleService, ingest, evidenceCollector, reasoner, criticWriter, decision];
  system = await launch(services, readConfig(testEnvironment(env)));
  consoleUrl = system.services.find(({ name }) => name === 'console')?.url ?? '';
  writeFileSync(join(folder, 'reports.csv'), REPORTS);
  writeFileSync(join(folder, 'wrong.csv'), REPORTS.replace('80', 'high'));
  writeFileSync(join(folder, 'disk.md'), RUNBOOK);
});
afterAll(async () => {
  await system.stop();
  rmSync(folder, { recursive: true });
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

describe('casefile import beside a running system', () => {
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
    expect(again.out).toBe('unchanged disk version 1\n');
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

  it('works directly where it is told to, and names the database without its password', async () => {
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
