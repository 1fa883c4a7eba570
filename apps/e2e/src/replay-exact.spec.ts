import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSamples } from '@casefile/cli/up/samples';
import type { CaseDocument, JsonObject, LanguageModel, RunDocument } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import { diffRuns } from '@casefile/pipeline';
import { startSimulator, type Simulator } from '@casefile/llm-simulator/simulator';
import { requestHashes, verdictBytes } from './testing/recorded-samples.js';
import { simulatedModel } from './testing/simulated-model.js';
import { ended, inlineWorld, type World } from './testing/world.js';

let simulator: Simulator;
let world: World | null = null;

beforeAll(async () => void (simulator = await startSimulator()));
afterEach(async () => {
  simulator.reset();
  await world?.close();
  world = null;
});
afterAll(() => simulator.close());

// Some kinds wait for a person where there is no money left.
const over = ({ platform }: World, caseId: string): Promise<CaseDocument> =>
  ended(platform, caseId, undefined, ['decided', 'stopped', 'quarantined', 'parked']);

async function replayed(at: World, { id }: CaseDocument): Promise<{ base: RunDocument; run: RunDocument }> {
  const { runId, baseRunId } = await at.platform.rerun.open(id, { lane: 'replay' });
  const { runs } = await over(at, id);
  const find = (ofRun: string) => runs.find((run) => run.id === ofRun)!;
  return { base: find(baseRunId), run: find(runId) };
}

function expectSame({ base, run }: { base: RunDocument; run: RunDocument }): void {
  expect([run.status, run.reasonCode, run.message]).toEqual([base.status, base.reasonCode, base.message]);
  expect(verdictBytes(run)).toBe(verdictBytes(base));
  expect(requestHashes(run)).toEqual(requestHashes(base));
  expect(diffRuns(base, run)).toMatchObject({ same: true, firstDivergence: null });
}

describe('R18 a replay of a run whose model was not asked', () => {
  it('because a budget had no room is refused as it was', async () => {
    const file = join(temporaryFolder('refused'), 'own.yaml');
    writeFileSync(file, 'budgets: { day: { tokens: 10 } }\n');
    world = await inlineWorld(simulatedModel(simulator), { CASEFILE_CONFIG: file });
    const { alerts } = await readSamples();
    const kinds = world.platform.config.playbooks.filter(({ onOutage }) => onOutage === 'fallback');
    let refused = 0;
    for (const { name } of kinds) {
      const { caseId } = await world.accept(alerts.find(({ playbook }) => playbook === name)!);
      const found = await over(world, caseId);
      const replay = await replayed(world, found);
      expectSame(replay);
      refused += replay.base.trace.filter(({ type }) => type === 'interaction.refused').length;
      const events = (run: RunDocument) =>
        run.trace.filter(({ type }) => type === 'interaction.refused').map(({ data }) => data);
      expect(events(replay.base).every(({ stage, round }) => stage === 'reason' && round === 1)).toBe(true);
    }
    expect(refused).toBeGreaterThan(0);
    expect(simulator.calls().total).toBe(0);
  });
});

describe('R18 S2-40 a replay of a run whose alert was over meanwhile', () => {
  const alert = (status: string, startsAt = '2026-03-02T08:55:00Z'): JsonObject => ({
    playbook: 'incident',
    source: 'alertmanager',
    payload: {
      alert: {
        status,
        labels: { alertname: 'DiskAlmostFull', severity: 'critical', instance: 'db-2' },
        annotations: { summary: 'The disk of db-2 is 97 % full' },
        startsAt,
        endsAt: status === 'firing' ? '0001-01-01T00:00:00Z' : '2026-03-02T09:10:00Z',
        fingerprint: 'exact',
      },
    },
  });

  /** A model during whose question the sender reports something while its n-th question is on its way. */
  function during(n: number, say: () => Promise<unknown>): LanguageModel {
    const model = simulatedModel(simulator);
    let asked = 0;
    return {
      ...model,
      complete: async (request, options) => {
        if ((asked += 1) === n) await say();
        return model.complete(request, options);
      },
    };
  }

  it.each([1, 2, 3])('while question %i was asked has the result of the run', async (n) => {
    const at = await inlineWorld(during(n, () => world!.accept(alert('resolved'))));
    world = at;
    const { caseId } = await at.accept(alert('firing'));
    const found = await at.ended(caseId);
    expect(found.resolvedAt).toEqual(expect.any(String));
    const replay = await replayed(at, found);
    expectSame(replay);
    // The trace holds the resolution that the run read. It holds none if the last question had begun.
    const resolutions = replay.base.trace.filter(({ type }) => type === 'resolution.read');
    const { answer } = replay.base.artifacts.find(({ artifact }) => artifact === 'draft')!.body;
    expect(resolutions.map(({ data }) => data['resolvedAt'] ?? null)).toEqual(
      [(answer as JsonObject)['resolvedAt']].filter((it) => it !== null),
    );
  });

  it('and fires again has the result of the run', async () => {
    const at = await inlineWorld(during(1, () => world!.accept(alert('resolved'))));
    world = at;
    const { caseId } = await at.accept(alert('firing'));
    await at.ended(caseId);
    await at.accept(alert('firing', '2026-03-02T10:00:00Z'));
    const [first] = (await at.ended(caseId)).runs;
    const { runId } = await at.platform.rerun.open(caseId, { lane: 'replay', run: first!.id });
    const { runs } = await at.ended(caseId);
    expectSame({ base: first!, run: runs.find(({ id }) => id === runId)! });
  });
});
