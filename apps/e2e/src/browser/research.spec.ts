import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { PAGES, QUESTION, researchModel } from '../testing/research-model.js';
import { graveProblems } from './axe.js';
import { startChromium } from './chromium.js';
import { consoleWorld, type ConsoleWorld } from './console-world.js';
import { openPage, type WatchedPage } from './watched-page.js';

describe('a research in the dashboard', () => {
  let [world, browser, watched]: [ConsoleWorld, Browser, WatchedPage] = [] as never;
  const model = researchModel();
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'casefile-research-page-'));
    const [config, pages] = [join(folder, 'config.yaml'), join(folder, 'pages.json')];
    writeFileSync(pages, JSON.stringify(PAGES));
    writeFileSync(config, `evidence: { pages: '${pages}' }\n`);
    [world, browser] = await Promise.all([consoleWorld(model, { CASEFILE_CONFIG: config }), startChromium()]);
    const origin = new URL(world.consoleUrl).origin;
    watched = await openPage(browser, origin, { baseURL: origin });
  }, 400_000);
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });

  it('S5-25 submitted by hand it asks back, waits, and goes on with the reading that is chosen', async () => {
    const { page } = watched;
    await page.goto('/submit');
    await page.getByLabel('Playbook').selectOption('research');
    await page.getByLabel('Payload (JSON)').fill(JSON.stringify(QUESTION));
    expect(await page.getByLabel('Ask back on the page of the case').isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Submit' }).click();
    const asks = page.getByRole('region', { name: 'The run asks' });
    await asks.getByText('您問的是哪一年？').waitFor();
    await page.getByText('The run waits for an answer to what it asks.').waitFor();
    expect(await asks.getByRole('button').allInnerTexts()).toEqual(['照原題查證', '2025年', '2024年']);
    expect(await graveProblems(page)).toEqual([]);
    await asks.getByRole('button', { name: '2025年' }).click();
    await asks.getByText('console chose “2025年”.').waitFor();
    await page.getByText('Its asker chose the reading “2025年”.').waitFor();
  });

  it('S2-32 waits for a budget that is used up, and goes on where it stopped when it is raised in the page', async () => {
    const { page } = watched;
    const { budgets } = world.platform.config.settings;
    budgets.playbook['research'] = { tokens: 6_200, soft: 0.8 };
    const { caseId } = await world.platform.intake.accept({ playbook: 'research', payload: QUESTION });
    await page.goto(`/cases/${caseId}`);
    const trouble = page.getByRole('status').filter({ hasText: 'Parked' });
    await trouble.getByLabel('Raise it by tokens').fill('50000');
    expect(await graveProblems(page)).toEqual([]);
    await trouble.getByRole('button', { name: 'Raise and go on' }).click();
    await page.getByText('The budget is raised; the run goes on').waitFor();
    expect((await world.ended(caseId)).runs[0]?.verdict?.disposition).toBe('act');
    delete budgets.playbook['research'];
  });
});
