import { startSimulator } from '@casefile/llm-simulator/simulator';
import { importSamplePolicy, sampleBundles } from '../testing/sample-policy.js';
import { simulatedModel } from '../testing/simulated-model.js';
import { graveProblems } from './axe.js';
import { until } from '@casefile/contracts/testing';
import type { Stage } from './stage.js';
import { openPage } from './watched-page.js';

/** Tests that pages show a run that waits for a person, and can continue it. */
export function saysParked(stage: Stage): void {
  // Also after a failure, so that later tests on the stage have their model and no budget.
  afterEach(() => {
    stage.model.instead = null;
    delete stage.world.platform.config.settings.budgets.playbook['policy-check'];
  });

  it('S2-32 says of a parked run that it is parked and why, links its dead letter, and redrives it', async () => {
    const { world, model } = stage;
    await importSamplePolicy(world.platform.knowledge.policies);
    const simulator = await startSimulator();
    model.instead = simulatedModel(simulator);
    const { playbook: budgets } = world.platform.config.settings.budgets;
    budgets['policy-check'] = { tokens: 900, soft: 0.8 };
    const [payload] = sampleBundles;
    const { caseId, runId } = await world.accept({ playbook: 'policy-check', payload });
    const { page, offences, close } = await openPage(stage.browser, stage.origin, { baseURL: stage.origin });
    await page.goto('/operate/cost');
    const budget = page.getByRole('meter', { name: 'Budget per day, playbook policy-check' });
    await budget.waitFor();
    expect(await budget.getAttribute('aria-label')).toContain('0 of 900 tokens');
    await page.goto(`/cases/${caseId}`);
    const why = page.getByRole('article', { name: 'Why this verdict' });
    await why
      .getByText('The run was parked in the stage reason and waits until an operator redrives it')
      .waitFor();
    const trouble = page.getByRole('status').filter({ hasText: 'Parked' });
    expect(await trouble.innerText()).toContain('a budget is used up');
    const criteria = page.getByRole('region', { name: 'Criteria' });
    await until('every criterion is parked', async () => (await criteria.getByText('parked').count()) === 3);
    expect(await page.getByText('under way').count()).toBe(0);
    expect(await page.getByText('Duration so far').count()).toBe(0);
    expect(await page.getByText('This page follows it').count()).toBe(0);
    expect(await graveProblems(page)).toEqual([]);

    await trouble.getByRole('link', { name: 'Its dead letter' }).click();
    await page.waitForURL(`**/inbox?type=letter&q=${runId}`);
    await page.getByRole('link', { name: caseId }).click();
    delete budgets['policy-check'];
    await trouble.getByRole('button', { name: 'Redrive' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Redrive' }).click();
    await page.getByText('The run was redriven').waitFor();
    await why.getByText('No verdict').waitFor({ state: 'detached' });
    expect((await world.ended(caseId)).status).toBe('decided');
    await simulator.close();
    expect(offences).toEqual([]);
    await close();
  });
}
