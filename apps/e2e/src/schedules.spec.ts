import { until } from '@casefile/contracts/testing';
import { run } from '@casefile/cli/program';
import { memoryTerminal } from '@casefile/cli/testing/memory-terminal';
import { silentLogger, type ShownSchedule } from '@casefile/contracts';
import { consoleService } from '@casefile/console/console';
import { ScheduleDriver } from '@casefile/runtime';
import { startChromium } from './browser/chromium.js';
import { openPage } from './browser/watched-page.js';
import { launchedServices, type Launched } from './testing/launched-services.js';
import { inlineWorld, type World } from './testing/world.js';

const ALERT = { playbook: 'scam-verdict', text: 'Is this offer of Friday still a scam?' };
const KEYS = `select key from idempotency_keys where key like 'schedule %' order by key`;

describe('scheduled alerts on the record', () => {
  let world: World;
  beforeAll(async () => {
    world = await inlineWorld(null);
  });
  afterAll(() => world.close());

  it('are submitted once when two processes are both due', async () => {
    let now = Date.parse('2026-01-01T05:00:00Z');
    const { intake, store } = world.platform;
    const driver = () =>
      new ScheduleDriver({
        schedules: { daily: { cron: '0 6 * * *', timezone: 'UTC', lane: 'live', alert: ALERT } },
        states: store.schedules,
        intake,
        clock: { now: () => now },
        log: silentLogger,
      });
    const drivers = [driver(), driver()];
    const tickAll = () => Promise.all(drivers.map((one) => one.tick(new AbortController().signal)));
    await tickAll();
    now = Date.parse('2026-01-01T06:00:01Z');
    await tickAll();
    now = Date.parse('2026-01-02T06:00:01Z');
    await tickAll();
    const [state] = await store.schedules.states();
    expect(state).toMatchObject({ name: 'daily', lastDueAt: '2026-01-02T06:00:00.000Z', problem: null });
    const shown = await world.ended(state?.lastCaseId ?? '');
    expect(shown.alerts.map(({ source }) => source)).toEqual(['schedule/daily', 'schedule/daily']);
    expect(shown.runs).toHaveLength(2);
  });

  it('keep the newer state when an older one is written', async () => {
    const { schedules } = world.platform.store;
    const [state] = await schedules.states();
    await schedules.save({ ...state!, doneUntil: '2026-01-01T00:00:00.000Z', problem: 'old' });
    expect((await schedules.states())[0]).toEqual(state);
  });
});

describe('scheduled alerts', () => {
  let world: Launched;
  beforeAll(async () => {
    world = await launchedServices({
      console: consoleService,
      settings: { schedules: { often: { cron: '* * * * *', timezone: 'Asia/Tokyo', alert: ALERT } } },
      env: () => ({ LLM_PROVIDER: 'none' }),
    });
  });
  afterAll(() => world.close());

  it('open a case that API and command line name', async () => {
    const console = world.service('console').url;
    const listed = async () => {
      const answer = await fetch(`${console}/api/v1/schedules`);
      return ((await answer.json()) as { schedules: ShownSchedule[] }).schedules;
    };
    const { config, store, intake, log } = world.platform;
    const isKnown = async () => (await store.schedules.states()).length > 0;
    await until('the schedule has begun', isKnown);
    // As a process does that looks in the next minute.
    const clock = { now: () => Date.now() + 60_000 };
    const driver = new ScheduleDriver({
      schedules: config.settings.schedules,
      states: store.schedules,
      intake,
      clock,
      log,
    });
    await driver.tick(new AbortController().signal);
    await until('the schedule has run', async () => (await listed())[0]?.lastCaseId != null);
    const [often] = await listed();
    expect(often).toMatchObject({
      name: 'often',
      target: 'scam-verdict',
      timezone: 'Asia/Tokyo',
      problem: null,
    });
    const terminal = memoryTerminal();
    expect(await run(['schedules', '--console', console], terminal)).toBe(0);
    expect(terminal.lines.join('\n')).toContain(`case ${often?.lastCaseId}`);
    const keys = await world.store.database.rows<{ key: string }>(KEYS);
    expect(new Set(keys.map(({ key }) => key)).size).toBe(keys.length);
  });

  it('are on the page Schedules, each with its next time and a link to its last case', async () => {
    const { origin } = new URL(world.service('console').url);
    const browser = await startChromium();
    const { page, offences, close } = await openPage(browser, origin, { baseURL: origin });
    await page.goto('/operate/schedules');
    const row = page.getByRole('region', { name: 'Schedules' }).getByRole('row').filter({ hasText: 'often' });
    await row.getByText('alert to scam-verdict, * * * * * Asia/Tokyo').waitFor();
    expect(await row.locator('time').count()).toBe(2);
    await row.getByRole('link', { name: /^case / }).click();
    await page.getByText(ALERT.text).first().waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/cases\/[0-9a-f-]{36}$/);
    expect(offences).toEqual([]);
    await close();
    await browser.close();
  }, 300_000);
});
