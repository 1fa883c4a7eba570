import type { Page } from 'playwright-core';
import { graveProblems, type Looked } from './axe.js';

type Theme = 'light' | 'dark';

/** The dark theme differs from the light one in its colours alone; what is laid out is looked at in the light one. */
const LOOKS: Record<Theme, { widths: number[]; looked: Looked }> = {
  light: { widths: [1280, 390], looked: 'all' },
  dark: { widths: [1280], looked: 'colours' },
};
/** A limit for what never fits: charts are drawn anew a moment after their page has another width. */
const FITS_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 100;

/** What is wrong with the page that is shown, at every width of the theme: axe's grave findings, and that it scrolls sideways. */
export async function problemsAtWidths(page: Page, path: string, theme: Theme): Promise<string[]> {
  const problems: string[] = [];
  const { widths, looked } = LOOKS[theme];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 });
    const over = await tooWideBy(page);
    if (over > 0) problems.push(`${path} at ${width}: ${over} px too wide`);
    problems.push(...(await graveProblems(page, looked)).map((it) => `${path} at ${width}: ${it}`));
  }
  await page.setViewportSize({ width: 1280, height: 844 });
  return problems;
}

/** Pixels by which the page is wider than the window, once its charts have settled. */
export async function tooWideBy(page: Page): Promise<number> {
  const over = () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  for (let waited = 0; waited < FITS_WITHIN_MS && (await over()) > 0; waited += LOOK_EVERY_MS)
    await page.waitForTimeout(LOOK_EVERY_MS);
  return over();
}
