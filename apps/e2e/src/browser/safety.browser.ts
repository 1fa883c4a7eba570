import { openPage } from './watched-page.js';
import type { Stage } from './stage.js';

/** Markup that would run, load or send something if it were not shown as text. */
const HOSTILE = [
  '<script>window.ran = 1; alert(1)</script>',
  '<img src=x onerror="window.ran = 1; alert(2)">',
  '<svg onload="window.ran = 1; alert(3)"></svg>',
  '<iframe src="https://elsewhere.example/frame"></iframe>',
  '<style>@import url(https://elsewhere.example/style.css);</style>',
  '<link rel="stylesheet" href="https://elsewhere.example/link.css">',
  '![pixel](https://elsewhere.example/pixel.png)',
  '[press](javascript:window.ran=1)',
  '[press](data:text/html,<script>alert(4)</script>)',
  '<a href="javascript:alert(5)" id="verdict">x</a>',
].join('\n\n');

const reply = {
  reasoning: `Reasoning ${HOSTILE}`,
  content: JSON.stringify({
    riskLevel: 'high',
    confidence: 91,
    evidenceUsed: ['E1', '<b>E2</b>'],
    explanation: `Answer [E1] ${HOSTILE}`,
  }),
};
const alert = {
  playbook: 'scam-verdict',
  text: `Alert ${HOSTILE}`,
  collect: false,
  source: '<img src=x onerror=alert(6)>',
  labels: { '<b>name</b>': HOSTILE.slice(0, 900) },
  evidence: [
    {
      toolName: '<img src=x onerror=alert(7)>',
      entityType: 'url',
      entityValue: HOSTILE,
      source: HOSTILE.slice(0, 400),
      result: { found: true, [`<img src=x onerror=alert(8)>`]: HOSTILE },
    },
    {
      toolName: 'exa_search',
      entityType: 'url',
      entityValue: HOSTILE,
      result: null,
      success: false,
      reason: 'timeout',
      message: HOSTILE,
    },
  ],
};

/** Tests that pages show outside words and model output as text. */
export function isSafe(stage: Stage): void {
  let caseId: string;
  beforeAll(async () => {
    stage.model.reply = reply;
    ({ caseId } = await stage.world.accept(alert));
    await stage.world.ended(caseId);
    const id = stage.world.platform.ids.id();
    const letter = { id, reasonCode: 'intake_failed', message: HOSTILE, payload: { text: HOSTILE } };
    await stage.world.platform.store.deadLetters.bury(letter);
  });

  it('S2-32 runs nothing and leaves the origin nowhere, on every page that shows it', async () => {
    const { page, offences, close } = await openPage(stage.browser, stage.origin, { baseURL: stage.origin });
    const openAll = 'document.querySelectorAll("details").forEach((it) => (it.open = true))';
    await page.goto(`/cases/${caseId}?tab=trace`);
    await page.getByRole('button', { name: 'Show all of it' }).first().click();
    for (const name of ['Prompt', 'Response as received', 'Answer']) {
      await page.getByRole('tab', { name }).first().click();
    }
    await page.evaluate(openAll);
    const timesIn = (text: string) => text.split('window.ran = 1; alert(1)').length - 1;
    // The page shows all of it as text: in the reasoning and the answer, in the history, and in the record.
    expect(timesIn(await page.locator('main').innerText())).toBeGreaterThan(0);
    for (const tab of ['history', 'raw']) {
      await page.goto(`/cases/${caseId}?tab=${tab}`);
      await page.getByRole('region', { name: tab, exact: false }).first().waitFor();
      await page.evaluate(openAll);
    }
    await page.goto(`/cases/${caseId}`);
    await page.getByRole('article', { name: 'Evidence E1' }).waitFor();
    await page.getByRole('region', { name: 'Report' }).waitFor();
    await page.evaluate(openAll);
    // In the alert, the evidence and the report.
    expect(timesIn(await page.locator('main').innerText())).toBeGreaterThan(4);
    await page.goto('/cases');
    await page.getByRole('link', { name: 'Alert' }).first().waitFor();
    await page.goto('/inbox?type=letter');
    await page.getByText('taking it in failed').first().waitFor();
    await page.locator('details > summary').first().click();
    expect(await page.evaluate('window.ran')).toBeUndefined();
    expect(
      await page.locator('main img[src*="elsewhere"], main iframe, main script, main [onerror]').count(),
    ).toBe(0);
    expect(await page.locator('a[href^="javascript"], a[href^="data:"]').count()).toBe(0);
    expect(offences).toEqual([]);
    await close();
  });

  it('S2-32 shows links of a model as what they are, and passes nothing on to where they lead', async () => {
    const { page, close } = await openPage(stage.browser, stage.origin, { baseURL: stage.origin });
    stage.model.reply = {
      ...stage.model.reply,
      content:
        '{"riskLevel":"high","confidence":90,"explanation":"See https://elsewhere.example/a","evidenceUsed":[]}',
    };
    const { caseId: linked } = await stage.world.accept({
      playbook: 'scam-verdict',
      text: 'Links',
      collect: false,
    });
    await stage.world.ended(linked);
    await page.goto(`/cases/${linked}?tab=trace`);
    const link = page.locator('.md a[href^="https://elsewhere.example"]').first();
    await link.waitFor();
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer nofollow');
    await close();
  });
}
