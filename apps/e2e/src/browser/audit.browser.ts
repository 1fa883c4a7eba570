import { until } from '@casefile/contracts/testing';
import { graveProblems } from './axe.js';
import { pressKeys } from './press-keys.js';
import type { Stage } from './stage.js';
import { openPage } from './watched-page.js';

/** The audit log: read, filtered and checked by keyboard. */
export function showsTheAuditLog(stage: Stage): void {
  it('shows who did what to which case, and checks the chain against a noted head', async () => {
    const { intake } = stage.world.platform;
    const { caseId } = await intake.accept({ playbook: 'scam-verdict', text: 'Pay at https://fee.example' });
    await stage.world.ended(caseId);
    const api = `${stage.origin}/api/v1`;
    const answer = { by: 'Ann of audits', agree: true, note: 'I called the sender' };
    const sent = await fetch(`${api}/cases/${caseId}/feedback`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(answer),
    });
    expect(sent.ok).toBe(true);
    await until('the answer is on the log', async () => {
      const list = await (await fetch(`${api}/audit?actor=${encodeURIComponent(answer.by)}`)).text();
      return list.includes(caseId);
    });
    const { page, offences, close } = await openPage(stage.browser, stage.origin, { baseURL: stage.origin });
    await page.goto('/');
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await pressKeys(page, 'g', 's');
    await page
      .getByRole('navigation', { name: 'Settings' })
      .getByRole('link', { name: 'Audit' })
      .press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor();
    await page.getByRole('textbox', { name: 'Person' }).fill(answer.by);
    const row = page.getByRole('row').filter({ hasText: answer.by });
    await row.getByText('review: agreed').waitFor();
    await page.getByRole('button', { name: 'Check' }).press('Enter');
    await page.getByText(/^No problem in \d+ entr/).waitFor();
    await page.getByLabel('Noted head').fill(`999999:${'0'.repeat(64)}`);
    await page.getByRole('button', { name: 'Check' }).press('Enter');
    await page.getByText('its end was cut').waitFor();
    expect(await graveProblems(page)).toEqual([]);
    await row.getByRole('link').first().press('Enter');
    await page.waitForURL(`**/cases/${caseId}`);
    expect(offences).toEqual([]);
    await close();
  });
}
