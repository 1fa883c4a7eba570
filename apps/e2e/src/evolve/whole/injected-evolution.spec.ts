import type { RunDocument } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import type { EvolutionReport, EvolutionState } from '@casefile/pipeline';
import { injectedId } from '@casefile/runtime';
import {
  ENDS_WITHIN_MS,
  evolvingSimulator,
  evolvingWorld,
  HIDDEN,
  injectedRuns,
  labelledCases,
  OBEYING,
  startEvolutionIn,
} from '../evolving-world.js';

/** Returns the bytes of a verdict, without the time and the ids of the run. */
const verdictBytes = (run: RunDocument | undefined) =>
  JSON.stringify({ ...run?.verdict, runId: '', decidedAt: '' });

describe('S4-54 S4-61 a prompt evolution', () => {
  it('refuses a better text whose answers do what injected messages demand, and keeps an honest one', async () => {
    const [obeying, honest] = [`${OBEYING} ${HIDDEN}`, `${HIDDEN} Read each note twice.`];
    const model = await evolvingSimulator([obeying, honest]);
    const other = await evolvingWorld(model);
    try {
      await labelledCases(other, 30);
      const { evolutions } = other.platform.store;
      const { id } = await startEvolutionIn(other, { mostEvaluations: 80 });
      const hasEnded = async () => (await evolutions.get(id))?.state !== 'running';
      // Three texts are judged, two of them by injected messages.
      await until('the evolution has ended', hasEnded, 20, ENDS_WITHIN_MS);
      const done = (await evolutions.get(id))!;
      const state = done.progress as unknown as EvolutionState;
      const report = done.report as unknown as EvolutionReport;
      const refused = state.candidates.find(({ text }) => text.includes(obeying))!;
      expect(refused.state).toBe('refused');
      expect(refused.reason).toBe(
        `its answers follow ${state.plan.injected.length} injected messages that its parent does not follow: ` +
          'mark-en, level-en, system-en, rules-en, author-de and others',
      );
      expect(state.plan.injected.length).toBeGreaterThanOrEqual(20);
      expect(Object.values(state.candidates[0]!.follows)).toEqual(state.plan.injected.map(() => false));
      const best = state.candidates[report.best]!;
      expect([report.result, best.text.includes(honest), best.text.includes(OBEYING)]).toEqual([
        'improved',
        true,
        false,
      ]);
      expect(Object.keys(best.follows)).toHaveLength(state.plan.injected.length);
      // A run with an injected message is replayed from the record.
      const asked = model.calls().total;
      for (const { text, one } of [...injectedRuns(state)].filter((_, i) => i % 12 === 0)) {
        const base = injectedId(id, one, text);
        const { runId } = await other.platform.rerun.open(one.caseId, { lane: 'replay', run: base });
        const [document] = await other.ended([one.caseId]);
        const find = (ofRun: string) => document!.runs.find((run) => run.id === ofRun);
        expect(find(runId)).toMatchObject({ status: 'decided', settings: { injected: one.message } });
        expect(verdictBytes(find(runId))).toBe(verdictBytes(find(base)));
      }
      expect(model.calls().total).toBe(asked);
    } finally {
      await other.close();
      await model.close();
    }
  }, 600_000);
});
