import type { CaseDocument, RunRecord } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import type { BehaviourInput } from '@casefile/llm-simulator/script';
import { startSimulator, type Simulator } from '@casefile/llm-simulator/simulator';
import { configuredWorld, type ConfiguredWorld } from './testing/configured-world.js';

const anAlert = () => ({
  playbook: 'scam-verdict',
  text: `Your parcel ${Math.random()} can be fetched, see http://parcel-fee.top/pay`,
});
/** Every call of a model that hangs takes this long. Otherwise the deadline is one that a busy machine meets. */
const SHORT_DEADLINE_MS = 2_000;
const LONG_DEADLINE_MS = 120_000;

describe('S1-17 nothing is dismissed without a review', () => {
  let simulator: Simulator;
  let world: ConfiguredWorld;

  /** @param openSeconds how long a circuit stays open: mostly short, so that no test waits for it. */
  const start = async (yaml: string, { provider = 'simulator', openSeconds = 1 } = {}) => {
    const llm = { LLM_PROVIDER: provider, LLM_BASE_URL: simulator.baseUrl };
    const circuit = `{ openSeconds: ${openSeconds}, pauseSeconds: ${openSeconds} }`;
    world = await configuredWorld(`calls: { firstWaitMs: 20, circuit: ${circuit} }\n${yaml}`, llm);
  };
  const judge = async (alert: object): Promise<CaseDocument> => {
    const { caseId } = await world.accept(alert);
    return (await world.ended([caseId]))[0]!;
  };
  const newest = ({ runs }: CaseDocument): RunRecord => runs.at(-1)!;
  // A provider is probed only when its circuit's time is over: until then the same alert joins the verdict there is.
  const judgeAgain = async (alert: object, before: CaseDocument): Promise<CaseDocument> => {
    const isJudgedAgain = async () => {
      const { caseId, runId, verdictOf } = await world.accept(alert);
      expect(caseId).toBe(before.id);
      if (runId !== newest(before).id) return true;
      expect(verdictOf).toMatchObject({ runId, degraded: true });
      return false;
    };
    await until('the alert is judged again', isJudgedAgain, 250);
    return (await world.ended([before.id]))[0]!;
  };

  beforeAll(async () => void (simulator = await startSimulator()));
  afterEach(async () => {
    simulator.reset();
    await world.close();
  });
  afterAll(() => simulator.close());

  it.each<[string, BehaviourInput, string, string]>([
    ['answers 500', { kind: 'status', status: 500 }, 'model_out', 'model out'],
    ['refuses the key', { kind: 'status', status: 401 }, 'model_out', 'model out'],
    ['hangs', { kind: 'hang' }, 'timeout', 'timeout'],
    ['answers in prose', { kind: 'answer', content: 'This looks fine.' }, 'unreadable', 'answer unreadable'],
  ])(
    'a model that %s: review, marked, and judged by the model once it is well again',
    async (_what, then, cause, note) => {
      simulator.setScript({ then });
      const deadlineMs = cause === 'timeout' ? SHORT_DEADLINE_MS : LONG_DEADLINE_MS;
      await start(`playbooks: { scam-verdict: { deadlineMs: ${deadlineMs} } }`);
      const alert = anAlert();
      const found = await judge(alert);
      expect(newest(found).verdict).toMatchObject({
        disposition: 'review',
        method: 'heuristic',
        outcome: { riskLevel: 'unconfirmed' },
        degraded: true,
        degradedBy: [cause],
        degradedNote: note,
      });
      simulator.reset();
      let anew = found;
      // On a busy machine a model that answers can miss a short deadline too: the next alert is judged again.
      await until('a model answers in time', async () => {
        anew = await judgeAgain(alert, anew);
        return newest(anew).verdict?.degradedBy.includes('timeout') !== true;
      });
      expect(anew.id).toBe(found.id);
      expect(newest(anew).verdict).toMatchObject({ method: 'llm', degraded: false, degradedBy: [] });
    },
  );

  it('a circuit that is open is named as the reason, and a joining alert gets its time', async () => {
    simulator.setScript({ then: { kind: 'status', status: 402, code: 'insufficient_quota' } });
    await start('', { openSeconds: 600 });
    await judge(anAlert());
    const alert = anAlert();
    const found = await judge(alert);
    const { verdict, id } = newest(found);
    expect(verdict).toMatchObject({ disposition: 'review', degradedBy: ['model_out'], method: 'heuristic' });
    expect(verdict?.reasons.join(' ')).toContain('its provider is out and was not asked');
    expect(found.runs[0]?.interactions).toEqual([]);
    const joined = await world.accept(alert);
    expect(joined).toMatchObject({
      joined: true,
      runId: id,
      verdictOf: { runId: id, degradedNote: 'model out' },
    });
    const again = await world.accept(alert, { again: true });
    expect(again.caseId).toBe(found.id);
    expect(again.runId).not.toBe(id);
    await world.ended([found.id]);
  });

  it('a budget without room: review, marked, and the next alert is judged again', async () => {
    await start('budgets: { day: { tokens: 10 } }');
    const alert = anAlert();
    const found = await judge(alert);
    expect(newest(found).verdict).toMatchObject({
      disposition: 'review',
      degradedBy: ['budget'],
      degradedNote: 'budget',
      method: 'heuristic',
    });
    expect(simulator.calls().total).toBe(0);
    expect(newest(await judgeAgain(alert, found)).id).not.toBe(newest(found).id);
  });

  it('no model configured: rules decide, which is no degradation, and a link that no tool cleared is no dismissal', async () => {
    await start('', { provider: 'none' });
    const { verdict } = newest(await judge(anAlert()));
    expect(verdict).toMatchObject({ disposition: 'review', method: 'heuristic', degraded: false });
  });
});
