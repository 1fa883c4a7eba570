import type { PolicyBase } from '@casefile/knowledge';
import { startSimulator } from '@casefile/llm-simulator/simulator';
import type { Page } from 'playwright-core';
import { importSamplePolicy, sampleBundles } from '../testing/sample-policy.js';
import { simulatedModel } from '../testing/simulated-model.js';
import { CHECKED_CASE, checkedCase } from './checked-case.js';
import { QUOTE, REASONING, type CheckedPolicy } from './checked-results.js';
import { WALK_MS } from './sample-stage.js';
import { openPage, type WatchedPage } from './watched-page.js';
import type { Stage } from './stage.js';
import { problemsAtWidths, type Look } from './widths.js';

/** A policy, a case that passed the whole flow, and a page on which CHECKED_CASE has every result. */
interface Checks {
  policy: CheckedPolicy;
  caseId: string;
  page: Page;
}

/** The policy and the case of a stage, which all tests on it share. */
const cases = new WeakMap<Stage, ReturnType<typeof preparesCase>>();

async function preparesCase(stage: Stage): Promise<Pick<Checks, 'policy' | 'caseId'>> {
  const policy = await samplePolicy(stage.world.platform.knowledge.policies);
  return { policy, caseId: await checkedBySimulator(stage) };
}

/** Prepares a policy and its cases, and opens a page for each test. Filled before the first test. */
function preparesChecks(stage: Stage): Checks {
  const checks = {} as Checks;
  let watched: WatchedPage;
  beforeAll(async () => {
    const prepared = cases.get(stage) ?? preparesCase(stage);
    cases.set(stage, prepared);
    Object.assign(checks, await prepared);
  });
  beforeEach(async () => {
    watched = await openPage(stage.browser, stage.origin, { baseURL: stage.origin });
    checks.page = watched.page;
    const body = JSON.stringify(checkedCase(checks.policy));
    const answer = { contentType: 'application/json', body };
    await watched.page.route(`**/api/v1/cases/${CHECKED_CASE}`, (route) => route.fulfill(answer));
  });
  afterEach(async () => {
    expect(watched.offences).toEqual([]);
    await watched.close();
  });
  return checks;
}

/** Tests the pages of policies, and of a case that was checked against one, with every result. */
export function showsChecks(stage: Stage): void {
  const checks = preparesChecks(stage);
  let policy: CheckedPolicy;
  let caseId: string;
  let page: Page;
  beforeEach(() => {
    ({ policy, caseId, page } = checks);
  });

  const marked = () => page.locator('mark');
  const section = (name: string) => page.getByRole('article', { name: `Section ${name}` });

  it('S4-14 leads from the list of policies to a section, by mouse and by keyboard', async () => {
    await page.goto('/settings');
    await page.getByRole('link', { name: 'Knowledge' }).click();
    await page.getByRole('link', { name: policy.title }).click();
    const tree = page.getByRole('tree', { name: 'Sections' });
    await tree.getByRole('treeitem', { name: '4 Notice of a claim' }).click();
    await page.waitForURL(/\?node=\d+$/);
    // It is open already, because it is the shown one: right enters it, down moves on.
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await section('4.2').getByText('within 21 days of the loss date').waitFor();
    expect(await tree.locator('[aria-selected="true"]').innerText()).toContain('4.2');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect(await tree.locator(':focus').getAttribute('aria-expanded')).toBe('false');
    await section('4.2').getByRole('link', { name: '4.1 Notice' }).click();
    await section('4.1').getByText('within 30 days').waitFor();
    await page.keyboard.press('j');
    await section('4.2').waitFor();
  });

  it('S4-14 says which policy, version or section is not there, and when nothing could be read', async () => {
    await page.goto('/policies/claims-handling/versions/9');
    await page.getByText('has no version 9; the current one is 1').waitFor();
    await page.goto('/policies/claims-handling/versions/current?node=9999');
    await page.getByText('This version has no section "9999"').waitFor();
    await page.route('**/sections?ids=*', (route) => route.abort());
    await page.goto(`/policies/claims-handling/versions/1?node=${policy.section('4.1').nodeId}`);
    await page.getByRole('alert').getByText('The section could not be read').waitFor();
    await page.unroute('**/sections?ids=*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await section('4.1').getByText('within 30 days').waitFor();
  });

  it('S4-21 leads from a verified quote to its words in the policy, and says when they are not there', async () => {
    await page.goto(`/cases/${CHECKED_CASE}`);
    await page.getByRole('button', { name: 'Was the claim notified' }).click();
    await page.waitForURL(/\?criterion=notice$/);
    await page.getByRole('link', { name: '4.1 Notice of household claims' }).first().click();
    expect(await marked().innerText()).toBe('A household claim must be notified to us within 30 days');
    expect(new URL(page.url()).searchParams.get('node')).toBe(policy.section('4.1').nodeId);
    await page.goBack();
    await page.getByText('The policy has nothing on “extension of the period”').waitFor();
    await page.goto(
      `/policies/claims-handling/versions/1?node=${policy.section('4.2').nodeId}&quote=within+99+days`,
    );
    await page.getByText('These words are not in this section').waitFor();
    expect(await marked().count()).toBe(0);
  });

  it('S4-20 S4-21 shows the result of every criterion, the claims, and the refuted citations', async () => {
    await page.goto(`/cases/${CHECKED_CASE}?criterion=excess`);
    const criteria = page.getByRole('region', { name: 'Criteria' });
    await criteria.getByText('1 met · 2 uncertain').waitFor();
    await criteria.getByText('too little confidence for an answer').waitFor();
    await criteria.getByText('the model did not finish within its turns').waitFor();
    const text = await criteria.innerText();
    for (const words of [
      'not met with 90 %',
      'uncertain with 25 %',
      'Escape of water: £350.',
      'It is: 2000 GBP',
      'This version of the policy has no such section.',
    ]) {
      expect(text).toContain(words);
    }
    await page.getByText('How it was decided').click();
    await page.getByText('All 3 criteria have to be met: 1 met · 2 uncertain.').waitFor();
    const elsewhere = policy.section('4.1').nodeId;
    await criteria.getByRole('link', { name: `section ${elsewhere}` }).click();
    await marked().waitFor();
  });

  it('S4-24 shows the trace turn by turn, all of an observation without asking again, and the reasoning', async () => {
    // A stream that opens late makes the page read everything again.
    await page.route('**/api/v1/events', (route) => route.abort());
    await page.goto(`/cases/${CHECKED_CASE}?criterion=notice`);
    const trace = page.getByRole('region', { name: 'Trace' });
    await trace.getByRole('heading', { name: 'Turn 2' }).waitFor();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    const all = trace.getByText('Show all', { exact: true }).first();
    await all.click();
    await trace.getByRole('group', { name: 'the result of pi_search' }).first().waitFor();
    // Pages poll the state of the system. They must not request the case again.
    expect(requests.filter((url) => url.includes('/cases'))).toEqual([]);
    for (const words of ['cached', '1.3 s', '34 ms', '1,200 in, 80 out', 'Model call']) {
      expect(await trace.innerText()).toContain(words);
    }
    await trace.getByRole('link', { name: 'the whole reasoning' }).first().click();
    await page.locator('#interaction-i1.is-target').getByText(REASONING).waitFor();
    await page.goto(`/cases/${CHECKED_CASE}?criterion=estimates`);
    await trace.getByText('finish only').waitFor();
    await trace.getByText('there is no such tool').waitFor();
    const criteria = page.getByRole('region', { name: 'Criteria' });
    expect((await criteria.innerText()).split('onerror="window.ran = 1"').length).toBe(5);
    expect(await criteria.locator('img, .md a[href]').count()).toBe(0);
    expect(await page.evaluate('window.ran')).toBeUndefined();
  });

  it('S4-20 lets links of a report lead to policies in the page, and nowhere else of its own', async () => {
    await page.goto(`/cases/${CHECKED_CASE}`);
    await page.getByText('Report', { exact: true }).click();
    const report = page.locator('.report');
    await report.getByText('elsewhere').waitFor();
    expect(await report.locator('.md a[href]').count()).toBe(1);
    await page.evaluate('window.stays = true');
    await report.getByRole('link', { name: '4.1 Notice' }).click();
    await section('4.1').waitFor();
    expect(await page.evaluate('window.stays')).toBe(true);
  });

  it('S4-20 S4-24 shows a case that a simulated model has checked, from criterion to the words it cites', async () => {
    await page.goto(`/cases/${caseId}`);
    await page.getByRole('heading', { level: 1, name: 'Burst washing machine hose' }).waitFor();
    const criteria = page.getByRole('region', { name: 'Criteria' });
    await criteria.getByRole('button', { name: 'Was the claim notified' }).click();
    const trace = criteria.getByRole('region', { name: 'Trace' });
    await trace.getByRole('link', { name: 'pi_search' }).first().waitFor();
    await trace.getByRole('link', { name: 'the whole reasoning' }).first().waitFor();
    await criteria.locator('.grounds q + a').first().click();
    await marked().waitFor();
    await page.goBack();
    await page.getByText('Report', { exact: true }).click();
    const report = page.locator('.report');
    await report.locator('a[href^="/policies/claims-handling/versions/1?node="]').first().click();
    await page.getByRole('heading', { level: 1, name: 'Tarnwick Mutual' }).waitFor();
  });
}

/**
 * Tests that these pages are accessible in these looks.
 * @param criteria Criteria of the case whose results are opened.
 */
export function checksAreAccessible(stage: Stage, looks: Look[], criteria: readonly string[]): void {
  const checks = preparesChecks(stage);

  it.each(looks)(
    'S2-32 has nothing that axe calls serious or critical in the look %s, nor scrolls sideways',
    async (look) => {
      const { page, policy } = checks;
      await page.emulateMedia({ colorScheme: look === 'dark' ? 'dark' : 'light' });
      const node = policy.section('4.1').nodeId;
      const problems: string[] = [];
      for (const path of [
        '/policies',
        `/policies/claims-handling/versions/1?node=${node}&quote=${encodeURIComponent(QUOTE)}`,
        ...criteria.map((id) => `/cases/${CHECKED_CASE}?criterion=${id}`),
      ]) {
        await page.goto(path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        if (path.includes('?')) await page.locator('mark, .criterion-open').waitFor();
        problems.push(...(await problemsAtWidths(page, path, look)));
      }
      expect(problems).toEqual([]);
    },
    WALK_MS,
  );
}

async function samplePolicy(store: PolicyBase): Promise<CheckedPolicy> {
  const key = await importSamplePolicy(store);
  const nodes = await store.policyTree(key);
  const ids = nodes.map(({ nodeId }) => nodeId);
  const sections = await store.policySections(key, ids);
  const { title = '' } = (await store.policyVersion(key.policyId)) ?? {};
  return {
    ...key,
    title,
    section: (name) => {
      const match = sections.find((section) => section.title.startsWith(name));
      if (match === undefined) throw new Error(`the sample has no section ${name}`);
      return match;
    },
  };
}

/** Checks the first sample case with a simulated model. Resolves with its document when it is decided. */
async function checkedBySimulator({ model, world }: Stage): Promise<string> {
  const simulator = await startSimulator();
  model.instead = simulatedModel(simulator);
  const [payload] = sampleBundles;
  const { caseId } = await world.accept({ playbook: 'policy-check', payload });
  const document = await world.ended(caseId);
  model.instead = null;
  await simulator.close();
  expect(document.runs[0]?.verdict?.outcome['criteria']).toHaveLength(3);
  return caseId;
}
