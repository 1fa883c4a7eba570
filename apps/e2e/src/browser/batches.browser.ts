import type { Page } from 'playwright-core';
import { graveProblems } from './axe.js';
import type { Stage } from './stage.js';
import { openPage, type WatchedPage } from './watched-page.js';
import { problemsAtWidths } from './widths.js';

/** A text of which the rules have proof, so that a model's high level stands. */
const scamAt = (hour: string): string =>
  `You won $5,000! Pay the fee of $20 in gift cards before ${hour} at https://prize-claim.example/pay or your account is blocked.`;
const answer = (riskLevel: 'high' | 'medium') => ({
  content: JSON.stringify({ riskLevel, confidence: 90, explanation: 'It asks for money.', evidenceUsed: [] }),
  reasoning: 'A prize that costs a fee is none.',
});

/** Tests that cases are judged again, one by one and together. */
export function judgesAgain(stage: Stage): void {
  const caseIds: string[] = [];
  let watched: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    stage.model.reply = answer('high');
    for (const hour of ['noon', 'one', 'two']) {
      const alert = {
        playbook: 'scam-verdict',
        text: scamAt(hour),
        collect: false,
      };
      const { caseId } = await stage.world.accept(alert);
      await stage.world.ended(caseId);
      caseIds.push(caseId);
    }
  });
  beforeEach(async () => {
    watched = await openPage(stage.browser, stage.origin, { baseURL: stage.origin });
    ({ page } = watched);
  });
  afterEach(async () => {
    stage.model.open();
    expect(watched.offences).toEqual([]);
    await watched.close();
  });

  const leading = async (caseId: string) =>
    (await stage.world.platform.store.record.getCase(caseId))!.leadingRunId;
  // Another model is asked again, and doubts what the first one was sure of.
  const aBatch = async () => {
    stage.model.reply = answer('medium');
    const settings = { model: 'doubting-model' };
    const { batchId } = await stage.world.platform.rerun.createBatch({ caseIds, settings });
    return batchId!;
  };
  const opened = async (id: string) => {
    await page.goto('/improve/trials');
    await page.locator(`a[href="/batches/${id}"]`).click();
    await page.getByText('ready to apply').waitFor();
  };
  const confirmed = (name: string) =>
    page.getByRole('alertdialog').getByRole('button', { name, exact: true }).click();

  it('R18 S4-62 replays a case, and shows that the two runs are the same', async () => {
    await page.goto(`/cases/${caseIds[0]}?tab=history`);
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.waitForURL(/with=/);
    await page.getByRole('heading', { name: 'The same outcome, confidence, citations' }).waitFor();
    expect(await graveProblems(page)).toEqual([]);
  });

  it('S4-62 follows a batch until it is made, shows a flipped case side by side, and discards it', async () => {
    const id = await aBatch();
    const before = await Promise.all(caseIds.map(leading));
    await opened(id);
    await page.getByText('3 of 3').first().waitFor();
    await page.getByRole('row').nth(1).getByText('flipped').waitFor();
    expect(await graveProblems(page)).toEqual([]);
    await page.getByRole('link', { name: 'side by side' }).first().click();
    await page.getByRole('region', { name: 'Differences' }).getByText('flipped').waitFor();
    await page.getByRole('table', { name: 'Two runs side by side' }).waitFor();
    await page.goto(`/batches/${id}`);
    await page.getByRole('button', { name: 'Discard' }).click();
    await confirmed('Discard');
    await page.getByText('discarded').first().waitFor();
    expect(await Promise.all(caseIds.map(leading))).toEqual(before);
  });

  it('S4-62 pauses, resumes and discards a batch from another step of its trial', async () => {
    stage.model.shut();
    const filter = { playbook: 'scam-verdict', disposition: 'act' as const };
    const settings = { model: 'slow-model' };
    const { batchId } = await stage.world.platform.rerun.createBatch({ filter, settings });
    const stateOf = async () => (await stage.world.platform.store.batches.get(batchId!))?.state;
    await page.goto(`/batches/${batchId}`);
    const steps = page.getByRole('region', { name: 'Steps of the trial' });
    await steps.getByRole('link', { name: 'Shadow' }).click();
    await steps.getByRole('button', { name: 'Pause' }).click();
    await steps.getByRole('button', { name: 'Resume' }).click();
    await steps.getByRole('button', { name: 'Pause' }).click();
    await steps.getByRole('button', { name: 'Resume' }).waitFor();
    expect(await stateOf()).toBe('paused');
    await steps.getByRole('button', { name: 'Discard' }).click();
    await confirmed('Discard');
    await steps.getByText('discarded').waitFor();
    expect(await stateOf()).toBe('discarded');
  });

  it('S4-62 S4-59 applies a batch, shows what a person decided and what is unchanged, and keeps both', async () => {
    const person = caseIds[0]!;
    await page.goto(`/cases/${person}`);
    await page.getByRole('button', { name: 'Agree' }).waitFor();
    await page.keyboard.press('a');
    await page.getByRole('region', { name: 'Feedback' }).getByText('console agrees').waitFor();
    const before = await leading(person);
    const id = await aBatch();
    await opened(id);
    await page.getByText('3 flipped · 1 decided by a person').waitFor();
    await page.getByRole('row').filter({ hasText: 'noon' }).getByText('decided by a person').waitFor();
    expect(await problemsAtWidths(page, '/batches/ID', 'light')).toEqual([]);
    await page.getByRole('checkbox', { name: /noon/, disabled: true, checked: false }).waitFor();
    await page.getByRole('checkbox', { name: /two/ }).uncheck();
    await page.getByRole('button', { name: 'Apply' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('1 message is sent, each with the run that it replaces').waitFor();
    await dialog.getByText('1 case decided by a person keeps its answer').waitFor();
    await dialog.getByText('1 case not chosen keeps its verdict').waitFor();
    expect(await graveProblems(page)).toEqual([]);
    await confirmed('Apply');
    await page.getByText('1 decided by a person · 1 applied · 1 sent · 1 not chosen').waitFor();
    const { members } = await stage.world.platform.store.batches.members(id, 10, 0);
    const kept = [person, caseIds[2]];
    for (const { caseId, runId, baseRunId } of members)
      expect(await leading(caseId)).toBe(kept.includes(caseId) ? baseRunId : runId);
    expect(await leading(person)).toBe(before);
    const one = members.find(({ caseId }) => !kept.includes(caseId))!;
    await page.goto(`/cases/${one.caseId}`);
    await page.locator(`a[aria-current="true"][href*="${one.runId}"]`).waitFor();
    const again = await aBatch();
    await opened(again);
    await page.getByRole('row').filter({ hasText: 'one' }).getByText('unchanged').waitFor();
    await page.getByRole('button', { name: 'Apply' }).click();
    await confirmed('Apply');
    await page.getByText('1 decided by a person · 1 applied · 1 sent · 1 unchanged').waitFor();
    expect(await leading(one.caseId)).toBe(one.runId);
  });

  it('S4-62 counts what was degraded, and judges it again only after a confirmation', async () => {
    stage.model.reply = { content: 'I would rather not say.', reasoning: '' };
    const text = scamAt('eight');
    const { caseId } = await stage.world.accept({
      playbook: 'scam-verdict',
      text,
      collect: false,
    });
    const [before] = (await stage.world.ended(caseId)).runs;
    stage.model.reply = answer('high');
    expect(before!.verdict).toMatchObject({ degraded: true, method: 'heuristic' });
    await page.goto('/improve/trials');
    const batches = async () => (await stage.world.platform.store.batches.list(100)).length;
    const count = await batches();
    await page.getByRole('button', { name: /^Judge (it|the \d+) again/ }).click();
    const start = page.getByRole('alertdialog').getByRole('button', { name: /^Judge \d+ cases? again$/ });
    await start.waitFor();
    expect(await graveProblems(page)).toEqual([]);
    await confirmed('Cancel');
    expect(await batches()).toBe(count);
    await page.getByRole('button', { name: /^Judge (it|the \d+) again/ }).click();
    await start.click();
    await page.waitForURL(/\/batches\/./);
    const row = page.getByRole('row').filter({ hasText: text });
    await row.getByText('act').waitFor();
    // The answer is readable now, so that it is cross-examined too.
    await row.getByText('not the same, 2 model calls').waitFor();
    expect(await graveProblems(page)).toEqual([]);
    // The case keeps its verdict until the batch is applied.
    expect(await leading(caseId)).toBe(before!.id);
  });

  it('S4-59 takes one key for an agreement with the verdict, and shows who said what', async () => {
    stage.model.reply = answer('high');
    const text = scamAt('three');
    const { caseId } = await stage.world.accept({
      playbook: 'scam-verdict',
      text,
      collect: false,
    });
    await stage.world.ended(caseId);
    await page.goto(`/cases/${caseId}`);
    await page.getByRole('button', { name: 'Agree' }).waitFor();
    await page.keyboard.press('a');
    await page.getByRole('region', { name: 'Feedback' }).getByText('console agrees').waitFor();
    expect(await graveProblems(page)).toEqual([]);
    const query = { caseId, limit: 10 };
    expect((await stage.world.platform.store.feedback.find(query))?.feedback).toMatchObject([
      { agrees: true, by: 'console' },
    ]);
  });
}
