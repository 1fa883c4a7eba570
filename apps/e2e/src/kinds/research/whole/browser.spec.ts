import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import type { Browser } from 'playwright-core';
import { FIRST_DRAFT, LAST_DRAFT, PAGES, QUESTION, researchModel } from '../../../testing/research-model.js';
import { graveProblems } from '../../../browser/axe.js';
import { startChromium } from '../../../browser/chromium.js';
import { consoleWorld, type ConsoleWorld } from '../../../browser/console-world.js';
import { openPage, type WatchedPage } from '../../../browser/watched-page.js';

// A citation is a link with its id alone.
const withLinks = (draft: string) => draft.replaceAll(/\[(E\d+)\]/g, '$1');

describe('a research in the dashboard', () => {
  let [world, browser, watched]: [ConsoleWorld, Browser, WatchedPage] = [] as never;
  const model = researchModel();
  beforeAll(async () => {
    const folder = temporaryFolder('research-page');
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

  it('S5-25 submitted by hand it asks back, waits, and continues with the reading that is chosen', async () => {
    const { page } = watched;
    await page.goto('/cases/new');
    await page.getByLabel('Kind').selectOption('research');
    await page.getByLabel('Question').fill(QUESTION.query);
    await page.getByLabel('Search results').fill(JSON.stringify(QUESTION.items));
    expect(await page.getByLabel('Ask for clarification on the case page').isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Submit' }).click();
    const asks = page.getByRole('region', { name: 'Question' });
    await asks.getByText('您問的是哪一年？').waitFor();
    await page.getByText('The run waits for an answer to its question.').waitFor();
    expect(await asks.getByRole('button').allInnerTexts()).toEqual(['照原題查證', '2025年', '2024年']);
    expect(await graveProblems(page)).toEqual([]);
    await asks.getByRole('button', { name: '2025年' }).click();
    await asks.getByText('console chose “2025年”.').waitFor();
    await page.getByText('Its asker chose the reading “2025年”.').waitFor();
  });

  it('S2-32 waits for a budget that is used up, and continues where it stopped when it is raised in the page', async () => {
    const { page } = watched;
    const { budgets } = world.platform.config.settings;
    budgets.playbook['research'] = { tokens: 6_200, soft: 0.8 };
    const { caseId } = await world.accept({ playbook: 'research', payload: QUESTION });
    await page.goto(`/cases/${caseId}`);
    const trouble = page.getByRole('status').filter({ hasText: 'Parked' });
    await trouble.getByLabel('Raise it by tokens').fill('50000');
    expect(await graveProblems(page)).toEqual([]);
    await trouble.getByRole('button', { name: 'Raise and continue' }).click();
    await page.getByText('The budget is raised; the run continues').waitFor();
    expect((await world.ended(caseId)).runs[0]?.verdict?.disposition).toBe('act');
    delete budgets.playbook['research'];
  });

  it('S5-60 shows rounds side by side with what changed, and opens each citation at its words', async () => {
    const { page, offences } = watched;
    const card = page.getByRole('region', { name: 'Research', exact: true });
    const rounds = card.getByRole('group', { name: 'Rounds side by side' });
    const round = (n: number) => rounds.getByRole('article', { name: `Round ${n}` });
    await round(1).getByText('Searched for: 住宅用電 級距').waitFor();
    await round(2).getByText('REJECT').waitFor();
    await round(2).getByText('沒有說到住宅用電').waitFor();
    await round(3).getByText('PASS').waitFor();
    await round(3).getByText('solved').waitFor();
    expect(await round(3).locator('ins').allInnerTexts()).toEqual([withLinks(LAST_DRAFT)]);
    expect(await round(3).locator('del').allInnerTexts()).toEqual([withLinks(FIRST_DRAFT)]);
    const sentences = card.getByRole('region', { name: 'Sentences and their sources' });
    await sentences
      .getByText('figures, dates and names of 100 % found in their sources, confidence Medium')
      .waitFor();
    await sentences.getByText('[E1]', { exact: true }).click();
    expect(await sentences.locator('mark').first().innerText()).toBe('4月起平均電價調漲3.1%。');
    expect(await graveProblems(page)).toEqual([]);

    await page.goto('/operate');
    const figures = page.getByRole('region', { name: 'Rounds' });
    await figures.getByRole('row', { name: /^research .*PASS \d+ · WARN 0 · REJECT \d+$/ }).waitFor();
    expect(await graveProblems(page)).toEqual([]);
    expect(offences).toEqual([]);
  });
});
