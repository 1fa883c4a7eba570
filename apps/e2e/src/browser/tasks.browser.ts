import type { Locator, Page } from 'playwright-core';
import { openSample, WALK_MS, type SampleStage } from './sample-stage.js';
import { openPage, type WatchedPage } from './watched-page.js';

/** Most clicks from Home to the right place of a task. */
const MOST_CLICKS = 3;

/** A task of an operator: the elements to click in order, and the element that shows that this is the right place. */
interface Task {
  name: string;
  clicks(page: Page): Locator[];
  place(page: Page): Locator;
}

const entry = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name });
const tab = (page: Page, of: string, name: string): Locator =>
  page.getByRole('navigation', { name: of, exact: true }).getByRole('link', { name });

const TASKS: readonly Task[] = [
  {
    name: 'find why a case paged',
    clicks: (page) => [
      entry(page, 'Cases'),
      page.getByRole('row').filter({ hasText: 'DiskAlmostFull' }).getByRole('link').first(),
    ],
    place: (page) => page.getByRole('article', { name: 'Why this verdict' }).getByRole('list').first(),
  },
  {
    name: 'find who changed a threshold',
    clicks: (page) => [entry(page, 'Settings'), tab(page, 'Settings', 'Audit')],
    place: (page) => page.getByRole('table', { name: 'Table of entries' }),
  },
  {
    name: 'judge the degraded cases of the night again for at most $1',
    clicks: (page) => [
      entry(page, 'Improve'),
      tab(page, 'Improve', 'Trials'),
      page.getByRole('button', { name: /^Judge .* again/ }),
    ],
    place: (page) => page.getByRole('alertdialog').getByLabel('Budget in US dollars'),
  },
  {
    name: 'add a receiver and test it',
    clicks: (page) => [
      entry(page, 'Operate'),
      tab(page, 'Operate', 'Destinations'),
      page.getByRole('button', { name: 'Add a destination' }),
    ],
    place: (page) => page.getByRole('button', { name: /test/i }).first(),
  },
  {
    name: 'try a new prompt on 20 cases',
    clicks: (page) => [entry(page, 'Improve'), page.getByRole('link', { name: 'Scam verdict' }).first()],
    place: (page) => page.getByRole('form', { name: 'New trial' }).getByLabel('What changes'),
  },
];

/** Tests how many clicks five tasks need from Home, and that j and k move over the lists of every page. */
export function takesFewClicks(stage: SampleStage): void {
  let watched: WatchedPage;
  let page: Page;
  beforeEach(async () => {
    const { browser, console: origin } = stage;
    watched = await openPage(browser, origin, { baseURL: origin });
    ({ page } = watched);
  });
  afterEach(async () => {
    expect(watched.offences).toEqual([]);
    await watched.close();
  });

  it.each(TASKS)('S2-32 $name: at most three clicks from Home', async ({ clicks, place }) => {
    await openSample(page, '/');
    const path = clicks(page);
    expect(path.length).toBeLessThanOrEqual(MOST_CLICKS);
    for (const element of path) await element.click();
    await place(page).waitFor();
  });

  it(
    'S2-32 j and k move between the rows of all lists of a page',
    async () => {
      const walked: string[] = [];
      for (const path of stage.pages) {
        await openSample(page, path);
        if ((await page.evaluate<number>(`${ROWS}.length`)) < 2) continue;
        walked.push(path);
        const focused = () => page.evaluate<number>(PLACE);
        for (const [key, at] of [
          ['j', 0],
          ['j', 1],
          ['k', 0],
          ['k', 0],
        ] as const) {
          await page.keyboard.press(key);
          expect([path, key, await focused()]).toEqual([path, key, at]);
        }
      }
      expect(walked).toEqual(expect.arrayContaining(['/improve', '/settings', '/operate/tools']));
    },
    WALK_MS,
  );
}

/** The rows of all lists of a page that are not in a closed section. */
const ROWS = `[...document.querySelectorAll('main [data-row]')].filter((row) => row.checkVisibility())`;
/** Place of the focused row among them; -1: none. */
const PLACE = `${ROWS}.indexOf(document.activeElement)`;
