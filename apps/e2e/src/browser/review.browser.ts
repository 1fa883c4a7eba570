import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VerdictMessage } from '@casefile/contracts';
import { temporaryFolder, until } from '@casefile/contracts/testing';
import type { Browser, Page } from 'playwright-core';
import { graveProblems } from './axe.js';
import { startChromium } from './chromium.js';
import { consoleWorld, type ConsoleWorld } from './console-world.js';
import { pressKeys } from './press-keys.js';
import { WALK_MS } from './sample-stage.js';
import { waitingVerdicts, type Waiting } from './waiting-verdicts.js';
import { openPage, type WatchedPage } from './watched-page.js';

/** Script that records, at each act, the heading of the case on the screen. */
const RECORD_HEADINGS_AT_ACTS = `
  window.shownAtActs = [];
  const send = window.fetch;
  window.fetch = (url, ...rest) => {
    const id = /reviews\\/([^/]+)\\/acknowledge/.exec(String(url))?.[1];
    const heading = document.querySelector('.desk-head h2')?.textContent;
    if (id !== undefined) window.shownAtActs.push({ id, heading });
    return send(url, ...rest);
  };`;

let world: ConsoleWorld;
let browser: Browser;
let origin: string;
let watched: WatchedPage;
let page: Page;
const sent: VerdictMessage[] = [];

const waiting = (count: number, about: string): Promise<Waiting[]> => waitingVerdicts(world, count, about);
const review = (id: string) => world.platform.store.reviews.get(id, Date.now());
const shows = (words: string) => page.getByRole('heading', { level: 2 }).filter({ hasText: words }).waitFor();
const acts = () => page.getByRole('region', { name: 'Your answer' });
const ready = () => acts().getByRole('button', { name: /^high/ }).waitFor();

/** Numbers of verdicts that a suite reviews. */
interface ReviewCounts {
  /** By keyboard, two presses each. */
  readonly typed: number;
  /** With a key that is held again and again. Without it, what several people do on a phone is not tested either. */
  readonly held?: number;
}

/** More than the time after which the page asks again who has a case open. */
const LOOKS_EVERY_MS = 21_000;

/** Presses besides two for each verdict. */
const FEW_PRESSES = 10;

/** Tests the review desk by keyboard. */
export function reviewsByKeyboard({ typed, held }: ReviewCounts): void {
  beforeAll(async () => {
    const file = join(temporaryFolder('review'), 'config.yaml');
    writeFileSync(file, JSON.stringify({ reviews: { sendAfterSeconds: 1 } }));
    [world, browser] = await Promise.all([consoleWorld(null, { CASEFILE_CONFIG: file }), startChromium()]);
    origin = new URL(world.consoleUrl).origin;
    const { queue } = world.platform;
    const publish = queue.publishVerdicts.bind(queue);
    queue.publishVerdicts = async (messages) => {
      sent.push(...messages);
      await publish(messages);
    };
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });
  beforeEach(async () => {
    watched = await openPage(browser, origin, { baseURL: origin });
    ({ page } = watched);
  });
  afterEach(async () => {
    expect(watched.offences).toEqual([]);
    await watched.close();
  });

  it(
    `S4-59 ${typed} verdicts are answered by keyboard with two presses each and ${FEW_PRESSES} more; none is left, and as many messages leave`,
    async () => {
      const all = await waiting(typed, 'Nummer');
      let presses = 0;
      const press = async (key: string) => {
        presses += 1;
        await page.keyboard.press(key);
      };
      await page.goto('/');
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await pressKeys(page, 'g', 'i');
      presses += 2;
      await page.getByText(`${typed} waiting, the oldest`).waitFor();
      for (const [i, { text }] of all.entries()) {
        await shows(text);
        await ready();
        await press(i % 2 === 0 ? '1' : '3');
        await press('Control+Enter');
      }
      // Patterns that these answers propose wait, too.
      await page.getByRole('button', { name: 'Verdicts 0' }).waitFor();
      expect(presses).toBeLessThanOrEqual(2 * typed + FEW_PRESSES);
      // A slow publication is repeated with the same id, which the queue accepts once.
      const corrections = () => [
        ...new Map(
          sent
            .filter(({ verdict }) => verdict.decidedBy !== undefined)
            .map((message) => [message.deliveryId, message]),
        ).values(),
      ];
      await until('every correction has left', () => {
        return new Set(corrections().map(({ caseId }) => caseId)).size === typed;
      });
      const left = corrections();
      expect(left).toHaveLength(typed);
      for (const [i, { id }] of all.entries()) {
        const message = left.find(({ caseId }) => caseId === id)!;
        expect([message.replaces, message.verdict.disposition]).toEqual([
          message.runId,
          i % 2 === 0 ? 'dismiss' : 'act',
        ]);
      }
    },
    WALK_MS,
  );

  it('S4-59 a held key answers nothing unseen, and keys do nothing in a text field', async () => {
    const [first, second, third] = (await waiting(3, 'gehalten')) as [Waiting, Waiting, Waiting];
    await page.goto('/inbox?type=review');
    await shows(first.text);
    await ready();
    await page.keyboard.down('e');
    for (let i = 0; i < 10; i += 1) await page.keyboard.down('e');
    await shows(second.text);
    await ready();
    for (let i = 0; i < 10; i += 1) await page.keyboard.down('e');
    await page.keyboard.up('e');
    const states = async () =>
      Promise.all([first, second, third].map(async ({ id }) => (await review(id))?.state));
    expect(await states()).toEqual(['acknowledged', 'open', 'open']);
    await page.keyboard.press('c');
    await page.getByLabel('Comment for other reviewers').pressSequentially('ask k1 o and u');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+Enter');
    await page.getByText('console commented: ask k1 o and u').waitFor();
    expect(await states()).toEqual(['acknowledged', 'open', 'open']);
    await ready();
    await page.keyboard.press('u');
    await page.getByText('Undone').waitFor();
    expect((await review(second.id))?.history).toHaveLength(2);
    await page.keyboard.press('u');
    await shows(first.text);
    await until('the first verdict waits again', async () => (await review(first.id))?.state === 'open');
    await page.getByRole('navigation', { name: 'What waits' }).getByText(first.text).waitFor();
    await page.keyboard.press('j');
    await shows(second.text);
    await page.keyboard.press('k');
    await shows(first.text);
  });

  it('S4-59 keys do nothing while a request is in flight', async () => {
    const [first, second, third] = (await waiting(3, 'unterwegs')) as [Waiting, Waiting, Waiting];
    await page.goto('/inbox?type=review&q=unterwegs');
    await shows(first.text);
    await ready();
    let answer: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/acknowledge', async (route) => {
      await released;
      await route.continue();
    });
    for (const key of ['e', 'j', 'j', '1', 'o', 's', 'e', 'u', 'Control+Enter'])
      await page.keyboard.press(key);
    await shows(first.text);
    answer();
    await shows(second.text);
    await ready();
    expect(await page.getByRole('form').count()).toBe(0);
    expect(await acts().locator('[aria-pressed="true"]').count()).toBe(0);
    const histories = await Promise.all(
      [first, second, third].map(async ({ id }) => (await review(id))?.history.map(({ act }) => act)),
    );
    expect(histories).toEqual([['acknowledge'], [], []]);
  });

  it('S4-59 answers all that match in bulk after a preview, takes the answers back, by keyboard', async () => {
    const all = await waiting(5, 'gebündelt');
    const states = async () => Promise.all(all.map(async ({ id }) => (await review(id))?.state));
    const count = (value: string) => all.map(() => value);
    await page.goto('/inbox?type=review&q=gebündelt');
    await shows(all[0]!.text);
    await ready();
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Select all that match' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('5 selected').waitFor();
    expect(await graveProblems(page)).toEqual([]);
    await page.keyboard.press('b');
    const form = page.getByRole('region', { name: 'Answer in bulk' });
    await form.getByRole('heading', { name: 'Answer 5 verdicts' }).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await form.getByLabel('Reason for all of them').fill('texts of our own');
    await page.keyboard.press('Control+Enter');
    await form.getByText('5 unclear → harmless').waitFor();
    await form.getByText('texts of our own').waitFor();
    expect(await states()).toEqual(count('open'));
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(await graveProblems(page)).toEqual([]);
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: '5 verdicts answered' }).waitFor();
    expect(await states()).toEqual(count('answered'));
    expect((await review(all[0]!.id))?.history).toMatchObject([{ bulk: true, note: 'texts of our own' }]);
    await page.keyboard.press('u');
    await page.getByRole('heading', { name: '5 answers taken back' }).waitFor();
    expect(await states()).toEqual(count('open'));
    await page.getByRole('button', { name: 'Back to the list' }).press('Enter');
    await shows(all[0]!.text);
  });

  it('T-41 asks before it saves an answer that the record contradicts, on the desk and on the case page', async () => {
    const question = 'Who won the regatta of Aral in 1911?';
    const { caseId } = await world.accept({ playbook: 'research', text: question });
    await world.ended(caseId);
    const dialog = page.getByRole('alertdialog', { name: 'The record contradicts this answer' });
    const decided = async () => (await review(caseId))?.standing?.decidedBy;
    await page.goto('/inbox?type=review&q=regatta');
    await shows('regatta');
    await acts().getByRole('button', { name: /^pass/i }).click();
    await acts()
      .getByRole('button', { name: /^Save and continue/ })
      .click();
    await dialog.getByText('no sentence with a source').waitFor();
    expect(await graveProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect((await review(caseId))?.state).toBe('open');
    await page.goto(`/cases/${caseId}`);
    const card = page.getByRole('region', { name: 'Feedback' });
    await card.getByRole('radio', { name: 'pass' }).check();
    await card.getByRole('button', { name: 'Save the answer' }).click();
    await dialog.getByRole('button', { name: 'Save it anyway' }).click();
    await card.getByText('console says ruling pass').waitFor();
    await page
      .getByRole('article', { name: 'Why this verdict' })
      .getByText(/Decided by console, .* Before, the verdict was “no basis”/)
      .waitFor();
    await card.getByText('needs an answer from a reviewer').waitFor({ state: 'detached' });
    await until('the answer is kept', async () => (await decided()) !== undefined);
    expect(await decided()).toMatchObject({
      contradicts: expect.stringContaining('no sentence with a source'),
    });
  });

  if (held === undefined) return;

  it(
    `S4-59 ${held} verdicts under a key that is held again and again: each act is on the case on the screen`,
    async () => {
      const all = await waiting(held, 'dauernd');
      await page.addInitScript({ content: RECORD_HEADINGS_AT_ACTS });
      await page.goto('/inbox?type=review&q=dauernd');
      await shows(all[0]!.text);
      let presses = 0;
      const nothingWaits = page.getByText('No verdict matches').first();
      await until('every verdict is answered', async () => {
        presses += 1;
        // The first event is a press, the others are repeats of a held key.
        for (let i = 0; i < 5; i += 1) await page.keyboard.down('e');
        await page.keyboard.up('e');
        return nothingWaits.isVisible();
      });
      const shown = await page.evaluate<{ id: string; heading: string }[]>('window.shownAtActs');
      expect(shown).toHaveLength(held);
      expect(presses).toBeGreaterThanOrEqual(held);
      expect(shown).toEqual(all.map(({ id, text }) => ({ id, heading: text })));
      const histories = await Promise.all(all.map(async ({ id }) => (await review(id))!.history.length));
      expect(histories).toEqual(all.map(() => 1));
    },
    WALK_MS,
  );

  it('S4-59 shows who else has the case open and what others say; forms work by keyboard, on a phone too', async () => {
    const [{ id } = { id: '' }] = await waiting(1, 'zu zweit');
    await page.clock.install();
    await page.goto('/inbox?type=review&q=zweit');
    await shows('Treffen zu zweit');
    // A view is forgotten after a minute.
    await until('the page shows who has the case open', async () => {
      await world.platform.store.reviews.view(id, 'ben', Date.now());
      await page.clock.fastForward(LOOKS_EVERY_MS);
      return page.getByText('ben has it open').isVisible();
    });
    await ready();
    expect(await page.getByRole('button', { name: /Agree/ }).count()).toBe(0);
    expect(await graveProblems(page)).toEqual([]);
    await page.keyboard.press('m');
    await page.getByLabel('Person', { exact: true }).fill('ann');
    await page.keyboard.press('Control+Enter');
    await page.getByText('assigned to ann').first().waitFor();
    await page.keyboard.press('1');
    await page.keyboard.press('o');
    await page.getByLabel('Reason', { exact: true }).last().fill('I called them');
    await page.getByLabel('What was wrong').selectOption('evidence');
    expect(await graveProblems(page)).toEqual([]);
    await page.keyboard.press('Control+Enter');
    await until('the answer is kept', async () => (await review(id))?.state === 'answered');
    const other = await fetch(`${origin}/api/v1/reviews/${id}/answer`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ outcome: { riskLevel: 'high' }, by: 'ben' }),
    });
    expect(other.status).toBe(200);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/inbox?type=review&state=disputed');
    await page.getByText('2 people disagree. The newest answer counts.').waitFor();
    await page.getByText('console says risk level low, wrong was: evidence: I called them').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(await graveProblems(page)).toEqual([]);
  });
}
