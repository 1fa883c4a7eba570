import type { Page } from 'playwright-core';
import { openPage, type WatchedPage } from './watched-page.js';
import type { Stage } from './stage.js';
import { problemsAtWidths } from './widths.js';

/** What people do on the page Destinations. */
export function addsDestinations(stage: Stage): void {
  let watched: WatchedPage;
  let page: Page;
  beforeEach(async () => {
    watched = await openPage(stage.browser, stage.origin, { baseURL: stage.origin });
    ({ page } = watched);
  });
  afterEach(async () => {
    expect(watched.offences).toEqual([]);
    await watched.close();
  });

  it('adds one by keyboard alone, with each problem at its field, and sends a test', async () => {
    await page.goto('/operate/destinations');
    await page.getByRole('button', { name: 'Add a destination' }).focus();
    await page.keyboard.press('Enter');
    const form = page.getByRole('form', { name: 'Add a destination' });
    await form.getByText('would be stored and shown').waitFor();
    // The name has the focus.
    await page.keyboard.type('Bad Name');
    await page.keyboard.press('Enter');
    const name = form.getByLabel('Name', { exact: true });
    await form.getByText('expected a name of at most 50').waitFor();
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    await name.fill('archive');
    await form.getByLabel('URL').fill('https://archive.example/in');
    await form.getByLabel('Headers').fill('authorization: a secret');
    await form.getByRole('button', { name: 'Save', exact: true }).press('Enter');
    await form.getByText('authorization: expected ${DESTINATION_NAME} for a secret').waitFor();
    const invalid = await form
      .getByLabel('Headers')
      .evaluate(
        (it) => it === (it as { ownerDocument: { activeElement: unknown } }).ownerDocument.activeElement,
      );
    expect(invalid).toBe(true);
    expect(await problemsAtWidths(page, '/operate/destinations', 'light')).toEqual([]);
    await form.getByLabel('Headers').fill('authorization: Bearer ${DESTINATION_TOKEN}');
    await form.getByRole('button', { name: 'Save and send a test' }).press('Enter');
    const added = page.getByRole('region', { name: 'archive' });
    await added.getByText('https://archive.example', { exact: true }).waitFor();
    await page.getByRole('region', { name: 'Deliveries' }).getByText('archive · test').first().waitFor();
    expect(await problemsAtWidths(page, '/operate/destinations', 'light')).toEqual([]);
  });

  it('changes it without its URL, which is not shown, and removes it after a question', async () => {
    await page.goto('/operate/destinations');
    await page.getByRole('button', { name: 'Change archive' }).click();
    const form = page.getByRole('form', { name: 'Change archive' });
    expect(await form.getByLabel('URL').inputValue()).toBe('');
    await form.getByLabel('Severities').fill('critical');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    const changed = page.getByRole('region', { name: 'archive' });
    await changed.getByText('severity critical').waitFor();
    await changed.getByText('https://archive.example', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Change archive' }).click();
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove archive' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await changed.waitFor({ state: 'detached' });
  });
}
