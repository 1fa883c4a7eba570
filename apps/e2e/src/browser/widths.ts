import type { Page } from 'playwright-core';
import { graveProblems, type Looked } from './axe.js';

type Theme = 'light' | 'dark';

/** The dark theme differs from the light one only in its colours, so layout is checked in the light one. */
const LOOKS: Record<Theme, { widths: number[]; looked: Looked }> = {
  light: { widths: [1280, 390], looked: 'all' },
  dark: { widths: [1280], looked: 'colours' },
};
/** Timeout for the layout: charts are redrawn a moment after the page's width changes. */
const FITS_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 100;

/**
 * Returns the problems of the current page at every width of the theme: axe's severe findings, and horizontal
 * scrolling.
 */
export async function problemsAtWidths(page: Page, path: string, theme: Theme): Promise<string[]> {
  const problems: string[] = [];
  const { widths, looked } = LOOKS[theme];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 });
    const over = await tooWideBy(page);
    if (over > 0) problems.push(`${path} at ${width}: ${over} px too wide`);
    // Fixed bars hide parts of what is scrolled below them, and axe calls those parts too small.
    await page.evaluate('scrollTo(0, 0)');
    problems.push(...(await graveProblems(page, looked)).map((it) => `${path} at ${width}: ${it}`));
  }
  await page.setViewportSize({ width: 1280, height: 844 });
  return problems;
}

/** Returns the pixels by which the page is wider than the window, after its charts are drawn. */
export async function tooWideBy(page: Page): Promise<number> {
  const over = () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  for (let waited = 0; waited < FITS_WITHIN_MS && (await over()) > 0; waited += LOOK_EVERY_MS)
    await page.waitForTimeout(LOOK_EVERY_MS);
  return over();
}
