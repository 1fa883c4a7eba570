import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Response } from 'playwright-core';
import type { Stage } from './stage.js';

/**
 * Maximum transfer size of the first view, in bytes: all files that it loads, fonts included. Data is left out, because
 * a page that loads slowly reads it more often.
 */
const MOST_FOR_FIRST_VIEW = 130_000;
/** Maximum transfer size of what the page of a case loads besides, in bytes. */
const MOST_FOR_A_CASE = 90_000;
/** Maximum size of any other part, in bytes, such as the script of a page. */
const MOST_FOR_A_PART = 100_000;
const ASSETS = fileURLToPath(new URL('../../../dashboard/dist/assets/', import.meta.url));

/** Tests the transfer size of the dashboard, as the console serves it. */
export function isLight(stage: Stage): void {
  it('S2-32 brings the first view compressed and in under 130 kB, and leaves the event stream as it is', async () => {
    const context = await stage.browser.newContext();
    context.setDefaultTimeout(100_000);
    const page = await context.newPage();
    const responses: Response[] = [];
    page.on('response', (response) => void responses.push(response));
    await page.goto(stage.origin);
    await page.getByRole('img', { name: /^Waiting to be judged/ }).waitFor();
    // Problem: updates arrive, and a condition of this world is an error.
    await page
      .getByRole('status')
      .getByText(/^(Live|Problem)$/)
      .waitFor();
    const streams = responses.filter((it) => it.url().includes('/api/v1/events'));
    const rest = responses.filter((it) => !streams.includes(it));
    const first = await Promise.all(rest.map(weigh));
    const plain = first.filter(({ encoding, bytes }) => encoding === null && bytes > 1_500);
    expect(plain).toEqual([]);
    const asBrowserGets = ['script', 'stylesheet', 'fetch'].map((type) =>
      first.some((it) => it.type === type && it.encoding !== null),
    );
    expect(asBrowserGets).toEqual([true, true, true]);
    expect(await Promise.all(streams.map((it) => it.headerValue('content-encoding')))).toEqual([null]);
    const files = first.filter(({ url }) => !new URL(url).pathname.startsWith('/api/'));
    expect(files.length).toBeGreaterThan(10);
    expect(sizeOf(files)).toBeLessThan(MOST_FOR_FIRST_VIEW);
    const { caseId } = await stage.world.accept({
      playbook: 'scam-verdict',
      text: 'Pay now',
      collect: false,
    });
    await stage.world.ended(caseId);
    responses.length = 0;
    await page.goto(`${stage.origin}/cases/${caseId}`);
    await page.getByRole('article', { name: 'Why this verdict' }).waitFor();
    const known = new Set(files.map(({ url }) => url));
    const assets = responses.filter((it) => it.url().includes('/assets/') && !known.has(it.url()));
    expect(sizeOf(await Promise.all(assets.map(weigh)))).toBeLessThan(MOST_FOR_A_CASE);
    await context.close();
  });

  it('S2-32 has no part over 100 kB compressed', () => {
    const heavy = readdirSync(ASSETS)
      .map((name) => ({ name, bytes: gzipSync(readFileSync(join(ASSETS, name))).length }))
      .filter(({ bytes }) => bytes > MOST_FOR_A_PART);
    expect(heavy).toEqual([]);
  });
}

function sizeOf(files: readonly { bytes: number }[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

async function weigh(response: Response) {
  await response.finished();
  const { responseBodySize } = await response.request().sizes();
  return {
    url: response.url(),
    type: response.request().resourceType(),
    encoding: await response.headerValue('content-encoding'),
    bytes: responseBodySize,
  };
}
