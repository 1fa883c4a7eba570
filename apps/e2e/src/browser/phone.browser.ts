import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { openSample, WALK_MS, type SampleStage } from './sample-stage.js';
import { openPage, type WatchedPage } from './watched-page.js';
import { tooWideBy } from './widths.js';

const PHONE = { width: 390, height: 844 };
const APP = new URL('../../../dashboard/src/app.tsx', import.meta.url);
/** Maximum number of entries in the bar. */
const MOST_ENTRIES = 6;

/** Tests every page on a phone. */
export function fitsPhones(stage: SampleStage): void {
  let watched: WatchedPage;
  let page: Page;
  beforeEach(async () => {
    const { browser, console: origin } = stage;
    watched = await openPage(browser, origin, { baseURL: origin, viewport: PHONE });
    ({ page } = watched);
  });
  afterEach(async () => {
    expect(watched.offences).toEqual([]);
    await watched.close();
  });

  it(
    'S2-32 every page fits 390 px, and every entry of the bar lies within it',
    async () => {
      const problems: string[] = [];
      for (const path of stage.pages) {
        await openSample(page, path);
        const over = await tooWideBy(page);
        if (over > 0) problems.push(`${path}: ${over} px too wide`);
        problems.push(...(await page.evaluate<string[]>(barProblems())).map((it) => `${path}: ${it}`));
      }
      expect(problems).toEqual([]);
    },
    WALK_MS,
  );

  it('S2-32 the pages that are walked are all routes of the dashboard', () => {
    const routes = [...readFileSync(APP, 'utf8').matchAll(/<Route path="([^"]+)"/g)].map(([, path]) => path!);
    expect(routes.length).toBeGreaterThan(10);
    const isWalked = (route: string) => {
      const form = new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}$`);
      return stage.pages.some((path) => form.test(path.split('?')[0]!));
    };
    expect(routes.filter((route) => !isWalked(route))).toEqual([]);
  });

  it('S2-32 the bar leads to the entries of the side bar, and tabs lead to their pages', async () => {
    await openSample(page, '/');
    const links = () => page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    const inBar = await links().evaluateAll(HREFS);
    expect(inBar).toHaveLength(MOST_ENTRIES);
    await links().filter({ hasText: 'Operate' }).click();
    await page.getByRole('navigation', { name: 'Operate' }).getByRole('link', { name: 'Tools' }).click();
    await page.getByRole('heading', { level: 1, name: 'Tools' }).waitFor();
    await page.setViewportSize({ width: 1280, height: 844 });
    expect(await links().evaluateAll(HREFS)).toEqual(inBar);
  });

  it('S2-32 earlier addresses lead to the present pages', async () => {
    for (const [from, to] of [
      ['/review?q=parcel', '/inbox?type=review&q=parcel'],
      ['/dead-letters', '/inbox?type=letter'],
      ['/destinations#silences', '/operate/destinations#silences'],
      ['/configuration?q=budgets', '/settings?q=budgets'],
    ] as const) {
      await openSample(page, from);
      const { pathname, search, hash } = new URL(page.url());
      expect(`${pathname}${search}${hash}`).toBe(to);
    }
  });

  it('S2-32 the search finds a page, a setting and a case from any page, by keyboard', async () => {
    // The search is loaded when it is first opened: what is typed before its field is there is lost.
    const field = page.getByRole('combobox', { name: 'Find a page, a case, a setting, an act or help' });
    await openSample(page, '/operate');
    for (const [words, name] of [
      ['receiver', 'Destinations'],
      ['lease sec', 'Configuration'],
    ] as const) {
      await page.keyboard.press('Control+k');
      await field.pressSequentially(words);
      await page.getByRole('listbox', { name: 'Results' }).getByRole('option').first().waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name }).waitFor();
    }
    await page.keyboard.press('Control+k');
    await field.pressSequentially('vier Uhr');
    await page.getByRole('option').filter({ hasText: 'Cases' }).first().click();
    await page.waitForURL(/\/cases\/[0-9a-f-]{36}$/);
  });

  it('S2-32 the banner of the demonstration is one line, and stays unfolded once it was unfolded', async () => {
    await openSample(page, '/');
    const text = page.locator('#demonstration');
    const lines = async () => Math.round(((await text.boundingBox())?.height ?? 0) / 19.5);
    expect(await lines()).toBe(1);
    await page.getByRole('button', { name: 'More about the demonstration' }).click();
    await text.getByText('written by hand').waitFor();
    await page.reload();
    await text.getByText('written by hand').waitFor();
  });
}

const HREFS = (links: { getAttribute(name: string): string | null }[]) =>
  links.map((link) => link.getAttribute('href'));

// Returns the entries that match `selector` and are not within the window.
function outside(selector: string): string {
  return `[...document.querySelectorAll('${selector}')]
    .filter((entry) => {
      const { left, right, top, bottom } = entry.getBoundingClientRect();
      return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
    })
    .map((entry) => entry.textContent + ' is outside the window')`;
}

function barProblems(): string {
  return `(() => {
    const entries = [...document.querySelectorAll('.side > .place')];
    const names = entries.map((entry) => entry.querySelector('.place-name'));
    const cut = names.filter((name) => name.getBoundingClientRect().width > name.parentElement.clientWidth);
    return [
      ...(entries.length === 0 || entries.length > ${MOST_ENTRIES} ? [entries.length + ' entries'] : []),
      ...${outside('.side > .place')},
      ...cut.map((name) => name.textContent + ' is wider than its entry'),
    ];
  })()`;
}
