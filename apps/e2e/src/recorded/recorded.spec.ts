import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { startSimulator } from '@casefile/llm-simulator/simulator';
import type { CaseDocument, LanguageModel } from '@casefile/contracts';
import { diffRuns } from '@casefile/pipeline';
import type { PostgresStore } from '@casefile/store';
import { recordSamples, requestHashes, verdictBytes } from '../testing/recorded-samples.js';
import { restoreCase, type RecordedCase } from '../testing/restore-case.js';
import { simulatedModel } from '../testing/simulated-model.js';
import { inlineWorld, type World } from '../testing/world.js';

/**
 * Cases as releases recorded them, a file for each release, which is never changed: `RECORD_RELEASE=0.1.0` writes that of a
 * release that has none. A prompt or rule that changes what is asked shows here first.
 */
const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json.gz'));
const { RECORD_RELEASE: release } = process.env;

/** There is none: whatever is asked of it fails. */
const unreachable: LanguageModel = {
  provider: 'simulator',
  model: 'unreachable',
  complete: () => Promise.reject(new Error('a model was asked')),
};

let world: World;
beforeAll(async () => {
  world = await inlineWorld(unreachable);
});
afterAll(() => world.close());

describe('cases that releases have recorded', () => {
  it.each(files)(
    'R18 S4-62 %s are made again byte for byte, with no model, no tool and no knowledge',
    async (file) => {
      const cases = JSON.parse(
        gunzipSync(readFileSync(`${FOLDER}/${file}`)).toString('utf8'),
      ) as RecordedCase[];
      expect(new Set(cases.map(({ playbook }) => playbook)).size).toBeGreaterThanOrEqual(4);
      const { store, rerun } = world.platform;
      for (const recorded of cases) {
        await restoreCase((store as unknown as PostgresStore).database, recorded);
        const { runId } = await rerun.open(recorded.run.caseId, { lane: 'replay' });
        await world.ended(recorded.run.caseId);
        const run = (await store.getRun(runId))!;
        expect([recorded.playbook, run.message]).toEqual([recorded.playbook, null]);
        expect(verdictBytes(run)).toBe(verdictBytes(recorded.run));
        expect(requestHashes(run)).toEqual(requestHashes(recorded.run));
        expect(diffRuns(recorded.run, run)).toMatchObject({ same: true, firstDivergence: null });
      }
      expect(cases.some(({ run }) => run.interactions.length > 3)).toBe(true);
    },
  );

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
      ({ playbook, alerts: [alert], runs: [run] }): RecordedCase => ({
        release: release!,
        playbook,
        alert: alert!,
        run: run!,
      }),
    );
    writeFileSync(`${FOLDER}/${release}.json.gz`, gzipSync(JSON.stringify(cases)), { flag: 'wx' });
  } finally {
    await recording.close();
    await simulator.close();
  }
});
