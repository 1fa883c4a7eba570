import type { Page } from 'playwright-core';
import { openPage, type WatchedPage } from './watched-page.js';
import { until } from '@casefile/contracts/testing';
import { pressKeys } from './press-keys.js';
import type { Stage } from './stage.js';

const REASONING = `The sender asks for money within hours. ${'Each piece of evidence was weighed against it. '.repeat(6)}So the risk is high.`;
const reply = {
  reasoning: REASONING,
  content: JSON.stringify({
    riskLevel: 'high',
    confidence: 91,
    evidenceUsed: ['E1'],
    explanation: 'A reported number asks for money [E1].',
  }),
};
/** Resolves when the button says that it has copied. It says so for a moment only, which polling may miss. */
const COPIED = `new Promise((resolve) => {
  const button = document.querySelector('[aria-label="Copy the reasoning"]');
  const look = () => button.textContent.includes('Copied') && resolve();
  new MutationObserver(look).observe(button, { subtree: true, childList: true, characterData: true });
})`;

/** A model's answer to an obvious scam. */
const SCREENED = {
  isScam: true,
  confidence: 0.97,
  primaryCategory: 'kyc_banking',
  reasoning: 'It asks for a fee by a link.',
  redFlags: ['asks for a payment', 'threatens', 'unknown link'],
  matchedPatterns: [],
  legitimacyIndicators: [],
};
const REPORTED = {
  toolName: 'scam_db',
  entityType: 'phone',
  entityValue: '+16502530000',
  source: 'reports',
  result: { found: true, reportCount: 10 },
};

/** Tests common tasks on the dashboard. */
export function isOfUse(stage: Stage): void {
  let watched: WatchedPage;
  let page: Page;
  beforeEach(async () => {
    const { origin } = stage;
    stage.model.reply = reply;
    const permissions = ['clipboard-read', 'clipboard-write'];
    watched = await openPage(stage.browser, origin, { baseURL: origin, permissions });
    ({ page } = watched);
  });
  afterEach(async () => {
    // Opens the gate, so that a test that failed with a shut gate does not make others fail.
    stage.model.open();
    expect(watched.offences).toEqual([]);
    await watched.close();
  });

  /** Decides a case about `text`, with one piece of evidence. */
  async function decided(text: string): Promise<string> {
    const alert = { playbook: 'scam-verdict', text, evidence: [REPORTED], collect: false };
    const { caseId } = await stage.world.accept(alert);
    await stage.world.ended(caseId);
    return caseId;
  }

  it('S2-32 follows an alert that was submitted by hand, live, to its verdict', async () => {
    stage.model.shut();
    await page.goto('/cases/new');
    await page
      .getByLabel('Text')
      .fill('Pay the fee at https://parcel-fee.example today or call +1 650 253 0000');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('link', { name: 'Whole case' }).click();
    await page.waitForURL(/\/cases\/[0-9a-f-]{36}$/);
    await page.getByText('No verdict yet').waitFor();
    await page.getByRole('link', { name: 'Trace' }).click();
    const reason = page.getByRole('article', { name: 'Reason', exact: true });
    await reason.getByText('under way').waitFor();
    await reason.getByText('pending').waitFor();
    stage.model.open();
    await page.getByRole('region', { name: 'Steps' }).getByRole('link', { name: 'decide' }).click();
    await page.getByRole('article', { name: 'Decide' }).waitFor();
    await page.getByRole('link', { name: 'Answer', exact: true }).click();
    const why = page.getByRole('article', { name: 'Why this verdict' });
    await why.getByText('Risk level high with confidence 91').waitFor();
    expect(await page.getByText('under way').count()).toBe(0);
  });

  it('S2-32 shows a summary of the reasoning, all of it when asked, its source, and copies it', async () => {
    await page.goto(`/cases/${await decided('Reasoning: pay now')}?tab=trace`);
    const answer = page.getByRole('article', { name: 'Reason', exact: true });
    const reasoning = answer.getByRole('region', { name: 'Reasoning' });
    await reasoning.getByText('reasoning_content').waitFor();
    expect(await reasoning.innerText()).not.toContain('So the risk is high.');
    await reasoning.getByRole('button', { name: 'Show all of it' }).click();
    expect(await reasoning.innerText()).toContain('So the risk is high.');
    const copied = page.evaluate(COPIED);
    await reasoning.getByRole('button', { name: 'Copy the reasoning' }).click();
    await copied;
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(REASONING);
  });

  it('S2-32 says that the reasoning is unavailable when it cannot be shown, and the page still works', async () => {
    const caseId = await decided('Broken reasoning: pay now');
    await page.route(`**/api/v1/cases/${caseId}`, async (route) => {
      const response = await route.fetch();
      const text = (await response.text()).replace(
        /"reasoningContent":"[^"]*"/,
        '"reasoningContent":{"not":"text"}',
      );
      await route.fulfill({ response, body: text });
    });
    await page.goto(`/cases/${caseId}?tab=trace`);
    await page.getByText('The reasoning is unavailable.').waitFor();
    const answer = page.getByRole('article', { name: 'Reason', exact: true });
    await answer.getByRole('tab', { name: 'Prompt' }).click();
    await page.getByText('You are a fraud analyst.').first().waitFor();
    await page.getByRole('link', { name: 'Answer', exact: true }).click();
    await page
      .getByRole('article', { name: 'Why this verdict' })
      .getByText('scam', { exact: false })
      .first()
      .waitFor();
  });

  it('U11 lists the oldest case first after a press on the head of the ages, and the newest after another', async () => {
    const newest = await decided('Order: pay now');
    await page.goto('/cases?playbook=scam-verdict');
    const first = (id: string) => page.locator(`.case-row:first-child [data-case="${id}"]`).waitFor();
    await first(newest);
    const ages = page.getByRole('columnheader', { name: 'Age' });
    await ages.getByRole('button').click();
    const { items } = await stage.world.platform.store.record.listCases({ limit: 1, order: 'oldest' });
    await first(items[0]!.id);
    expect(await ages.getAttribute('aria-sort')).toBe('descending');
    await ages.getByRole('button').click();
    await first(newest);
    expect(page.url()).not.toContain('order');
  });

  it('S2-32 leads from a citation to the evidence it names, and from an address to any item', async () => {
    const caseId = await decided('Citation: pay now');
    await page.goto(`/cases/${caseId}`);
    const why = page.getByRole('article', { name: 'Why this verdict' });
    await why.getByRole('link', { name: 'E1' }).click();
    await page.locator('#E1.is-target').waitFor();
    expect(await page.locator('#E1').innerText()).toContain('+16502530000');
    await page.goto(`/cases/${caseId}?again#decide-1`);
    const decide = page.locator('#decide-1.is-target');
    await decide.waitFor();
    await expect(inView(decide)).resolves.toBe(true);
  });

  it('S2-32 prints the verdict, its reasons and the evidence of a case, without menus, buttons and raw records', async () => {
    await page.goto(`/cases/${await decided('Printed: pay now')}`);
    const why = page.getByRole('article', { name: 'Why this verdict' });
    await why.getByText('Risk level high with confidence 91').waitFor();
    await page.emulateMedia({ media: 'print' });
    for (const part of [
      why.getByText('Decided by the rule'),
      page.locator('#E1'),
      page.locator('.alert-text').first(),
    ])
      await part.waitFor();
    const zone = await page.evaluate<string>('Intl.DateTimeFormat().resolvedOptions().timeZone');
    expect(
      await page.evaluate(`getComputedStyle(document.querySelector('.alert-card time'), '::after').content`),
    ).toContain(zone);
    // The report quotes the text of the alert in a block of its own, which is printed.
    const hidden = ['.side', '.top', '.case-tabs', '.case-feedback', 'details pre'];
    const counts = await Promise.all(hidden.map((part) => page.locator(`${part}:visible`).count()));
    expect(counts).toEqual(hidden.map(() => 0));
  });

  it('S2-31 S2-32 lists cases as they come, to be filtered, searched and walked over by keyboard', async () => {
    await decided('Walk one: zebra crossing');
    await page.goto('/cases');
    await page.getByRole('link', { name: 'Walk one' }).waitFor();
    await decided('Walk two: zebra herd, pay at http://zebra.example/fee');
    const two = page.getByRole('link', { name: 'Walk two' });
    await two.waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('zebra her');
    await page.waitForURL(/\?q=zebra\+her$/);
    await page.getByRole('link', { name: 'Walk one' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    expect(await page.getByRole('searchbox').inputValue()).toBe('zebra her');
    await page.getByLabel('Verdict').selectOption('act');
    await page.waitForURL(/q=zebra\+her&disposition=act$/);
    await two.waitFor();
    // A click outside the select.
    await page.getByRole('heading', { name: 'Cases' }).click();
    await page.keyboard.press('j');
    await page.locator('[data-case]:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Walk two' }).waitFor();
    await page.keyboard.press('?');
    await page
      .getByRole('dialog', { name: 'Keys of this page' })
      .getByText('agree with the verdict')
      .waitFor();
    await page.keyboard.press('Escape');
    await pressKeys(page, 'g', 'o');
    await page.getByRole('heading', { level: 1, name: 'Flow' }).waitFor();
  });

  it('S2-32 redrives a dead letter after asking, and takes it off the list', async () => {
    const id = stage.world.platform.ids.id();
    const payload = { playbook: 'scam-verdict', text: 'Buried: pay now', collect: false };
    await stage.world.platform.store.deadLetters.bury({
      id,
      reasonCode: 'intake_failed',
      message: 'the record was away',
      payload,
    });
    await page.goto('/inbox?type=letter');
    await page.getByText('the record was away').waitFor();
    await page.getByText('The alert was not accepted: taking it in failed.').waitFor();
    await page.getByRole('checkbox', { name: `Select ${id}` }).click();
    await page.getByRole('button', { name: 'Redrive', exact: true }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('Redrive 1 dead letter?').waitFor();
    await dialog.getByRole('button', { name: 'Redrive' }).click();
    await page.getByText('1 dead letter redriven').waitFor();
    await page.getByText('No dead letters').waitFor();
    await page.goto('/cases');
    await page.getByRole('link', { name: 'Buried' }).waitFor();
  });

  it('S3-46 shows the engagement that a screened message opened, with its messages, and closes it', async () => {
    stage.model.reply = { reasoning: '', content: JSON.stringify(SCREENED) };
    const text = 'KYC expired: pay 10 rupees at http://kyc-update.example today or your card is blocked';
    for (const more of ['', ' Last warning.']) {
      const alert = {
        playbook: 'message-screening',
        text: text + more,
        conversation: 'chat-46',
        source: 'shop',
      };
      await stage.world.ended((await stage.world.accept(alert)).caseId);
    }
    await page.goto('/inbox?type=engagement');
    const session = page.getByRole('listitem').filter({ hasText: 'chat-46' });
    await session.getByText('2 messages').click();
    await session.getByText('asks for a payment').first().waitFor();
    expect(await session.getByRole('row').count()).toBe(3);
    await session.getByRole('button', { name: 'Close the engagement' }).click();
    await page.getByText('The engagement is closed').waitFor();
    await page.getByText('No engagements').waitFor();
    await page.getByLabel('State').selectOption('closed');
    await page.getByRole('listitem').filter({ hasText: 'chat-46' }).waitFor();
  });

  it('S2-32 takes an alert as an image that is dropped on the page, and shows it', async () => {
    await page.goto('/cases/new');
    const drop = page.getByText('Drop a screenshot here');
    await drop.waitFor();
    const transfer = await page.evaluateHandle(droppedImage());
    await drop.dispatchEvent('drop', { dataTransfer: transfer });
    await page.getByText('shot.png').waitFor();
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('link', { name: 'Whole case' }).click();
    const image = page.getByRole('article', { name: 'The alert' }).getByRole('img');
    await image.waitFor();
    await until('the image is loaded', () =>
      image.evaluate((it) => 'naturalWidth' in it && Number(it.naturalWidth) > 0),
    );
  });

  it('S2-32 keeps the theme and the time zone that were chosen', async () => {
    await page.goto(`/cases/${await decided('Preferences: pay now')}`);
    await page.getByRole('button', { name: 'Theme, language and time zone' }).click();
    await page.getByRole('radio', { name: 'Dark' }).check();
    const zone = await page.evaluate<string>('Intl.DateTimeFormat().resolvedOptions().timeZone');
    await page.getByText(`Times in ${zone}`).waitFor();
    await page.getByRole('radio', { name: 'UTC', exact: true }).check();
    await page.getByText('Times in UTC').waitFor();
    await page.locator('html[data-theme="dark"]').waitFor();
    await page.reload();
    await page.locator('html[data-theme="dark"]').waitFor();
    await page.locator('time', { hasText: / UTC$/ }).first().waitFor();
  });

  it('S2-32 marks a simulator as one, shows the flow, and frames the queue board', async () => {
    await page.goto('/operate');
    await page.getByText('Simulator', { exact: true }).waitFor();
    const flow = page.getByRole('region', { name: 'The flow' });
    for (const stage of ['triage', 'collect', 'reason', 'critique', 'write', 'decide'])
      await flow.getByRole('heading', { name: stage }).waitFor();
    await page.getByRole('link', { name: 'Queues' }).click();
    await page.frameLocator('iframe').getByText('triage').first().waitFor();
  });
}

async function inView(locator: ReturnType<Page['locator']>): Promise<boolean> {
  const box = await locator.boundingBox();
  return box !== null && box.y >= 0 && box.y < 900;
}

/** A square of eight by eight white pixels. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAAAAADhZOFXAAAADklEQVR4nGP4DwUMlDEA98A/wbI0QbsAAAAASUVORK5CYII=';

// Returns a script that drops a file on the page as a browser does.
function droppedImage(): string {
  return `(() => {
    const bytes = Uint8Array.from(atob('${PICTURE}'), (char) => char.charCodeAt(0));
    const transfer = new DataTransfer();
    transfer.items.add(new File([bytes], 'shot.png', { type: 'image/png' }));
    return transfer;
  })()`;
}
