import { graveProblems } from './axe.js';
import { openSample, type SampleStage } from './sample-stage.js';
import { openPage } from './watched-page.js';

/** Tests that an alert that was not accepted can be edited in the page. */
export function editsLetters(stage: SampleStage): void {
  it('U28 names what is wrong with an edited alert by field, and accepts it once it is right', async () => {
    const { browser, console: origin } = stage;
    const { page, offences, close } = await openPage(browser, origin, { baseURL: origin });
    await openSample(page, '/inbox?type=letter&source=no-such-sender');
    await page.getByText('No dead letter matches').waitFor();
    await openSample(page, '/inbox?type=letter');
    await page.getByText('The alert was not accepted: the input is not valid.').waitFor();
    await page.getByRole('button', { name: 'Edit and redrive' }).click();
    const text = page.getByLabel('The alert (JSON)');
    const original = await text.inputValue();
    await text.fill('{');
    await page.getByText('This is not JSON yet').waitFor();
    await text.fill('{ "playbook": "scam-verdict", "text": 7 }');
    const redrive = page.getByRole('button', { name: 'Redrive the edited alert' });
    await redrive.click();
    const problems = page.getByRole('alert', { name: 'What is wrong with the alert' });
    await problems.getByText('expected string').waitFor();
    expect(await problems.locator('code').innerText()).toBe('text');
    expect(await graveProblems(page)).toEqual([]);
    await text.fill(original.replace('notatime', '2026-03-02T09:05:30Z'));
    await redrive.click();
    await page.getByText('The edited alert was accepted').waitFor();
    await page.getByText('No dead letters').waitFor();
    expect(offences).toEqual([]);
    await close();
  });
}
