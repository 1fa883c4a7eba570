import { moves, type Lease } from '@casefile/contracts';
import { aClaimRequest } from '@casefile/contracts/testing';
import { testRecord } from '../testing/test-record.js';
import { advanceTo } from '../testing/store-bench.js';

const at = testRecord();

describe('units', () => {
  const opened = async (names: string[]) => {
    const { bench } = at();
    const accepted = await bench.accept();
    const { lease } = await bench.claim(accepted.runId);
    const next = { stage: 'reason', round: 1 };
    const { nudges } = await bench.commit(
      lease,
      advanceTo('reason', { next, units: names, joinStage: 'decide' }),
    );
    return { ...accepted, nudges };
  };
  const endUnit = async (runId: string, unit: string, round = 1) => {
    const { bench } = at();
    const { lease } = await bench.claim(runId, { stage: 'reason', unit, round });
    const artifact = { name: 'draft' as const, body: { of: unit } };
    return bench.commit(lease, advanceTo('', { artifact, next: null, joinStage: 'decide' }));
  };

  it('go through the flow by themselves; the last to end makes the joining stage due', async () => {
    const { bench, store } = at();
    const { runId, caseId, nudges } = await opened(['u2', 'u1']);
    expect(nudges.map((nudge) => nudge.kind === 'stage' && [nudge.unit, nudge.stage])).toEqual(
      expect.arrayContaining([
        ['u1', 'reason'],
        ['u2', 'reason'],
      ]),
    );
    expect(nudges).toHaveLength(2);
    const early = await store.units.claim(aClaimRequest(runId, { stage: 'decide' }));
    expect(early).toMatchObject({ kind: 'refused', reason: 'moved-on' });
    expect((await bench.claim(runId, { stage: 'reason', unit: 'u1', reads: ['brief'] })).artifacts).toEqual({
      brief: { text: 'for reason' },
    });
    expect((await endUnitOf(runId, 'u1')).nudges).toEqual([]);
    expect((await store.record.getCase(caseId))!.runs[0]).toMatchObject({ status: 'due', stage: 'reason' });
    expect((await endUnit(runId, 'u2')).nudges).toMatchObject([
      { runId, unit: '', stage: 'decide', round: 1 },
    ]);
    const work = await bench.claim(runId, { stage: 'decide', joins: true, reads: ['brief', 'draft'] });
    const brief = { text: 'for reason' };
    expect(work.units).toEqual([
      { unit: 'u1', artifacts: { brief, draft: { of: 'u1' } } },
      { unit: 'u2', artifacts: { brief, draft: { of: 'u2' } } },
    ]);

    async function endUnitOf(id: string, unit: string) {
      const held = { runId: id, unit, stage: 'reason', round: 1, epoch: 1 };
      const artifact = { name: 'draft' as const, body: { of: unit } };
      return bench.commit(held, advanceTo('', { artifact, next: null, joinStage: 'decide' }));
    }
  });

  it('join once when all of them end at the same moment, through two processes', async () => {
    const { bench, store, other } = at();
    for (let time = 0; time < 5; time += 1) {
      const names = ['a', 'b', 'c', 'd'];
      const { runId } = await opened(names);
      const leases = await Promise.all(
        names.map(async (unit) => (await bench.claim(runId, { stage: 'reason', unit })).lease),
      );
      const artifact = { name: 'draft' as const, body: {} };
      const change = advanceTo('', { artifact, next: null, joinStage: 'decide' });
      const results = await Promise.all(
        leases.map((lease, i) => (i % 2 ? store : other).units.commit(bench.commitRequest(lease, change))),
      );
      expect(
        results.flatMap((result) => (result.kind === 'committed' ? result.nudges : [null])),
      ).toHaveLength(1);
      await bench.claim(runId, { stage: 'decide', joins: true });
    }
  });

  it('may take rounds of their own; the joining stage comes after the last of them', async () => {
    const { bench } = at();
    const { runId } = await opened(['u1', 'u2']);
    const { lease } = await bench.claim(runId, { stage: 'reason', unit: 'u1' });
    await bench.commit(
      lease,
      advanceTo('reason', { artifact: { name: 'review', body: {} }, next: { stage: 'reason', round: 2 } }),
    );
    await endUnit(runId, 'u2');
    const { nudges } = await endUnit(runId, 'u1', 2);
    expect(nudges).toMatchObject([{ unit: '', stage: 'decide', round: 2 }]);
    const work = await bench.claim(runId, { stage: 'decide', round: 2, joins: true, reads: ['draft'] });
    expect(work.units.map((unit) => unit.artifacts.draft)).toEqual([{ of: 'u1' }, { of: 'u2' }]);
  });

  it('are all stopped when one of them stops the run', async () => {
    const { bench, store } = at();
    const { runId, caseId } = await opened(['u1', 'u2']);
    const working = (await bench.claim(runId, { stage: 'reason', unit: 'u2' })).lease;
    const { lease } = await bench.claim(runId, { stage: 'reason', unit: 'u1' });
    await bench.commit(lease, (at: Lease) => moves.stopRun(at, { reasonCode: 'no_use', message: 'no use' }));
    expect(await store.units.renew([working], 6_000)).toEqual([working]);
    expect(await store.units.commit(bench.commitRequest(working, advanceTo('decide')))).toEqual({
      kind: 'stale',
    });
    const [run] = (await store.record.getCase(caseId))!.runs;
    expect(run?.units.map((unit) => unit.status)).toEqual(['stopped', 'stopped', 'stopped']);
  });

  it('one unit alone notices nothing of units', async () => {
    const { bench } = at();
    const { runId } = await bench.dueAt('decide');
    const work = await bench.claim(runId, { stage: 'decide', joins: true, reads: ['brief'] });
    expect(work.units).toEqual([{ unit: '', artifacts: { brief: { text: 'for decide' } } }]);
  });
});
