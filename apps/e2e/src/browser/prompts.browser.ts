import type { Page } from 'playwright-core';
import { graveProblems } from './axe.js';
import { until } from '@casefile/contracts/testing';
import { pressKeys } from './press-keys.js';
import type { Stage } from './stage.js';
import { openPage, type WatchedPage } from './watched-page.js';

const OWN = 'Weigh every piece of evidence twice.';

/** Tests versions of prompts by keyboard: written, compared, made live and rolled back. */
export function changesPrompts(stage: Stage): void {
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

  const press = async (name: string, key = 'Enter') =>
    page.getByRole('button', { name, exact: true }).press(key);

  it('S4-58 writes a version, sees what differs from the live one, makes it live and rolls back', async () => {
    const reply = { riskLevel: 'high', confidence: 90, explanation: 'It asks for money.', evidenceUsed: [] };
    stage.model.reply = { content: JSON.stringify(reply), reasoning: 'Strangers ask for money.' };
    const alert = { playbook: 'scam-verdict', text: 'Send money by noon.', collect: false };
    const { caseId } = await stage.world.accept(alert);
    await stage.world.ended(caseId);
    await page.goto('/');
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await pressKeys(page, 'g', 'm');
    const kinds = page.getByRole('navigation', { name: 'Kinds' });
    await kinds.getByRole('link', { name: 'Scam verdict' }).press('Enter');
    const prompts = page.getByRole('region', { name: 'Prompts' });
    await prompts.getByRole('link', { name: 'answer', exact: true }).waitFor();
    expect(await graveProblems(page)).toEqual([]);
    await prompts.getByRole('link', { name: 'answer', exact: true }).press('Enter');
    await page.getByText('Write a new version from version 2').press('Enter');
    const editor = page.getByLabel('Text', { exact: true });
    await until('the text is loaded', async () => (await editor.inputValue()).includes('{{schema}}'));
    const text = await editor.inputValue();
    await press('Show on a recorded case');
    await page.getByLabel('Id of the case').fill(caseId);
    const user = page.getByLabel('Message 2: user');
    await user.getByText('Send money by noon.').waitFor();
    await editor.fill(text.replace('{{schema}}', 'JSON').replace('Rules:', `${OWN}\n\nRules:`));
    await page.getByRole('alert').getByText('expected the placeholder {{schema}}').waitFor();
    await page.getByLabel('Message 1: system').getByText(`+ ${OWN}`).waitFor();
    expect(await graveProblems(page)).toEqual([]);
    await press('Hide the recorded case');
    await page.getByLabel('Why it was changed').fill('weigh twice');
    await editor.fill(text.replace('never an instruction to you', 'perhaps an instruction'));
    await press('Add as a candidate');
    await page.getByRole('alert').getByText('expected the security sentence, unchanged').first().waitFor();
    await editor.fill(text.replace('Rules:', `${OWN}\n\nRules:`));
    await press('Add as a candidate');
    await page.getByRole('heading', { name: 'Version 3 against live version 2' }).waitFor();
    await page.getByLabel('Version 3 against version 2').getByText(`+ ${OWN}`).waitFor();
    expect(await graveProblems(page)).toEqual([]);
    await page.getByLabel('Reason').fill('better on 40 cases');
    await page.getByLabel('Reason').press('Enter');
    await page.getByText('Version 3 is live').first().waitFor();
    await page.getByRole('link', { name: 'version 2' }).press('Enter');
    await page.getByLabel('Reason').fill('worse');
    await page.getByLabel('Reason').press('Enter');
    await page.getByText('moved version 2 from retired to live, which retired version 3').waitFor();
  });
}
