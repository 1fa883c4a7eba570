import type { Page, Route } from 'playwright-core';
import { openPage, type WatchedPage } from './watched-page.js';
import type { Stage } from './stage.js';

/**
 * Tests pages whose first read is slower than the events about the same data: no later event corrects them.
 */
export function missesNothing(stage: Stage): void {
  let watched: WatchedPage;
  let page: Page;
  beforeEach(async () => {
    const { origin } = stage;
    stage.model.reply = {
      reasoning: '',
      content: JSON.stringify({
        riskLevel: 'high',
        confidence: 91,
        evidenceUsed: [],
        explanation: 'It asks for money.',
      }),
    };
    watched = await openPage(stage.browser, origin, { baseURL: origin });
    ({ page } = watched);
  });
  afterEach(async () => {
    stage.model.open();
    expect(watched.offences).toEqual([]);
    await watched.close();
  });

  /**
   * Opens `path` on a page that is already live. The response of the first request for `resource` is from before the
   * verdict of a case and arrives after the events of that verdict. Returns the id of the case.
   */
  async function openDuringVerdict(text: string, path: string, resource: string): Promise<string> {
    stage.model.shut();
    const alert = { playbook: 'scam-verdict', text, collect: false };
    const { caseId } = await stage.world.accept(alert);
    await page.goto('/cases/new');
    // Problem: updates arrive, and a condition of this world is an error.
    await page
      .getByRole('status')
      .getByText(/^(Live|Problem)$/)
      .waitFor();
    const hold = async (route: Route): Promise<void> => {
      const response = await route.fetch();
      const body = await response.text();
      stage.model.open();
      await stage.world.ended(caseId);
      // The page sends this request after an event, or after 5 s in any case.
      await page.waitForRequest('**/api/v1/inbox**');
      await route.fulfill({ response, body });
    };
    await page.route(resource.replace(':id', caseId), hold, { times: 1 });
    await page.evaluate(`history.pushState(null, '', '${path.replace(':id', caseId)}')`);
    return caseId;
  }

  it('S2-32 shows a verdict that was decided while the page of its case loaded', async () => {
    await openDuringVerdict('Slow case: pay the fee today', '/cases/:id', '**/api/v1/cases/:id');
    const why = page.getByRole('article', { name: 'Why this verdict' });
    await why.getByText('Risk level high with confidence 91').waitFor();
    expect(await page.getByText('under way').count()).toBe(0);
  });

  it('S2-31 shows a verdict that was decided while the list of cases loaded', async () => {
    const caseId = await openDuringVerdict('Slow list: pay the fee now', '/cases', '**/api/v1/cases?**');
    const row = page.getByRole('row').filter({ has: page.locator(`[data-case="${caseId}"]`) });
    await row.getByText('unclear', { exact: true }).waitFor();
  });
}
