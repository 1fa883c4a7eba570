// Prints the height and the compressed size of each page of a running console, and takes pictures for the docs.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { CaseList } from '@casefile/contracts';
import { startChromium } from '@casefile/e2e/browser/chromium';

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:3000' },
    /** Folder for a picture of each entry of the menu. Default: none is taken. */
    pictures: { type: 'string' },
  },
});
const WINDOW = { width: 1280, height: 900 };
/** Addresses of pages. Those with a name are entries of the menu, of which a picture is taken. */
const PAGES: readonly (readonly [path: string, name?: string])[] = [
  ['/', 'home'],
  ['/inbox', 'inbox'],
  ['/cases', 'cases'],
  ['/cases/new'],
  ['/operate', 'operate'],
  ['/operate/cost'],
  ['/operate/tools'],
  ['/operate/destinations'],
  ['/improve', 'improve'],
  ['/improve/trials'],
  ['/settings', 'settings'],
  ['/settings/audit'],
];

const browser = await startChromium();
const { cases } = (await (await fetch(`${values.url}/api/v1/cases?limit=100`)).json()) as CaseList;
const kinds = [...new Map(cases.map(({ playbook, caseId }) => [playbook, caseId]))];
if (values.pictures !== undefined) mkdirSync(values.pictures, { recursive: true });
console.log('page'.padEnd(52), 'height px'.padStart(10), 'kB'.padStart(8), 'files'.padStart(6));
for (const [path, name] of [...PAGES, ...kinds.map(([, caseId]) => [`/cases/${caseId}`] as const)]) {
  // A new context has no cache, so that everything is counted that the page loads.
  const context = await browser.newContext({ viewport: WINDOW, locale: 'en-GB', deviceScaleFactor: 1 });
  const page = await context.newPage();
  const sizes: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    if (!new URL(request.url()).pathname.startsWith('/api/'))
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  await page.goto(`${values.url}${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('main .skeleton').first().waitFor({ state: 'detached' });
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  console.log(
    path.padEnd(52),
    String(height).padStart(10),
    (bytes / 1000).toFixed(1).padStart(8),
    String(sizes.length).padStart(6),
  );
  if (values.pictures !== undefined && name !== undefined)
    await page.screenshot({ path: join(values.pictures, `${name}.png`) });
  await context.close();
}
await browser.close();
