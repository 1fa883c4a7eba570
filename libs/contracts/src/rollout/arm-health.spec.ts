import { seededRandom } from '../seeded-random.js';
import { areBothFailing, countOutcome, newArmHealth, type ArmPair, type ArmRule } from './arm-health.js';
import { stepBackRule, type StepBackCause } from './step-back.js';

const arms = (limit = 0.05, asksSameModel = true): ArmRule => ({
  rule: stepBackRule(limit),
  asksSameModel,
  isOutage: (fault) => fault === 'network',
});

interface Step {
  arm: 'control' | 'new';
  fault: string | null;
}
/** Counts the steps, one a second, until the new arm steps back. */
function count(
  steps: Iterable<Step>,
  rule = arms(),
): ArmPair & { cause: StepBackCause | null; cases: number } {
  let pair: ArmPair & { cause: StepBackCause | null } = {
    control: newArmHealth('control'),
    changed: newArmHealth('new'),
    cause: null,
  };
  let cases = 0;
  for (const { arm, fault } of steps) {
    cases += 1;
    const at = new Date(Date.UTC(2026, 0, 5) + cases * 1_000).toISOString();
    pair = countOutcome(pair, arm, { runId: `r${cases}`, event: `${cases}.1`, at, fault }, rule);
    if (pair.cause !== null) break;
  }
  return { ...pair, cases };
}

function* traffic(
  seed: number,
  most: number,
  share: number,
  fault: (arm: Step['arm'], at: number, random: () => number) => string | null,
): Generator<Step> {
  const random = seededRandom(seed);
  for (let at = 0; at < most; at += 1) {
    const arm = random() < share ? 'new' : 'control';
    yield { arm, fault: fault(arm, at, random) };
  }
}
const SEEDS = Array.from({ length: 15 }, (_, seed) => seed + 1);

describe('the health of the arms of an experiment', () => {
  it.each([0.1, 0.5, 0.9])('steps back an arm that fails alone, at a share of %d (S4-57)', (share) => {
    for (const seed of SEEDS) {
      const { cause, changed } = count(
        traffic(seed, 3_000, share, (arm) => (arm === 'new' ? 'invalid_answer' : null)),
      );
      expect(cause).not.toBeNull();
      expect(changed.cases).toBeLessThanOrEqual(15);
    }
  });

  it.each([0.1, 0.5, 0.9])(
    'does not step back in an outage of both arms, at a share of %d (S4-57)',
    (share) => {
      for (const seed of SEEDS) {
        const isOut = (at: number) => (at >= 300 && at < 600) || (at >= 1_000 && at < 1_200);
        const pair = count(traffic(seed, 2_000, share, (_, at) => (isOut(at) ? 'network' : null)));
        expect([seed, pair.cause]).toEqual([seed, null]);
        expect(areBothFailing(pair)).toBe(false);
      }
    },
  );

  it('does not step back when a provider fails half of the calls of both arms', () => {
    for (const seed of SEEDS) {
      const pair = count(
        traffic(seed, 3_000, 0.5, (_, at, random) => (at > 300 && random() < 0.5 ? 'network' : null)),
      );
      expect([seed, pair.cause]).toEqual([seed, null]);
    }
  });

  it('reports that both arms fail, and counts the arm again when the control is well', () => {
    const both = count(traffic(1, 400, 0.5, (_, at) => (at >= 300 ? 'network' : null)));
    expect(areBothFailing(both)).toBe(true);
    expect(both.changed.last.filter(({ isShared }) => isShared).length).toBeGreaterThan(10);
    const after = count(
      traffic(1, 900, 0.5, (arm, at) => (at >= 300 && (at < 400 || arm === 'new') ? 'network' : null)),
    );
    expect(after.cause).not.toBeNull();
    expect(after.cases).toBeLessThan(480);
  });

  it('blames no arm for an outage at a share of 100 %, unless the arms ask other models', () => {
    const alone = function* () {
      for (let at = 0; at < 60; at += 1) yield { arm: 'new' as const, fault: at < 30 ? null : 'network' };
    };
    expect(count(alone()).cause).toBeNull();
    expect(count(alone(), arms(0.05, false))).toMatchObject({ cause: 'consecutive_errors', cases: 36 });
    const wrong = [...alone()].map((step) => ({ ...step, fault: step.fault && 'invalid_answer' }));
    expect(count(wrong)).toMatchObject({ cause: 'consecutive_errors', cases: 36 });
  });

  it('does not step back at half the limit, and keeps the last 20 outcomes', () => {
    for (const limit of [0.02, 0.05, 0.1, 0.2]) {
      const steps = traffic(7, 20_000, 0.5, (_, _at, random) => (random() < limit / 2 ? 'timeout' : null));
      const { cause, changed, control } = count(steps, arms(limit));
      expect([limit, cause]).toEqual([limit, null]);
      expect(changed.last).toHaveLength(20);
      expect(changed.cases + control.cases).toBe(20_000);
    }
  });
});
