import { openPage } from './watched-page.js';
import type { Stage } from './stage.js';
import { WALK_MS } from './sample-stage.js';
import { problemsAtWidths, type Look } from './widths.js';

/** Pages besides those of cases. */
const PAGES = [
  '/',
  '/cases',
  '/inbox',
  '/inbox?type=letter',
  '/cases/new',
  '/docs',
  '/operate',
  '/operate/queues',
  '/operate/cost',
  '/operate/destinations',
  '/operate/schedules',
  '/improve/trials',
  '/inbox?type=engagement',
  '/settings/audit',
  '/settings/people',
];

/** Tests that the page of a case and these pages are accessible in these looks. */
export function isAccessible(stage: Stage, looks: Look[], pages: readonly string[] = PAGES): void {
  let caseId: string;
  beforeAll(async () => {
    const alert = {
      playbook: 'scam-verdict',
      text: 'Pay now at https://parcel-fee.example or call +1 650 253 0000',
    };
    ({ caseId } = await stage.world.accept(alert));
    await stage.world.ended(caseId);
  });

  it.each(looks)(
    `S2-32 has nothing that axe calls serious or critical on ${pages.length + 1} pages in the look %s, nor scrolls sideways`,
    async (look) => {
      const { page, offences, close } = await openPage(stage.browser, stage.origin, {
        baseURL: stage.origin,
        colorScheme: look === 'dark' ? 'dark' : 'light',
      });
      const problems: string[] = [];
      for (const path of [`/cases/${caseId}`, ...pages]) {
        await page.goto(path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.getByText('Simulator', { exact: true }).waitFor();
        problems.push(...(await problemsAtWidths(page, path, look)));
      }
      expect(problems).toEqual([]);
      expect(offences).toEqual([]);
      await close();
    },
    WALK_MS,
  );
}
