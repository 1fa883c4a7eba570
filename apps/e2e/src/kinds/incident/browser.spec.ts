import { temporaryFolder } from '@casefile/contracts/testing';
import { startSimulator, type Simulator } from '@casefile/llm-simulator/simulator';
import type { Browser } from 'playwright-core';
import { alertNumber, answer, configureIncident } from '../../boundary-run/scripted-incident.js';
import { simulatedModel } from '../../testing/simulated-model.js';
import { until } from '@casefile/contracts/testing';
import { graveProblems } from '../../browser/axe.js';
import { startChromium } from '../../browser/chromium.js';
import { consoleWorld, type ConsoleWorld } from '../../browser/console-world.js';
import { openPage, type WatchedPage } from '../../browser/watched-page.js';

const TOOLS = ['deployments', 'disk_usage', 'logs', 'metrics'].map((tool) => `cluster__${tool}`);

describe('incidents in the dashboard', () => {
  let [simulator, world, browser, watched]: [Simulator, ConsoleWorld, Browser, WatchedPage] = [] as never;
  beforeAll(async () => {
    simulator = await startSimulator({ answer });
    const { config } = configureIncident(temporaryFolder('incident'), 'queue');
    const model = simulatedModel(simulator);
    [world, browser] = await Promise.all([consoleWorld(model, { CASEFILE_CONFIG: config }), startChromium()]);
    const origin = new URL(world.consoleUrl).origin;
    watched = await openPage(browser, origin, { baseURL: origin });
  }, 400_000);
  afterAll(async () => {
    await browser?.close();
    await world?.close();
    await simulator?.close();
  });

  it('S2-42 tools of a server are not called until somebody approves them, entry by entry, in the page', async () => {
    const { page } = watched;
    await page.goto('/operate');
    await page.getByRole('link', { name: 'Tools' }).click();
    const server = page.getByRole('region', { name: 'cluster' });
    await server.getByText('ready', { exact: true }).waitFor();
    await server
      .getByText('new', { exact: true })
      .nth(TOOLS.length - 1)
      .waitFor();
    expect(await server.getByText('new', { exact: true }).count()).toBe(TOOLS.length);
    for (const name of TOOLS) {
      const line = server.getByRole('listitem').filter({ hasText: name });
      await line.getByText('Not called until it is approved').click();
      await line.getByText('inputSchema').first().waitFor();
      await line.getByRole('button', { name: `Approve ${name} as it is now` }).click();
      await line.getByText('approved', { exact: true }).waitFor();
    }
    expect(await graveProblems(page)).toEqual([]);
    const { tools } = world.platform;
    await until('the approvals are in force', () => tools.offers(TOOLS).tools.length === TOOLS.length);
  });

  it('S2-50 an investigation shows its causes with the words they rest on, its rounds and its look-ups', async () => {
    const { page } = watched;
    const payload = { title: 'DiskAlmostFull', alert: alertNumber(1) };
    const { caseId } = await world.accept({ playbook: 'incident', payload });
    await page.goto(`/cases/${caseId}`);
    const card = page.getByRole('region', { name: 'Investigation' });
    await card.getByText('3 turns').waitFor();
    const causes = card.getByRole('region', { name: 'Likely causes' });
    expect(await causes.innerText()).toMatch(/90 %\s+The replication slot replica_2 is inactive/);
    expect(await causes.innerText()).toContain('terminating walsender for replica_2');
    expect(await card.getByRole('region', { name: 'Recommended actions' }).innerText()).toContain('risk low');
    await card.getByText('Analyses after each round (2)').click();
    await card.getByText('The disk of db-1 is well.').first().waitFor();
    await card.getByText('Looked up (6)').click();
    expect(await card.getByRole('list', { name: 'Look-ups' }).getByRole('listitem').count()).toBe(6);
    const runbook = card.locator('p').filter({ hasText: 'The disk of a database is almost full' });
    expect(await runbook.getByRole('link', { name: 'E1' }).getAttribute('href')).toBe('#E1');
    expect(await graveProblems(page)).toEqual([]);
    await page.goto('/operate/tools');
    const metrics = page.getByRole('listitem').filter({ hasText: 'cluster__metrics' });
    await metrics.getByText('1 call, 0 % failed').waitFor();
  });

  it('T-61 a data source is added, probed and removed on the page of tools', async () => {
    const { page, offences } = watched;
    await page.goto('/operate/tools');
    await page.getByRole('button', { name: 'Add a data source' }).click();
    const form = page.getByRole('form', { name: 'New data source' });
    await form.getByRole('button', { name: 'Add and probe' }).click();
    await form.getByRole('alert').filter({ hasText: 'expected the address of Prometheus' }).waitFor();
    await form.getByLabel('Address').fill('http://127.0.0.1:9');
    await form.getByRole('button', { name: 'Add and probe' }).click();
    const source = page.getByRole('region', { name: 'prometheus', exact: true });
    await source.getByText('The connection to 127.0.0.1:9 failed').waitFor();
    await source.getByText('prometheus__query').waitFor();
    expect(await graveProblems(page)).toEqual([]);
    await source.getByRole('button', { name: 'Remove prometheus' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No data sources').waitFor();
    expect(offences).toEqual([]);
  });

  it('S2-41 a runbook shows for which alerts it is taken, and its text', async () => {
    const { page, offences } = watched;
    await page.goto('/settings');
    await page.getByRole('link', { name: 'Knowledge' }).click();
    await page.getByRole('link', { name: 'The disk of a database is almost full' }).click();
    await page.getByText('alerts of type DiskAlmostFull with service=orders-db').waitFor();
    await page.getByText('Never delete files in').waitFor();
    expect(await graveProblems(page)).toEqual([]);
    expect(offences).toEqual([]);
  });
});
