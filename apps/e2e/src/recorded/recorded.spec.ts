import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { startSimulator } from '@casefile/llm-simulator/simulator';
import type { CaseDocument, LanguageModel } from '@casefile/contracts';
import { diffRuns } from '@casefile/pipeline';
import type { PostgresStore } from '@casefile/store';
import { recordSamples, requestHashes, verdictBytes } from '../testing/recorded-samples.js';
import { restoreCase, type RecordedCase, type RecordedRelease } from '../testing/restore-case.js';
import { rewordedPrompts } from '../testing/reworded-prompts.js';
import { simulatedModel } from '../testing/simulated-model.js';
import { inlineWorld, type World } from '../testing/world.js';

/**
 * Cases as releases recorded them, a file for each release, which is never changed: `RECORD_RELEASE=0.1.0` writes that of a
 * release that has none. A prompt or rule that changes what is asked shows here first.
 */
const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json.gz'));
const { RECORD_RELEASE: release } = process.env;
const OTHERS = { CASEFILE_PROMPTS: rewordedPrompts() };

/** There is none: whatever is asked of it fails. */
const unreachable: LanguageModel = {
  provider: 'simulator',
  model: 'unreachable',
  complete: () => Promise.reject(new Error('a model was asked')),
};

const readRelease = (file: string): RecordedRelease =>
  JSON.parse(gunzipSync(readFileSync(`${FOLDER}/${file}`)).toString('utf8')) as RecordedRelease;

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

/** An installation that has these texts of prompts, and the records of a release. */
async function installed(file: string, prompts: Record<string, string>): Promise<RecordedRelease & World> {
  const recorded = readRelease(file);
  world = await inlineWorld(unreachable, prompts);
  await world.platform.store.prompts.keep(recorded.prompts);
  return { ...recorded, ...world };
}

describe('cases that releases have recorded', () => {
  it.each(
    files.flatMap((file) => [
      [file, 'the shipped prompts', {}] as const,
      [file, 'prompts that all say something else', OTHERS] as const,
    ]),
  )(
    'R18 S4-62 %s are made again byte for byte under %s, with no model, no tool and no knowledge',
    async (file, _under, prompts) => {
      const { cases, platform, ended } = await installed(file, prompts);
      expect(new Set(cases.map(({ playbook }) => playbook)).size).toBeGreaterThanOrEqual(4);
      const { store, rerun } = platform;
      for (const recorded of cases) {
        await restoreCase((store as unknown as PostgresStore).database, recorded);
        const { runId } = await rerun.open(recorded.run.caseId, { lane: 'replay' });
        await ended(recorded.run.caseId);
        const run = (await store.record.getRun(runId))!;
        expect([recorded.playbook, run.message]).toEqual([recorded.playbook, null]);
        expect(verdictBytes(run)).toBe(verdictBytes(recorded.run));
        expect(requestHashes(run)).toEqual(requestHashes(recorded.run));
        expect(diffRuns(recorded.run, run)).toMatchObject({ same: true, firstDivergence: null });
        expect(run.settings.promptIds).toEqual(recorded.run.settings.promptIds);
      }
      expect(cases.some(({ run }) => run.interactions.length > 3)).toBe(true);
    },
  );

  it.each(files)('S4-55 S4-62 %s have no answer to prompts that say something else', async (file) => {
    const { cases, platform, ended } = await installed(file, OTHERS);
    const { store, rerun, config } = platform;
    for (const recorded of cases) {
      const kind = config.playbooks.find(({ name }) => name === recorded.playbook)!;
      await restoreCase((store as unknown as PostgresStore).database, recorded);
      const { caseId, settings } = recorded.run;
      const [name] = Object.keys(settings.promptIds) as [string];
      const present = Object.values(kind.strategies).flatMap(({ prompts }) => Object.entries(prompts));
      const id = config.prompts.of(present.find(([of]) => of === name)![1]).id;
      const prompts = { [name]: id };
      const { runId } = await rerun.open(caseId, { lane: 'replay', settings: { prompts } });
      await ended(caseId);
      const run = (await store.record.getRun(runId))!;
      expect(run).toMatchObject({ status: 'stopped', reasonCode: 'evidence_miss' });
      expect(run.message).toContain('Now in other words');
      expect(run.settings.promptIds[name]).toBe(id);
      expect(id).toContain('#');
    }
  });

  it('has a file of this release at least', () => expect(files).not.toEqual([]));
});

/** Of each kind, the shortest records: with a model's answers, and with tools asked. */
function picked(cases: CaseDocument[]): CaseDocument[] {
  return [...new Set(cases.map(({ playbook }) => playbook))].flatMap((kind) =>
    cases
      .filter(({ playbook, runs: [run] }) => playbook === kind && run!.interactions.length > 0)
      .sort((a, b) => JSON.stringify(a).length - JSON.stringify(b).length)
      .slice(0, 2),
  );
}

(release === undefined ? it.skip : it)('writes the file of a release', async () => {
  const simulator = await startSimulator();
  const recording = await inlineWorld(simulatedModel(simulator));
  try {
    const cases = picked(await recordSamples(recording)).map(
      ({ playbook, alerts: [alert], runs: [run] }): RecordedCase => ({ playbook, alert: alert!, run: run! }),
    );
    const [{ draw } = { draw: null }] = cases.flatMap(({ run }) => run.interactions);
    const prompts = await recording.platform.store.prompts.get(draw?.prompts ?? '');
    const recorded: RecordedRelease = { release: release!, prompts: prompts!, cases };
    writeFileSync(`${FOLDER}/${release}.json.gz`, gzipSync(JSON.stringify(recorded)), { flag: 'wx' });
  } finally {
    await recording.close();
    await simulator.close();
  }
});
