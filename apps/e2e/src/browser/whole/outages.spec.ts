import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { consoleService } from '@casefile/console/console';
import { CasefileError, type Condition, type ConditionList } from '@casefile/contracts';
import { temporaryFolder, until } from '@casefile/contracts/testing';
import { startRedis, type RedisServer } from '@casefile/embedded/testing';
import { startService, type RunningService } from '@casefile/runtime';
import { testDatabase, type TestDatabase } from '@casefile/store/testing';
import type { Browser } from 'playwright-core';
import { fillDisk, freeDisk } from '../../testing/full-disk.js';
import { lineTo, type Line } from '../../testing/line-to.js';
import { rowsIn, runCasefile } from '../../testing/run-casefile.js';
import { worldOn, type World } from '../../testing/world.js';
import { startChromium } from '../chromium.js';
import { openPage, type WatchedPage } from '../watched-page.js';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
/** Words that no person should read: a value that is missing, or a line of a stack trace. */
const BROKEN = /undefined|NaN|\[object|^\s+at .*:\d+/m;

let database: TestDatabase;
let line: Line;
let redis: RedisServer;
let world: World;
let service: RunningService;
let browser: Browser;
let watched: WatchedPage;

beforeAll(async () => {
  const built = spawnSync(process.execPath, ['tools/build.mjs', 'apps/dashboard'], { cwd: ROOT, encoding: 'utf8' }); // prettier-ignore
  if (built.status !== 0) throw new Error(`the dashboard cannot be built:\n${built.stdout}${built.stderr}`);
  database = await testDatabase();
  line = await lineTo(database.url);
  const folder = temporaryFolder('outages');
  redis = await startRedis({ dir: join(folder, 'redis') });
  const settings = join(folder, 'settings.yaml');
  const destinations = { oncall: { type: 'webhook', url: 'http://127.0.0.1:9/', allowPrivate: true } };
  writeFileSync(settings, JSON.stringify({ destinations }));
  world = await worldOn(line.url, redis.url, null, { CASEFILE_CONFIG: settings });
  service = await startService(consoleService, world.platform);
  await world.platform.store.providers.failed({ provider: 'openai', reasonCode: 'unreachable', openAfter: 1, openMs: 600_000, maxOpenMs: 600_000 }); // prettier-ignore
  await rowsIn(
    database.url,
    `insert into destinations (name, failing_since, last_failure_at, last_problem)
     values ('oncall', now() - interval '2 min', now() - interval '1 min', 'HTTP 500')`,
  );
  const { caseId } = await world.accept({ playbook: 'scam-verdict', text: 'Pay me', collect: false });
  await world.ended(caseId);
  browser = await startChromium();
  const { origin } = new URL(service.url);
  watched = await openPage(browser, origin, { baseURL: origin });
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
  await world?.close();
  await line?.cut();
  await redis?.kill9();
  await database?.drop();
});

const conditions = async (): Promise<Condition[]> => {
  const response = await fetch(`${service.url}/api/v1/conditions`);
  const text = await response.text();
  if (response.status === 503) throw new CasefileError('store_unreachable', text);
  return (JSON.parse(text) as ConditionList).conditions;
};
const isOpen = (id: string) => async (): Promise<boolean> =>
  (await conditions()).some((one) => one.id === id);

/** Follows a link of the navigation, so that the open page keeps what it has read. */
async function textOf(path: string, notes: readonly RegExp[]): Promise<string> {
  const { page } = watched;
  await page.evaluate(`history.pushState(null, '', '${path}')`);
  await page.getByRole('status').getByText('Problem', { exact: true }).waitFor();
  for (const note of notes) await page.getByText(note).first().waitFor();
  await until(
    'nothing is a placeholder any more',
    async () => (await page.locator('.skeleton').count()) === 0,
  );
  return page.locator('body').innerText();
}

async function statusText(): Promise<string> {
  const { code, lines, errors } = await runCasefile('status', '--console', service.url);
  expect([code, errors]).toEqual([1, []]);
  return lines.join('\n');
}

/** Checks that a text states each condition with its effect and what to do. */
function states(text: string, ids: readonly string[], all: readonly Condition[]): void {
  const plain = text.replaceAll(/\s+/g, ' ');
  expect(text).not.toMatch(BROKEN);
  for (const id of ids) {
    const { text: what, effect, act } = all.find((one) => one.id === id)!;
    // The cause after the colon is that of the last attempt, which may be a later one.
    const [first = ''] = what.split(':', 1);
    for (const said of [first, effect, act]) expect(plain).toContain(said.replaceAll(/\s+/g, ' '));
  }
}

const SERVICES = ['ingest', 'console', 'evidence-collector', 'reasoner', 'critic-writer', 'decision'];
const PARTS = [...SERVICES.map((name) => `service_absent.${name}`), 'provider_out.openai', 'destination_failing.oncall']; // prettier-ignore

interface Fault {
  ids: readonly string[];
  begin(): Promise<void>;
  end(): Promise<void>;
  notes: Record<'/' | '/cases' | '/inbox', readonly RegExp[]>;
}

const FAULTS: Record<string, Fault> = {
  // In this world, services send no heartbeats.
  'each service, the model and a receiver are out': {
    ids: PARTS,
    begin: async () => undefined,
    end: async () => undefined,
    notes: {
      '/': [/While no reasoner is running, all figures/, /While the provider openai is out, all figures/],
      '/cases': [
        /While no ingest is running, .* no case is added/,
        /While the destination oncall accepts no/,
      ],
      '/inbox': [/While no decision is running, answers are recorded/, /While the provider openai is out/],
    },
  },
  'Redis is out': {
    ids: ['queue_out', ...PARTS],
    begin: () => redis.kill9(),
    end: () => redis.restart(),
    notes: {
      '/': [/While the queue store cannot be used, the jobs that wait are not known/],
      '/cases': [/While the queue store cannot be used, this list is current/],
      '/inbox': [/While the queue store cannot be used, answers are recorded/],
    },
  },
  'the disk of Postgres is full': {
    ids: ['store_out', ...PARTS],
    begin: () => fillDisk(database.url),
    end: () => freeDisk(database.url),
    notes: {
      '/': [/While the database takes no writes, all figures are current/],
      '/cases': [/While the database takes no writes, this list is current/],
      '/inbox': [/While the database takes no writes, .* Answers cannot be recorded/],
    },
  },
  'Postgres is out': {
    ids: ['store_out', ...PARTS],
    begin: () => line.cut(),
    end: () => line.restore(),
    notes: {
      '/': [/While the database is unavailable, the figures on this page are as they were/, /Last read: /],
      '/cases': [/While the database is unavailable, this list is as it was last read/, /Last read: /],
      '/inbox': [/While the database is unavailable, this list is as it was/, /Last read: /],
    },
  },
};

describe('T-20 the console and casefile status', () => {
  beforeAll(async () => {
    for (const id of PARTS) await until(`${id} is open`, isOpen(id));
    await watched.page.goto('/');
    for (const path of ['/cases', '/inbox', '/']) await textOf(path, []);
  });

  it.each(Object.entries(FAULTS))(
    'state what is out, what still works and what to do while %s',
    async (_what, { ids, begin, end, notes }) => {
      await begin();
      try {
        for (const id of ids) await until(`${id} is open`, isOpen(id));
        const all = await conditions();
        for (const [path, expected] of Object.entries(notes)) states(await textOf(path, expected), ids, all);
        states(await statusText(), ids, all);
      } finally {
        await end();
      }
      for (const id of ids.filter((one) => !PARTS.includes(one)))
        await until(`${id} is closed`, async () => !(await isOpen(id)()));
      expect(watched.offences).toEqual([]);
    },
  );

  it('state it on a page that was opened during the outage, with no empty frame', async () => {
    await line.cut();
    try {
      await until('the outage is known', isOpen('store_out'));
      for (const [path, what] of [
        ['/', 'The figures could not be read'],
        ['/cases', 'The cases could not be read'],
        ['/inbox', 'The inbox could not be read'],
      ] as const) {
        await watched.page.goto(path);
        const text = await textOf(path, [new RegExp(what)]);
        expect(text).toMatch(/The database does not answer/);
        expect(text).toContain('Start the database of DATABASE_URL');
        expect(text).not.toMatch(BROKEN);
      }
    } finally {
      await line.restore();
    }
  });
});
