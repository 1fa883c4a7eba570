import { openPage, type WatchedPage } from './watched-page.js';
import type { Stage } from './stage.js';

/** Tests the search in the documentation. The watched page reports violations of the content security policy. */
export function isSearchable(stage: Stage): void {
  let watched: WatchedPage;
  beforeEach(async () => {
    watched = await openPage(stage.browser, stage.origin, { baseURL: stage.origin });
  });
  afterEach(async () => {
    expect(watched.offences).toEqual([]);
    await watched.close();
  });

  it('S2-32 finds a section by keys alone, and shows it', async () => {
    const { page } = watched;
    await page.goto('/docs/use/console');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('degraded verdicts');
    const first = page.getByRole('search').getByRole('link').first();
    await first.waitFor();
    expect(await first.innerText()).toBe('Glossary: Degraded verdicts');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/reference/glossary#degraded-verdicts');
    await page.getByRole('heading', { name: 'Degraded verdicts' }).waitFor();

    await page.getByRole('searchbox').fill('lane');
    await page.getByRole('searchbox').press('Tab');
    await page.getByRole('search').getByRole('link', { name: 'Glossary: lane' }).press('Enter');
    await page.waitForURL('**/docs/reference/glossary#lane');
    expect(await page.getByRole('searchbox').inputValue()).toBe('');
  });

  it('S2-32 finds sections of the documentation by Ctrl-K', async () => {
    const { page } = watched;
    await page.goto('/docs');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('degraded verdicts');
    await page.getByRole('option', { name: 'Glossary: Degraded verdicts' }).click();
    await page.waitForURL('**/docs/reference/glossary#degraded-verdicts');
  });
}
