import type { Page } from 'playwright-core';
import { graveProblems, type Looked } from './axe.js';

/** Ways to view a page. `phone`: in the light theme at the width of a phone. */
export type Look = 'light' | 'dark' | 'phone';

/**
 * Widths at which axe reads the page, and those at which only its layout is checked. The dark theme differs from the
 * light one only in its colours.
 */
const LOOKS: Record<Look, { read: number; fits: readonly number[]; looked: Looked }> = {
  light: { read: 1280, fits: [390], looked: 'all' },
  phone: { read: 390, fits: [], looked: 'all' },
  dark: { read: 1280, fits: [], looked: 'colours' },
};
/** Timeout for the layout: charts are redrawn a moment after the page's width changes. */
const FITS_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 100;

/**
 * Returns the problems of the current page in this look: axe's severe findings, and horizontal scrolling.
 */
export async function problemsAtWidths(page: Page, path: string, look: Look): Promise<string[]> {
  const problems: string[] = [];
  const { read, fits, looked } = LOOKS[look];
  for (const width of [...fits, read]) {
    await page.setViewportSize({ width, height: 844 });
    const over = await tooWideBy(page);
    if (over > 0) problems.push(`${path} at ${width}: ${over} px too wide`);
  }
  // Fixed bars hide parts of what is scrolled below them, and axe calls those parts too small.
  await page.evaluate('scrollTo(0, 0)');
  problems.push(...(await graveProblems(page, looked)).map((it) => `${path} at ${read}: ${it}`));
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
