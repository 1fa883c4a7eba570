import { graveProblems } from './axe.js';
import { openSample, type SampleStage } from './sample-stage.js';
import { openPage } from './watched-page.js';

/** Tests that people can answer verdicts, and that lists mark unconfirmed verdicts. */
export function takesAnswers(stage: SampleStage): void {
  it('S4-59 a verdict in review takes an answer and no agreement, and a second answer replaces the first', async () => {
    const { browser, console: origin } = stage;
    const { page, offences, close } = await openPage(browser, origin, { baseURL: origin });
    await openSample(page, `/cases/${stage.unconfirmed}`);
    const card = page.getByRole('region', { name: 'Feedback' });
    await card.getByText('This verdict needs an answer').waitFor();
    const answer = async (value: string) => {
      await card.getByRole('radio', { name: value }).check();
      await card.getByRole('button', { name: 'Save the answer' }).click();
      await card.getByText(`console says risk level ${value}`).waitFor();
    };
    await answer('high');
    expect(await card.getByRole('button', { name: 'Agree' }).count()).toBe(0);
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('a');
    await card.getByText('Give another answer').click();
    await answer('medium');
    expect(await card.getByRole('listitem').count()).toBe(1);
    expect(await graveProblems(page)).toEqual([]);
    await card.getByRole('button', { name: 'Withdraw' }).click();
    await card.getByRole('listitem').waitFor({ state: 'detached' });
    expect(offences).toEqual([]);
    await close();
  });

  it('S4-59 a verdict that asks nothing takes an agreement or another answer', async () => {
    const { browser, console: origin } = stage;
    const { page, offences, close } = await openPage(browser, origin, { baseURL: origin });
    const paged = stage.cases.find((one) => one.playbook === 'incident' && one.disposition === 'act')!;
    await openSample(page, paged.path);
    const card = page.getByRole('region', { name: 'Feedback' });
    await card.getByRole('button', { name: 'Agree' }).click();
    await card.getByText('console agrees').waitFor();
    await card.getByText('Give another answer').click();
    await card.getByRole('radio', { name: 'ticket' }).check();
    await card.getByRole('button', { name: 'Save the answer' }).click();
    await card.getByText('console says action ticket').waitFor();
    expect(await card.getByRole('listitem').count()).toBe(1);
    expect(offences).toEqual([]);
    await close();
  });

  it('S1-17 the list marks a low risk that nothing has confirmed', async () => {
    const { browser, console: origin } = stage;
    const { page, close } = await openPage(browser, origin, { baseURL: origin });
    await openSample(page, '/cases');
    const row = page.getByRole('row').filter({ hasText: 'Können wir unser Treffen' });
    await row.getByText('unconfirmed').last().waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await row.getByText('unconfirmed').first().waitFor();
    await close();
  });
}
