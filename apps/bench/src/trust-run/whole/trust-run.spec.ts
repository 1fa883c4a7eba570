import { allCases } from '../all-cases.js';
import { missedIn, reportOf, rowsOf } from '../figures.js';
import { judgeAll, type JudgedCase } from '../measure.js';
import { readSets } from '../read-set.js';
import { tiersOf } from '../research-cases.js';
import { KINDS, MODES, type TrustCase } from '../trust-case.js';
import { trustWorld, type TrustWorld } from '../trust-world.js';

const sets = readSets();
const all = allCases(sets);
const SHORT = 3;
const WITHIN_MS = 600_000;

/** Cases of every kind, spread over its set. */
function some(honest: boolean): TrustCase[] {
  return KINDS.flatMap((kind) => {
    const own = all.filter((one) => one.kind === kind && one.honest === honest);
    return Array.from({ length: SHORT }, (_, at) => own[Math.floor(((at + 0.5) * own.length) / SHORT)]!);
  });
}

describe('T-31 the short form of the measurement', () => {
  const chosen = [...some(false), ...some(true)];
  let world: TrustWorld;
  beforeAll(async () => {
    world = await trustWorld({ cases: chosen, policies: sets.policies, tiers: tiersOf(sets.research) });
  }, WITHIN_MS);
  afterAll(() => world.close());

  it('has 100 dishonest and 200 honest cases of each kind', () => {
    for (const kind of KINDS) {
      const own = all.filter((one) => one.kind === kind);
      expect(own.filter(({ honest }) => !honest).length).toBeGreaterThanOrEqual(100);
      expect(own.filter(({ honest }) => honest).length).toBeGreaterThanOrEqual(200);
    }
  });

  it.each(MODES)(
    '$title: each case has the answer of the set, and no removed claim is stated',
    async ({ honest, examiner }) => {
      const own = chosen.filter((one) => one.honest === honest);
      const judged = await judgeAll(world, own, examiner);
      for (const { one, disposition, degraded, standing } of judged)
        expect({ id: one.id, kind: one.kind, judged: disposition !== null, degraded, standing }).toEqual({
          id: one.id,
          kind: one.kind,
          judged: true,
          degraded: false,
          standing: [],
        });
    },
    WITHIN_MS,
  );
});

describe('figures of the measurement', () => {
  const [wrong, right] = [some(false)[0]!, some(true)[0]!];
  const aJudgedCase = (one: TrustCase, more: Partial<JudgedCase>): JudgedCase => ({
    one,
    disposition: 'review',
    accepted: false,
    degraded: false,
    standing: [],
    findings: [],
    reason: 'A reason.',
    ...more,
  });

  it('count what was accepted apart from what nothing contradicts', () => {
    const free = { ...wrong, contradicted: false };
    const contradicted = { ...wrong, contradicted: true };
    const rows = rowsOf([
      aJudgedCase(contradicted, { accepted: true, disposition: 'dismiss' }),
      aJudgedCase(free, { accepted: true }),
    ]);
    expect(rows).toMatchObject([{ cases: 2, accepted: 1, uncontradicted: 1, acceptedUncontradicted: 1 }]);
    expect(missedIn(MODES[0]!, rows)).toEqual([
      'Dishonest, examiner out, scam-verdict: 1 of 1 were accepted.',
    ]);
    expect(reportOf(MODES[0]!.title, rows)).toContain('1 of 1 (100.0 %)');
  });

  it('count removed claims that are stated, and honest cases that a finding costs their disposition', () => {
    const rows = rowsOf([
      aJudgedCase(right, { findings: ['contradiction'], standing: ['It is free.'] }),
      aJudgedCase({ ...right, expected: ['review'] }, {}),
    ]);
    expect(rows).toMatchObject([{ standing: 1, lost: 1, lostWithoutFinding: 0 }]);
    expect(missedIn(MODES[4]!, rows)).toHaveLength(2);
  });
});
