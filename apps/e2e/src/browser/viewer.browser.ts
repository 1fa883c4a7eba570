import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Role, SignInState } from '@casefile/contracts';
import { startService, type RunningService } from '@casefile/runtime';
import type { Browser } from 'playwright-core';
import { consoleForRoles, ROLE } from '../testing/console-for-roles.js';
import { plantedRecord, PLANTED, plantedWord, type PlantedRecord } from '../testing/planted-cases.js';
import { startChromium } from './chromium.js';
import { openPage } from './watched-page.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

let record: PlantedRecord;
let service: RunningService;
let browser: Browser;

/** Opens a page with a role. The header replaces a session, so the page learns from this route who is signed in. */
async function openAs(role: Role) {
  const { origin } = new URL(service.url);
  const opened = await openPage(browser, origin, { baseURL: origin, extraHTTPHeaders: { [ROLE]: role } });
  const json: SignInState = { required: true, person: { name: 'test', role, source: 'key' }, ways: ['key'] };
  await opened.page.route('**/auth/session', (route) => route.fulfill({ json }));
  return opened;
}

/** Tests what a viewer and a reviewer see of cases of these kinds. */
export function showsByRole(kinds: readonly string[]): void {
  beforeAll(async () => {
    const built = spawnSync(process.execPath, ['tools/build.mjs', 'apps/dashboard'], { cwd: ROOT });
    expect(built.status).toBe(0);
    [record, browser] = await Promise.all([plantedRecord(), startChromium()]);
    service = await startService(consoleForRoles(), record.world.platform);
  }, 300_000);
  afterAll(async () => {
    await browser.close();
    await service.close();
    await record.close();
  });

  it.each(kinds)('S2-21 show a case of %s with its verdict, and what needs another role', async (kind) => {
    const { page, offences, close } = await openAs('viewer');
    await page.goto(`/cases/${record.cases[kind]}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByText('What the alert says needs the role reviewer.').waitFor();
    expect(await page.getByRole('region', { name: 'The verdict' }).innerText()).not.toBe('');
    await page.goto(`/cases/${record.cases[kind]}?tab=trace`);
    const calls = page.getByText('The exchange with the model needs the role reviewer.');
    await calls.first().waitFor();
    expect(await page.getByText('This part of the record cannot be shown.').count()).toBe(0);
    await page.goto(`/cases/${record.cases[kind]}#triage-1`);
    await page.getByText('The brief needs the role reviewer.').first().waitFor();
    expect(offences).toEqual([]);
    await close();
  });

  it('S2-21 list the cases and the review desk without words of messages', async () => {
    const { page, offences, close } = await openAs('viewer');
    for (const path of ['/cases', '/inbox']) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page.getByText('scam-verdict').first().waitFor({ state: 'attached' });
      expect(await page.content()).not.toContain(PLANTED);
    }
    expect(offences).toEqual([]);
    await close();
  });

  it('S2-21 show the message and the reasoning to a reviewer', async () => {
    const { page, offences, close } = await openAs('reviewer');
    await page.goto(`/cases/${record.cases['scam-verdict']}?tab=trace`);
    await page.getByText(plantedWord('reasoning')).first().waitFor();
    await page.goto(`/cases/${record.cases['scam-verdict']}`);
    await page.locator('blockquote').getByText(plantedWord('text')).first().waitFor();
    expect(await page.getByText('needs the role reviewer').count()).toBe(0);
    expect(offences).toEqual([]);
    await close();
  });
}
