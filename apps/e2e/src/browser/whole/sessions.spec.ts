import type { Browser, Page } from 'playwright-core';
import { consoleWithIssuer, type ConsoleWithIssuer } from '../../testing/console-with-issuer.js';
import { until } from '@casefile/contracts/testing';
import { startChromium } from '../chromium.js';
import { problemsAtWidths } from '../widths.js';

describe('the sessions on the page People and keys', () => {
  let world: ConsoleWithIssuer;
  let browser: Browser;
  let admin: Page;
  let reviewer: Page;
  const at = (path: string) => `${world.url}${path}`;
  const row = (name: string) => admin.getByRole('row', { name: new RegExp(name) });
  const link = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name, exact: true });
  const signIn = (page: Page) => page.getByRole('link', { name: 'Sign in with your organisation' });

  const signedIn = async (login: string, path: string): Promise<Page> => {
    const page = await (await browser.newContext()).newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(at(path));
    await signIn(page).click();
    await page.locator('input[name=login]').fill(login);
    await page.locator('input[name=password]').fill('any');
    await page.locator('[type=submit]').click();
    await page.locator('[type=submit]').click();
    await page.getByRole('heading', { level: 1, name: 'People and keys' }).waitFor();
    return page;
  };

  beforeAll(async () => {
    const roles = { desk: 'reviewer', leads: 'admin' } as const;
    [world, browser] = await Promise.all([consoleWithIssuer({ roles }), startChromium()]);
    world.issuer.people.set('ann', { email: 'ann@example.com', email_verified: true, groups: ['leads'] });
    world.issuer.people.set('bob', {
      email: 'bob@example.com',
      email_verified: true,
      groups: ['desk', 'staff'],
    });
    reviewer = await signedIn('bob', '/settings/people');
    admin = await signedIn('ann', '/settings/people');
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });

  it('S2-21 are hidden from a reviewer, with the keys and the links to pages of administrators', async () => {
    await reviewer.getByText('This page needs the role admin').waitFor();
    expect(await reviewer.getByRole('heading', { level: 2 }).count()).toBe(0);
    expect(await reviewer.getByRole('form', { name: 'New key' }).count()).toBe(0);
    await link(reviewer, 'Knowledge').waitFor();
    expect([await link(reviewer, 'People and keys').count(), await link(reviewer, 'Audit').count()]).toEqual([
      0, 0,
    ]);
    expect([await link(admin, 'People and keys').count(), await link(admin, 'Audit').count()]).toEqual([
      1, 1,
    ]);
    expect((await reviewer.request.get(at('/api/v1/sessions'))).status()).toBe(403);
  });

  it('S2-21 list who is signed in, by which groups, and fit a phone', async () => {
    await row('bob@example.com').getByText('by the provider, groups: desk', { exact: true }).waitFor();
    expect(await row('bob@example.com').getByText('reviewer').count()).toBe(1);
    expect(await row('ann@example.com').getByText('admin').count()).toBe(1);
    for (const page of [admin, reviewer])
      expect(await problemsAtWidths(page, '/settings/people', 'light')).toEqual([]);
  });

  it('S2-21 end one by one after a question, and the page of the person shows the sign-in', async () => {
    const revoke = admin.getByRole('button', { name: 'Revoke the session of bob@example.com' });
    await revoke.click();
    await admin.getByRole('button', { name: 'Cancel' }).click();
    expect(await row('bob@example.com').count()).toBe(1);
    await revoke.click();
    await admin.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await admin.getByText('The session of bob@example.com has ended').waitFor();
    await row('bob@example.com').waitFor({ state: 'detached' });
    await reviewer.reload();
    await signIn(reviewer).waitFor();
    const { audit } = world.platform.store;
    // An event is read when every older transaction has ended, also those of other tests on this server.
    await until('the act has an entry', async () => {
      await audit.append(1_000);
      const entries = await audit.list({ order: 'newest', limit: 20, act: 'session.revoked' });
      return entries.length === 1 && entries[0]?.actor === 'ann@example.com';
    });
  });
});
