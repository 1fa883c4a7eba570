import { readFile } from 'node:fs/promises';
import { FIRST_KEY } from '@casefile/runtime';
import type { Browser } from 'playwright-core';
import { until } from '@casefile/contracts/testing';
import { graveProblems } from './axe.js';
import { startChromium } from './chromium.js';
import { consoleWorld, type ConsoleWorld } from './console-world.js';
import { openPage, type WatchedPage } from './watched-page.js';
import { problemsAtWidths } from './widths.js';

/** Time after which the page asks again for what may have changed. */
const POLLS_EVERY_MS = 5_000;

describe('the first key in a browser', () => {
  let world: ConsoleWorld;
  let browser: Browser;
  let watched: WatchedPage;
  let secret: string;
  /** Statuses of the reads of the API since the key exists, by path. */
  const reads: { path: string; status: number }[] = [];
  const card = () => watched.page.getByRole('region', { name: 'New key' });
  const signInHeading = () => watched.page.getByRole('heading', { name: 'Sign in to Casefile' });
  const person = () => watched.page.getByRole('button', { name: 'Signed in as ann, role admin' });

  beforeAll(async () => {
    [world, browser] = await Promise.all([consoleWorld(null), startChromium()]);
    const origin = new URL(world.consoleUrl).origin;
    watched = await openPage(browser, origin, { baseURL: origin });
    await watched.page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  });
  afterAll(async () => {
    await watched?.close();
    await browser?.close();
    await world?.close();
  });

  it('S2-21 stays on the page after the console requires a proof, and signs its creator in', async () => {
    const { page } = watched;
    await page.clock.install();
    await page.goto('/settings/people');
    await page.getByLabel('Name').fill('ann');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await card().waitFor();
    secret = await card().locator('code').innerText();
    expect(secret).toMatch(/^cf_/);
    await until('the console requires a proof', async () => {
      const response = await fetch(`${world.consoleUrl}/api/v1/me`);
      return response.status === 401;
    });
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.startsWith('/api/v1/')) reads.push({ path: pathname, status: response.status() });
    });
    // More than one poll of the same read.
    const polls = () => reads.filter(({ path }) => path === '/api/v1/conditions').length;
    const isRefused = () => reads.some(({ status }) => status === 401);
    await until('the page has polled', async () => {
      await page.clock.fastForward(POLLS_EVERY_MS);
      return polls() >= 3 || isRefused();
    });
    expect(reads.filter(({ status }) => status >= 400)).toEqual([]);
    await person().waitFor();
    expect(await signInHeading().count()).toBe(0);
    expect(await card().locator('code').innerText()).toBe(secret);
    await card().getByText('You are signed in with this key.').waitFor();
    expect(await graveProblems(page)).toEqual([]);
  });

  it('S2-21 is copied and downloaded, stays on other pages, and is closed by its creator alone', async () => {
    const { page } = watched;
    await card().getByRole('button', { name: 'Copy the key' }).click();
    await card().getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      card().getByRole('button', { name: 'Download the key' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^casefile-key-\w+\.txt$/);
    expect(await readFile(await file.path(), 'utf8')).toBe(`${secret}\n`);
    const pages = page.getByRole('navigation', { name: 'Pages' });
    await pages.getByRole('link', { name: 'Cases', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Cases' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await card().locator('code').innerText()).toBe(secret);
    await pages.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByRole('link', { name: 'People and keys' }).click();
    await card().getByRole('button', { name: 'Close' }).click();
    await card().waitFor({ state: 'detached' });
    expect(await page.getByText(secret).count()).toBe(0);
  });

  it('S2-21 lets its creator continue: a second key is created, also after a reload', async () => {
    const { page } = watched;
    await page.reload();
    await person().waitFor();
    await page.getByLabel('Name').fill('mail gateway');
    await page.getByRole('combobox', { name: 'Rights' }).selectOption('intake');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await card().getByText('The key of mail gateway').waitFor();
    expect(await card().getByText('You are signed in').count()).toBe(0);
    await page.getByRole('row', { name: /mail gateway/ }).waitFor();
    expect(await problemsAtWidths(page, '/settings/people', 'light')).toEqual([]);
  });

  it('S2-21 signs in again, and the sign-in names the command for a lost key', async () => {
    const { page } = watched;
    await person().click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signInHeading().waitFor();
    await page.getByText(FIRST_KEY).waitFor();
    expect(await graveProblems(page)).toEqual([]);
    await page.getByLabel('Personal access key').fill(secret);
    await page.getByRole('button', { name: 'Sign in with a key' }).click();
    await person().waitFor();
    expect(watched.offences).toEqual([]);
  });
});
