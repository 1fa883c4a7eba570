import { openPage } from './watched-page.js';
import type { Stage } from './stage.js';
import { WALK_MS } from './sample-stage.js';
import { problemsAtWidths } from './widths.js';

/** Tests that every page is accessible in these themes. */
export function isAccessible(stage: Stage, themes: ('light' | 'dark')[]): void {
  let caseId: string;
  beforeAll(async () => {
    const alert = {
      playbook: 'scam-verdict',
      text: 'Pay now at https://parcel-fee.example or call +1 650 253 0000',
    };
    ({ caseId } = await stage.world.accept(alert));
    await stage.world.ended(caseId);
  });

  it.each(themes)(
    'S2-32 has nothing that axe calls serious or critical on any page in the %s theme, nor scrolls sideways',
    async (colorScheme) => {
      const { page, offences, close } = await openPage(stage.browser, stage.origin, {
        baseURL: stage.origin,
        colorScheme,
      });
      const problems: string[] = [];
      for (const path of [
        '/',
        '/cases',
        `/cases/${caseId}`,
        '/dead-letters',
        '/submit',
        '/docs',
        '/board',
        '/destinations',
        '/experiments',
        '/engagements',
        '/batches',
        '/audit',
        '/access',
      ]) {
        await page.goto(path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.getByText('Simulator', { exact: true }).waitFor();
        problems.push(...(await problemsAtWidths(page, path, colorScheme)));
      }
      expect(problems).toEqual([]);
      expect(offences).toEqual([]);
      await close();
    },
    WALK_MS,
  );
}
