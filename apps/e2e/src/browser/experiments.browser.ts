import type { PostgresStore } from '@casefile/store';
import type { Page } from 'playwright-core';
import { countOutcomes } from '../testing/experiments.js';
import { until } from '@casefile/contracts/testing';
import { graveProblems } from './axe.js';
import { pressKeys } from './press-keys.js';
import type { Stage } from './stage.js';
import { openPage, type WatchedPage } from './watched-page.js';

/** Tests an experiment by keyboard: begun as a step of a trial, watched, stepped back, reset and promoted. */
export function runsExperiments(stage: Stage): void {
  let watched: WatchedPage;
  let page: Page;
  beforeEach(async () => {
    const content = {
      riskLevel: 'high',
      confidence: 90,
      explanation: 'It asks for money.',
      evidenceUsed: [],
    };
    stage.model.reply = { content: JSON.stringify(content), reasoning: 'Strangers ask for money.' };
    watched = await openPage(stage.browser, stage.origin, { baseURL: stage.origin });
    ({ page } = watched);
  });
  afterEach(async () => {
    expect(watched.offences).toEqual([]);
    await watched.close();
  });

  // A button is disabled while another act is under way.
  const press = async (name: string) =>
    page.getByRole('button', { name, exact: true, disabled: false }).press('Enter');
  const act = async (name: string, reason: string) => {
    await page.getByLabel('Reason', { exact: true }).fill(reason);
    await press(name);
  };
  const state = async (words: string) =>
    page.getByRole('heading', { level: 1 }).getByText(words, { exact: true }).waitFor();

  it('S4-51 S4-57 begins an experiment as a step of a trial, watches it, resets its step back, and promotes it', async () => {
    await page.goto('/');
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await pressKeys(page, 'g', 'm');
    const kinds = page.getByRole('navigation', { name: 'Kinds' });
    await kinds.getByRole('link', { name: 'Scam verdict' }).press('Enter');
    await page.getByRole('combobox', { name: 'Version', exact: true }).selectOption('2');
    await press('Open the trial');
    await page.getByRole('button', { name: /^Judge \d+ cases? again$/ }).waitFor();
    expect(await graveProblems(page)).toEqual([]);
    const steps = page.getByRole('region', { name: 'Steps of the trial' });
    await steps.getByRole('link', { name: '10 %' }).press('Enter');
    await page.getByLabel('Share of the new cases, in percent').fill('0');
    await page.getByLabel('Reason').fill('right in more cases');
    await press('Begin');
    await page.getByRole('alert').getByText('share').waitFor();
    await page.getByLabel('Share of the new cases, in percent').fill('50');
    expect(await graveProblems(page)).toEqual([]);
    await page.getByLabel('Reason').press('Enter');
    await page.getByRole('heading', { level: 1, name: 'prompt answer: version 2' }).waitFor();
    await state('running');

    const { platform } = stage.world;
    const store = platform.store as PostgresStore;
    const id = page.url().split('/').at(-1)!;
    await until('new runs have an arm', async () =>
      platform.rollout.current().experiments.some((one) => one.id === id),
    );
    for (const hour of ['noon', 'one', 'two', 'three']) {
      const text = `Send money before ${hour}.`;
      const { caseId } = await stage.world.accept({ playbook: 'scam-verdict', text, collect: false });
      await stage.world.ended(caseId);
    }
    await page
      .getByText(/^[1-4] of [1-4] · 100 %/)
      .first()
      .waitFor();
    await page.getByText('more cases').first().waitFor();
    expect(await graveProblems(page)).toEqual([]);
    await page.getByLabel('New weight, in percent').fill('100');
    await act('Set the weight', 'it looks well');
    await steps.getByText('100 % of the new cases').first().waitFor();

    await act('Pause the new arm', 'complaints');
    await page.getByText('The flag of the new arm is off').waitFor();
    await act('Resume the new arm', 'no complaint was right');
    await page.getByText('The flag of the new arm is on').waitFor();

    await countOutcomes(store, id, { control: '.......', changed: '.xxxxxx' });
    await state('stepped back');
    await page
      .getByText('The experiment prompt answer: version 2 stepped back: arm new failed 6 times in a row')
      .waitFor();
    expect(await graveProblems(page)).toEqual([]);
    await act('Reset the step back', 'the provider was misconfigured');
    await state('stopped');
    await page.getByText('stepped back: arm new').waitFor({ state: 'detached' });
    await act('Promote to all cases', 'as good');
    await state('promoted');
    await steps.getByRole('listitem').filter({ hasText: 'All' }).getByText('promoted').waitFor();
    await page.getByText('promoted new: as good').waitFor();
    await page
      .getByRole('navigation', { name: 'Improve' })
      .getByRole('link', { name: 'Trials' })
      .press('Enter');
    await page.getByRole('link', { name: 'prompt answer: version 2' }).first().waitFor();
  });

  it('S4-50 S4-55 shows how often both arms of a shadow experiment agree, and a differing case side by side', async () => {
    const api = async (path: string, body: object) => {
      const answer = await fetch(`${stage.origin}/api/v1/experiments${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...body, by: 'ann', reason: 'try' }),
      });
      return (await answer.json()) as { id: string };
    };
    const arms = [
      { name: 'control', settings: {} },
      { name: 'rules', settings: { strategy: 'heuristic' } },
    ];
    const about = { name: 'rules alone', playbook: 'scam-verdict', mode: 'shadow', share: 1, budgetUsd: 1 };
    const { id } = await api('', { ...about, arms });
    await api(`/${id}/start`, {});
    // The model finds nothing where the rules find a scam, so its verdict needs a person and theirs does not.
    const harmless = { riskLevel: 'low', confidence: 90, explanation: 'A prize was won.', evidenceUsed: [] };
    stage.model.reply = { content: JSON.stringify(harmless), reasoning: 'Somebody won a prize.' };
    for (const hour of ['noon', 'one']) {
      const text = `You won $5,000! Pay the fee of $20 in gift cards before ${hour} at https://prize-claim.example/pay or your account is blocked.`;
      const alert = { playbook: 'scam-verdict', text };
      const { caseId } = await stage.world.accept(alert);
      await stage.world.ended(caseId);
    }
    await page.goto(`/experiments/${id}`);
    await page.getByRole('heading', { name: '2 cases differ' }).waitFor();
    await page.getByRole('region', { name: 'Disposition: control in rows, new arm in columns' }).waitFor();
    await page.getByText('Same: 0 of 2 · 0 %').first().waitFor();
    expect(await graveProblems(page)).toEqual([]);
    await api(`/${id}/stop`, {});
    await page
      .getByRole('link', { name: /side by side$/ })
      .first()
      .press('Enter');
    await page.getByRole('heading', { name: /differences/ }).waitFor();
  });
  it('S4-58 shows whoever promotes an arm what its prompt adds to the live version', async () => {
    const post = async (path: string, body: object) => {
      const answer = await fetch(`${stage.origin}/api/v1${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...body, by: 'ann' }),
      });
      return (await answer.json()) as { id: string; version: number };
    };
    const prompt = '/prompts/scam-verdict/answer';
    const shown = await fetch(`${stage.origin}/api/v1${prompt}`);
    const { versions } = (await shown.json()) as { versions: { version: number; state: string }[] };
    const live = versions.find((one) => one.state === 'live')!.version;
    const read = await fetch(`${stage.origin}/api/v1${prompt}/versions/${live}`);
    const { text } = (await read.json()) as { text: string };
    const own = text.replace('Rules:', 'Weigh each sign thrice.\n\nRules:');
    const { version } = await post(`${prompt}/versions`, { text: own, message: 'thrice', parent: live });
    const arms = [
      { name: 'control', settings: {} },
      { name: 'thrice', settings: { prompts: { answer: version } } },
    ];
    const { id } = await post('/experiments', {
      name: 'weigh thrice',
      playbook: 'scam-verdict',
      mode: 'ab',
      share: 0.5,
      arms,
      reason: 'try',
    });
    await post(`/experiments/${id}/start`, { reason: 'try' });
    await page.goto(`/experiments/${id}`);
    await page
      .getByRole('list', { name: `Sentences that version ${version} adds to the live version` })
      .getByText('Weigh each sign thrice.', { exact: true })
      .waitFor();
    await page.getByRole('link', { name: `answer, version ${version}: text and origin` }).waitFor();
    expect(await graveProblems(page)).toEqual([]);
    await post(`/experiments/${id}/stop`, { reason: 'seen' });
  });
}
