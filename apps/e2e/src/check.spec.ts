import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ShownCase } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import { startingSet } from '@casefile/runtime';
import { testDatabase, type TestDatabase } from '@casefile/store/testing';
import { rowsIn, runCasefile } from './testing/run-casefile.js';
import { realWorld } from './testing/world.js';

const ALERTS = [
  {
    playbook: 'scam-verdict',
    text: 'Your account is blocked. Call +1 555 010 4477 now and tell us the OTP.',
  },
  {
    playbook: 'incident',
    payload: { alert: { status: 'firing', labels: { alertname: 'DiskFull', severity: 'critical' } } },
  },
];

describe('casefile check', () => {
  let database: TestDatabase;
  let dir: string;
  const savedEnv = { ...process.env };
  beforeAll(async () => {
    database = await testDatabase();
    dir = temporaryFolder('check');
    Object.assign(process.env, {
      DATABASE_URL: database.url,
      QUEUE_URL: database.url,
      CASEFILE_DATA: dir,
      LOG_LEVEL: 'error',
      LLM_PROVIDER: 'none',
      RDAP_BASE_URL: 'off',
    });
    writeFileSync(join(dir, 'alerts.json'), JSON.stringify(ALERTS));
    writeFileSync(join(dir, 'wrong.json'), JSON.stringify({ playbook: 'scam-verdict', text: 5 }));
  });
  afterAll(async () => {
    process.env = savedEnv;
    await database.drop();
  });

  it('S4-42 judges alerts with nothing running, as the services do, and hands nothing out', async () => {
    const { code, lines, errors } = await runCasefile(
      'check',
      join(dir, 'alerts.json'),
      '--direct',
      '--json',
    );
    expect([code, errors]).toEqual([
      0,
      [expect.stringContaining('judging in this process, with the database')],
    ]);
    const checked = lines.map((line) => (JSON.parse(line) as ShownCase).runs[0]!);
    const world = await realWorld('inline', null, { LOG_LEVEL: 'error' });
    await world.platform.knowledge.seed(await startingSet());
    for (const [i, alert] of ALERTS.entries()) {
      const { caseId } = await world.accept(alert);
      const [run] = (await world.ended(caseId)).runs;
      const { decidedAt: _, ...expected } = run!.verdict!;
      const { decidedAt: _at, ...verdict } = checked[i]!.verdict!;
      expect(verdict).toEqual(expected);
    }
    await world.close();
    const [counts] = await rowsIn(
      database.url,
      `select count(*)::int as cases, (select count(*)::int from deliveries) as deliveries from cases where dataset = 'check'`,
    );
    expect(counts).toEqual({ cases: 2, deliveries: 0 });
  });

  it('S4-42 shows people the case with its report, and names what is wrong with an alert', async () => {
    const { code, lines } = await runCasefile('check', join(dir, 'alerts.json'), '--direct');
    expect(code).toBe(0);
    expect(lines.join('\n')).toContain('Page: DiskFull');
    const wrong = await runCasefile('check', join(dir, 'wrong.json'), '--direct');
    expect([wrong.code, wrong.errors.join('\n')]).toEqual([1, expect.stringContaining('text')]);
  });
});
