import type { Browser, Page } from 'playwright-core';
import { consoleWithIssuer, type ConsoleWithIssuer } from '../testing/console-with-issuer.js';
import { graveProblems } from './axe.js';
import { startChromium } from './chromium.js';

describe('the sign-in in a browser', () => {
  let world: ConsoleWithIssuer;
  let browser: Browser;
  let page: Page;
  const at = (path: string) => `${world.url}${path}`;
  const signIn = () => page.getByRole('link', { name: 'Sign in with your organisation' });
  const person = () => page.getByRole('button', { name: 'Signed in as ann@example.com, role reviewer' });

  beforeAll(async () => {
    [world, browser] = await Promise.all([
      consoleWithIssuer({ roles: { desk: 'reviewer' } }),
      startChromium(),
    ]);
    world.issuer.people.set('ann', { email: 'ann@example.com', email_verified: true, groups: ['desk'] });
    page = await (await browser.newContext()).newPage();
    page.setDefaultTimeout(60_000);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });

  it('shows the sign-in instead of a page, and returns to the page after it', async () => {
    await page.goto(at('/inbox?type=review&state=all'));
    await signIn().waitFor();
    expect(await graveProblems(page)).toEqual([]);
    await signIn().click();
    await page.locator('input[name=login]').fill('ann');
    await page.locator('input[name=password]').fill('any');
    await page.locator('[type=submit]').click();
    await page.locator('[type=submit]').click();
    await person().waitFor();
    expect(page.url()).toBe(at('/inbox?type=review&state=all'));
  });

  it('acts under the name of the session, and offers no field for another name', async () => {
    expect(await person().getAttribute('aria-label')).toContain('Signed in as ann@example.com');
    await page.getByRole('searchbox', { name: 'Search the alerts' }).waitFor();
    expect(await page.getByLabel('Your name').count()).toBe(0);
  });

  it('shows the sign-in on the same page once the session is revoked', async () => {
    const [session] = await world.platform.store.sessions.list();
    await world.platform.store.sessions.revoke(session?.id ?? '', 'ben', '');
    await signIn().waitFor();
    expect(page.url()).toBe(at('/inbox?type=review&state=all'));
    // The provider still knows this person.
    await signIn().click();
    await person().waitFor();
  });

  it('signs out here and at the provider', async () => {
    await person().click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL((url) => url.origin === world.issuer.url);
    expect(await world.platform.store.sessions.list()).toEqual([]);
  });
});
