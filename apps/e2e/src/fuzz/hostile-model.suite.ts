import { importSamplePolicy, sampleBundles } from '../testing/sample-policy.js';
import { configuredWorld, type ConfiguredWorld } from '../testing/configured-world.js';
import { startHostileModel, type HostileModel } from './hostile-model.js';

/** Tests that these answers of a hostile model decide nothing. Names of `HOSTILE_MESSAGES`. */
export function withstandsHostileModels(names: readonly string[]): void {
  let answer = '';
  let model: HostileModel;
  let world: ConfiguredWorld;

  beforeAll(async () => {
    // Of the size that is drawn: the largest.
    model = await startHostileModel(
      (n) => n - 1,
      () => answer,
    );
    const llm = { LLM_PROVIDER: 'simulator', LLM_BASE_URL: model.url };
    world = await configuredWorld('calls: { firstWaitMs: 20 }', llm);
    await importSamplePolicy(world.platform.knowledge.policies);
  });
  afterAll(async () => {
    await world.close();
    model.close();
  });

  it.each(names)(
    'E-04 that gives %s keeps no case from its verdict, has it decide nothing, and leaves a small record',
    async (name) => {
      answer = name;
      const asked = model.answered();
      const text = `Pay ${name} at http://parcel-fee.top/pay`;
      const alerts = [
        { playbook: 'scam-verdict', text },
        { playbook: 'policy-check', payload: sampleBundles[0]! },
      ];
      const accepted = await Promise.all(alerts.map((alert) => world.accept(alert)));
      const found = await world.ended(accepted.map(({ caseId }) => caseId));
      expect(model.answered()).toBeGreaterThan(asked);
      for (const { runs } of found) {
        const run = runs.at(-1)!;
        expect(run.status).toBe('decided');
        // The rules may have found a scam; nothing is cleared.
        expect(run.verdict?.disposition).not.toBe('dismiss');
        expect(run.verdict?.degraded).toBe(true);
        // Of a call's arguments 2,000 characters are kept, of a body a bounded part.
        for (const call of run.toolCalls) expect(JSON.stringify(call.args).length).toBeLessThan(40_000);
        expect(run.interactions.length).toBeLessThan(100);
      }
    },
  );
}
