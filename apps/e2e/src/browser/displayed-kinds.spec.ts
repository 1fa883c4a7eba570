import { defineKind } from '@casefile/kit';
import { toyKind } from '@casefile/pipeline/testing/toy-kind';
import { loadKinds } from '@casefile/runtime';
import type { Browser, Page } from 'playwright-core';
import { startChromium } from './chromium.js';
import { consoleWorld, type ConsoleWorld } from './console-world.js';
import { openPage, type WatchedPage } from './watched-page.js';
import { problemsAtWidths } from './widths.js';

const ROOT = new URL('../../../../', import.meta.url);
const OUTSIDE = ['apps/cli/template/kind', 'samples/kinds/vendor-bank-change'].map(
  (path) => new URL(path, ROOT).pathname,
);
const HOSTILE = '<img src=x onerror="alert(1)">';
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A kind with a section of each form. */
const everySection = defineKind({
  playbook: {
    ...toyKind,
    name: 'every-section',
    presenting: {
      ...toyKind.presenting,
      display: {
        title: 'text',
        sections: [
          { show: 'text', title: 'Story', of: 'text' },
          { show: 'image', title: 'Picture' },
          { show: 'badges', title: 'Marks', of: ['payload.marks'] },
          { show: 'table', title: 'Payments', of: 'payload.payments', columns: ['to', 'amount', 'at'] },
          {
            show: 'chart',
            title: 'Amounts',
            of: 'payload.payments',
            at: 'at',
            values: ['amount', { path: 'balance', label: 'balance' }],
          },
          {
            show: 'timeline',
            title: 'Course',
            of: 'payload.payments',
            at: 'at',
            text: 'to',
            evidence: 'source',
          },
          { show: 'quotes', title: 'Quotes', of: 'payload.quotes', quote: 'words', evidence: 'source' },
        ],
      },
    },
  },
});
/** A kind that declares nothing about its pages. */
const undeclared = defineKind({ playbook: { ...toyKind, name: 'undeclared' } });

const payments = [
  { at: '2026-03-01T09:00:00Z', to: HOSTILE, amount: 120, balance: -40, source: 'E1' },
  { at: '2026-03-02T09:00:00Z', to: 'Hafen Logistik AG', amount: 80, balance: 10, source: 'mail' },
  { at: '2026-03-03T09:00:00Z', to: 'Costa Tiles SL', amount: 260, balance: 90 },
];
const FULL = {
  playbook: 'every-section',
  text: `A vendor asked for another account ${HOSTILE}`,
  image: { mediaType: 'image/png', base64: PNG },
  payload: {
    marks: ['new account', HOSTILE, 'urgent'],
    payments,
    quotes: [{ words: HOSTILE, source: 'E1' }],
  },
  evidence: [
    {
      toolName: 'ledger',
      entityType: 'vendor',
      entityValue: 'Hafen',
      source: 'books',
      result: { known: true },
    },
  ],
  collect: false,
};

describe('kinds of case that are shown by declaration', () => {
  let world: ConsoleWorld;
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    const kinds = await loadKinds({ CASEFILE_KINDS: OUTSIDE.join(',') });
    [world, browser] = await Promise.all([
      consoleWorld(null, {}, [...kinds, everySection, undeclared]),
      startChromium(),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });
  beforeEach(async () => {
    const origin = new URL(world.consoleUrl).origin;
    watched = await openPage(browser, origin, { baseURL: origin });
    ({ page } = watched);
  });
  afterEach(async () => {
    expect(watched.offences).toEqual([]);
    await watched.close();
  });

  const decided = async (alert: object) => {
    const { caseId } = await world.accept(alert);
    await world.ended(caseId);
    return caseId;
  };
  const factsOf = (name: string) => page.getByRole('region', { name }).locator('dl').innerText();
  /**
   * Chooses the example of a kind on the page New case, submits it, waits for the verdict there and on the page of the
   * case.
   */
  const submitExample = async (kind: string, change?: () => Promise<unknown>) => {
    await page.goto('/cases/new');
    const examples = page.getByRole('group', { name: 'Begin with an example' });
    await examples.getByRole('button', { name: kind, exact: true }).click();
    await change?.();
    expect(await problemsAtWidths(page, '/cases/new', 'light')).toEqual([]);
    await page.getByRole('button', { name: 'Submit' }).click();
    const answer = page.getByRole('region', { name: 'The submitted case' });
    await answer.getByRole('status').getByRole('list').waitFor();
    await answer.getByRole('link', { name: 'Whole case' }).click();
    await page.waitForURL(/\/cases\/[0-9a-f-]{36}$/);
    const caseId = page.url().split('/').at(-1)!;
    await world.ended(caseId);
    await page.getByRole('article', { name: 'Why this verdict' }).getByRole('list').first().waitFor();
  };

  it('S2-32 takes a YAML kind by the fields of its schema, and shows its case by its title and sections', async () => {
    const call = () => page.getByLabel('Domain of the sender').fill('nordlicht-packaging.example');
    await submitExample("Change of a vendor's bank account", call);
    await page.getByRole('heading', { level: 1, name: 'Nordlicht Packaging GmbH' }).waitFor();
    expect(await factsOf('Accounts')).toMatch(/Old IBAN\s+DE89370400440532013000\s+New IBAN\s+LT12/);
    await page.getByRole('region', { name: 'Message' }).getByText('under audit').waitFor();
    expect(await page.locator('pre:visible').count()).toBe(0);
    expect(await problemsAtWidths(page, 'the case', 'light')).toEqual([]);
    await page.goto('/cases');
    const row = page.getByRole('row').filter({ hasText: 'Nordlicht' });
    expect(await row.getByRole('link').innerText()).toMatch(
      /^Nordlicht Packaging GmbH · LT121000011101001000 · 48200\s+The new account/,
    );
    await page.goto('/inbox?type=review');
    await page.getByRole('heading', { level: 2, name: 'Nordlicht Packaging GmbH' }).waitFor();
    expect(await factsOf('Sender')).toMatch(/Domain of the sender\s+nordlicht-packaging\.example/);
    await page
      .getByRole('region', { name: 'Your answer' })
      .getByRole('button', { name: /call back/ })
      .waitFor();
    expect(await page.locator('pre:visible').count()).toBe(0);
    expect(await problemsAtWidths(page, '/inbox?type=review', 'light')).toEqual([]);
  });

  it('S2-32 takes the kind that `casefile new kind` makes, and names a wrong field at the field', async () => {
    await page.goto('/cases/new');
    await page.getByLabel('Kind').selectOption({ label: 'Kind name' });
    await page.getByLabel('Subject').fill('x'.repeat(501));
    await page.getByLabel('Amount').fill('7');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.locator('[aria-invalid="true"]').waitFor();
    expect(await page.getByLabel('Subject').getAttribute('aria-invalid')).toBe('true');
    await submitExample('Kind name');
    await page.getByRole('heading', { level: 1, name: 'Office chairs' }).waitFor();
    expect(await factsOf('Request')).toMatch(/Subject\s+Office chairs\s+Amount\s+2500/);
  });

  it('S2-32 shows a section of each form, and what strangers wrote as text', async () => {
    await page.goto(`/cases/${await decided(FULL)}`);
    await page.getByRole('region', { name: 'Payments', exact: true }).waitFor();
    for (const name of ['Story', 'Marks', 'Payments', 'Course', 'Quotes'])
      expect(await page.getByRole('region', { name, exact: true }).innerText()).toContain(HOSTILE);
    await page.getByRole('region', { name: 'Picture' }).getByRole('img').waitFor();
    await page.getByRole('region', { name: 'Amounts' }).locator('canvas').waitFor();
    await page.getByRole('region', { name: 'Course' }).getByRole('link', { name: 'E1' }).waitFor();
    expect(await page.getByRole('region', { name: 'Course' }).innerText()).toContain('(mail)');
    expect(await problemsAtWidths(page, 'every section', 'light')).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await problemsAtWidths(page, 'every section', 'dark')).toEqual([]);
  });

  it('S2-32 names and shows a case of a kind that declares nothing, without JSON first', async () => {
    const payload = { subject: HOSTILE, nested: { dueDate: '2026-03-01T09:00:00Z', tags: ['a', 'b'] } };
    await page.goto(`/cases/${await decided({ playbook: 'undeclared', text: 'Undeclared thing', payload })}`);
    await page.getByRole('heading', { level: 1, name: 'Undeclared thing' }).waitFor();
    const alert = page.getByRole('article', { name: 'The alert' });
    expect(await alert.locator('dl').first().innerText()).toMatch(/Subject\s+<img[^]*Due date[^]*Tags/);
    expect(await alert.locator('pre:visible').count()).toBe(0);
    expect(await problemsAtWidths(page, 'undeclared', 'light')).toEqual([]);
  });
});
