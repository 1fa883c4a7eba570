import { createHash, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import {
  evolutionReport,
  promptName,
  readPrompt,
  type CaseScore,
  type EvolutionState,
} from '@casefile/pipeline';
import type { Browser, Page } from 'playwright-core';
import { HIDDEN, labelledCases, PRICED, PROMPT, startEvolutionIn } from '../../evolve/evolving-world.js';
import { until } from '@casefile/contracts/testing';
import { startChromium } from '../chromium.js';
import { consoleWorld, type ConsoleWorld } from '../console-world.js';
import { gatedModel } from '../gated-model.js';
import { openPage, type WatchedPage } from '../watched-page.js';
import { problemsAtWidths } from '../widths.js';

const NAME = `${PROMPT.playbook}/${PROMPT.name}`;
const PATH = `/prompts/${NAME}`;
const REPLY = { riskLevel: 'low', confidence: 90, explanation: 'Judged by its group.', evidenceUsed: [] };
const model = gatedModel({ content: JSON.stringify(REPLY), reasoning: 'It is a note.' });

let [world, browser, watched]: [ConsoleWorld, Browser, WatchedPage] = [] as never;
let page: Page;
beforeAll(async () => {
  const config = join(temporaryFolder('evolutions'), 'config.yaml');
  writeFileSync(config, JSON.stringify(PRICED));
  const settings = { CASEFILE_CONFIG: config, LLM_PROVIDER: 'simulator', LLM_BASE_URL: 'http://127.0.0.1:9' };
  [world, browser] = await Promise.all([consoleWorld(model, settings), startChromium()]);
  const { origin } = new URL(world.consoleUrl);
  watched = await openPage(browser, origin, { baseURL: origin });
  ({ page } = watched);
}, 400_000);
afterAll(async () => {
  model.open();
  await browser?.close();
  await world?.close();
});

const store = () => world.platform.store;
// A button is disabled while another act is under way.
const press = async (name: string) =>
  page.getByRole('button', { name, exact: true, disabled: false }).press('Enter');
async function act(name: string, note: string): Promise<void> {
  await page.getByLabel('Note on the evolution').fill(note);
  await press(`${name} the evolution`);
}
const startWith = async (budget: string) => {
  await page.getByLabel('Budget in US dollars').fill(budget);
  await page.getByLabel('Budget in US dollars').press('Enter');
};

const scored = (score: number): CaseScore => ({
  score,
  parts: { citations: null, coherence: null, calibration: score, status: score },
});

/** Puts an evolution on the record that has found a better text and added it. Returns the version. */
async function finished(): Promise<number> {
  const { id, progress } = await startEvolutionIn(world);
  const before = progress as unknown as EvolutionState;
  const [live] = before.candidates;
  const text = (sentence: string) => live!.text.replace('Rules:\n', `${sentence}\n\nRules:\n`);
  const cases = [...before.plan.validation, ...before.plan.heldOut];
  const scores = (of: (place: number) => number) =>
    Object.fromEntries(cases.map((caseId, place) => [caseId, scored(of(place))]));
  const best = text(HIDDEN);
  const own = { parent: 0, reason: null, follows: {} };
  const state: EvolutionState = {
    ...before,
    evaluations: 40,
    candidates: [
      { ...live!, scores: scores((place) => (place % 4) / 10) },
      { ...own, text: text('Read it twice.'), round: 0, state: 'not_better', scores: {} },
      { ...own, text: best, round: 1, state: 'kept', scores: scores(() => 1) },
    ],
  };
  const installed = world.platform.config.prompts.installed;
  const { prompt, shipped } = installed.find((one) => promptName(one.prompt.id) === NAME)!;
  const read = readPrompt(prompt, best, shipped.source);
  if ('problems' in read) throw new Error(read.problems.join('; '));
  const { id: textId, source } = read.text;
  const { version } = await store().promptVersions.add({
    ...PROMPT,
    id: textId,
    sha256: createHash('sha256').update(source).digest('hex'),
    text: source,
    parent: 2,
    actId: randomUUID(),
    by: 'ann',
    reason: `evolution ${id}`,
  });
  expect(await store().evolutions.keep(id, 0, state as unknown as JsonObject)).toBe(true);
  const report = evolutionReport(state) as unknown as JsonObject;
  expect(report).toMatchObject({ result: 'improved', best: 2 });
  expect(await store().evolutions.finish(id, 1, { report, version: version.version })).toBe(true);
  return version.version;
}

describe('evolutions in the dashboard', () => {
  it('S4-61 an evolution is refused with too few labels, started, paused, resumed and stopped by keyboard', async () => {
    await until('a prompt is live', async () =>
      (await store().promptVersions.list(PROMPT)).some(({ state }) => state === 'live'),
    );
    await page.goto(PATH);
    await page.getByText('No evolution yet.').waitFor();
    await startWith('5');
    await page.getByRole('alert').getByText('20 are missing').waitFor();
    await labelledCases(
      {
        accept: (alert) => world.accept(alert),
        ended: async (ids) => {
          for (const id of ids) await world.ended(id);
        },
        platform: { store: store() },
      },
      20,
    );
    // Evaluations wait, so that the evolution does not end by itself.
    model.shut();
    await press('Start an evolution');
    const section = page.getByRole('region', { name: 'Evolutions' });
    await section.getByText('running', { exact: true }).waitFor();
    await section.getByText(/^0 of at most 2000 evaluations/).waitFor();
    await act('Pause', 'prices');
    await section.getByText('paused', { exact: true }).waitFor();
    await page.getByLabel('New budget in US dollars').fill('8');
    await act('Resume', 'cheaper now');
    await section.getByText('running', { exact: true }).waitFor();
    await section.getByText(/of \$8/).waitFor();
    expect(await problemsAtWidths(page, PATH, 'light')).toEqual([]);
    await act('Stop', 'another one');
    await section.getByText('stopped', { exact: true }).waitFor();
    expect(watched.offences).toEqual([]);
  }, 400_000);

  it('S4-61 a finished evolution shows its report, its texts with their changes, and its candidate', async () => {
    const version = await finished();
    await page.goto(PATH);
    const section = page.getByRole('region', { name: 'Evolutions' });
    await section.getByText(`candidate: version ${version}`).waitFor();
    await section.getByText('The best text is better on the held-out cases.').waitFor();
    await section.getByRole('heading', { name: 'Held-out cases' }).waitFor();
    await section.getByText('made from text 0: not better than its parent').waitFor();
    await section.getByText('made from text 0: kept, score 1.000').waitFor();
    await section.getByText('Changes of text 2').press('Enter');
    await section.getByLabel('Text 2 against text 0').getByText(`+ ${HIDDEN}`).waitFor();
    expect(await problemsAtWidths(page, PATH, 'light')).toEqual([]);
    await page.getByRole('link', { name: `version ${version}`, exact: true }).press('Enter');
    await page.getByLabel(`Version ${version} against version 2`).getByText(`+ ${HIDDEN}`).waitFor();
    const added = page.getByRole('list', {
      name: `Sentences that version ${version} adds to the live version`,
    });
    await added.getByText(HIDDEN, { exact: true }).waitFor();
    expect(watched.offences).toEqual([]);
  }, 400_000);
});
