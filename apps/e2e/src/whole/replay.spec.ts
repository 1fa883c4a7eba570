import { startSimulator, type Simulator } from '@casefile/llm-simulator/simulator';
import { recordSamples, requestHashes, verdictBytes } from '../testing/recorded-samples.js';
import { simulatedModel } from '../testing/simulated-model.js';
import { inlineWorld, type World } from '../testing/world.js';

describe('a replay', () => {
  let world: World;
  let simulator: Simulator;
  const modelCalls = () => simulator.calls().total;
  beforeAll(async () => {
    simulator = await startSimulator();
    world = await inlineWorld(simulatedModel(simulator));
  });
  afterAll(async () => {
    await world.close();
    await simulator.close();
  });

  it('R18 S4-62 makes verdicts again that a failing provider degraded, with the failures that they had', async () => {
    simulator.setScript({ faults: { seed: 7, percent: { serverError: 30, malformed: 30, empty: 10 } } });
    // Other kinds wait until the provider is back, and are not degraded.
    const fallsBack = world.platform.config.playbooks.filter(({ onOutage }) => onOutage === 'fallback');
    // A run that waits for the answer of another one is woken by the sweeper.
    world.platform.sweeper.start();
    const degraded = await recordSamples(world, 4, ({ playbook }) =>
      fallsBack.some(({ name }) => name === playbook),
    );
    await world.platform.sweeper.stop();
    simulator.setScript({});
    const before = modelCalls();
    for (const one of degraded) {
      const { runId, baseRunId } = await world.platform.rerun.open(one.id, { lane: 'replay' });
      const { runs } = await world.ended(one.id);
      const find = (id: string) => runs.find((each) => each.id === id)!;
      const [base, run] = [find(baseRunId), find(runId)];
      expect([one.playbook, run.message]).toEqual([one.playbook, null]);
      expect(verdictBytes(run)).toBe(verdictBytes(base));
      expect(requestHashes(run)).toEqual(requestHashes(base));
    }
    expect(degraded.filter(({ runs }) => runs[0]!.verdict?.degraded === true).length).toBeGreaterThan(3);
    expect(modelCalls()).toBe(before);
  });
});
