import type { Page } from 'playwright-core';
import { graveProblems } from './axe.js';
import { openSample, WALK_MS, type SampleStage } from './sample-stage.js';
import { openPage, type WatchedPage } from './watched-page.js';
import { tooWideBy } from './widths.js';

/** Tests the language of the interface: that of the browser, or the chosen one. */
export function speaksLanguages(stage: SampleStage): void {
  let watched: WatchedPage;
  let page: Page;
  const open = async (locale: string): Promise<void> => {
    const { browser, console: origin } = stage;
    watched = await openPage(browser, origin, { baseURL: origin, locale });
    ({ page } = watched);
  };
  afterEach(async () => {
    expect(watched.offences).toEqual([]);
    await watched.close();
  });
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  const language = () => page.evaluate<string>('document.documentElement.lang');

  it(
    'S2-32 Home, Inbox, cases and errors are in the language of the browser, and fit the page',
    async () => {
      await open('zh-TW');
      await openSample(page, '/');
      await heading('首頁');
      expect(await language()).toBe('zh-Hant');
      const problems: string[] = [];
      for (const path of ['/', '/inbox', ...stage.cases.slice(0, 3).map((one) => one.path)]) {
        await openSample(page, path);
        problems.push(...(await graveProblems(page)).map((one) => `${path}: ${one}`));
        const over = await tooWideBy(page);
        if (over > 0) problems.push(`${path}: ${over} px too wide`);
      }
      expect(problems).toEqual([]);
      await page.goto('/cases/00000000-0000-7000-8000-000000000000');
      await heading('沒有此編號的案件');
      await page.route('**/api/v1/inbox', (route) => route.fulfill({ status: 503, json: { title: 'out' } }));
      await page.goto('/inbox');
      await page.getByRole('alert').getByText('服務暫時無法使用：out').waitFor();
    },
    WALK_MS,
  );

  it('S2-32 the language can be chosen, and English loads no other file of strings', async () => {
    await open('en-GB');
    const loaded: string[] = [];
    page.on('request', (request) => void loaded.push(request.url()));
    await openSample(page, '/');
    await heading('Home');
    const translations = () => loaded.filter((url) => url.includes('zh-hant')).length;
    expect([await language(), translations()]).toEqual(['en', 0]);
    await page.getByRole('button', { name: 'Theme, language and time zone' }).click();
    await page.getByRole('radio', { name: '繁體中文' }).click();
    await heading('首頁');
    expect([await language(), translations()]).toEqual(['zh-Hant', 1]);
    await page.reload();
    await heading('首頁');
    await page.getByRole('button', { name: '佈景主題、語言與時區' }).click();
    await page.getByRole('radio', { name: 'English' }).click();
    await heading('Home');
  });
}
