import { type AskedSignal, type Lease, moves } from '@casefile/contracts';
import { aClaimRequest } from '@casefile/contracts/testing';
import { testRecord } from '../testing/test-record.js';

const ASKED: AskedSignal = {
  name: 'clarification',
  question: 'Which year?',
  options: [
    { value: 'as-asked', label: 'Any' },
    { value: '2025', label: '2025' },
  ],
  fallback: 'as-asked',
};

const at = testRecord();

describe('what a run asks people', () => {
  const asking = async (timeoutMs = 60_000) => {
    const { bench } = at();
    const accepted = await bench.accept();
    const { lease } = await bench.claim(accepted.runId);
    await bench.commit(lease, (at: Lease) =>
      moves.suspendUnit(at, { step: 1, calls: [], signal: ASKED, timeoutMs }),
    );
    return accepted;
  };
  const give = (caseId: string, option: string, name = 'clarification') =>
    at().store.signals.give({ caseId, name, option, by: 'ops' });

  it('S5-25 is on the record with its options, holds no lease, and is answered in the write that makes it due', async () => {
    const { bench, store } = at();
    const { caseId, runId } = await asking();
    const [asked] = (await store.record.getRun(runId))?.signals ?? [];
    expect(asked).toMatchObject({ ...ASKED, stage: 'triage', value: null, by: null });
    expect(await store.units.claim(aClaimRequest(runId))).toMatchObject({ reason: 'suspended' });
    const given = await give(caseId, '2025');
    expect(given).toMatchObject({ runId, repeated: false, signal: { value: '2025', by: 'ops' } });
    expect(given.nudges).toMatchObject([{ kind: 'stage', runId, stage: 'triage' }]);
    // The nudge may be lost with its process. The unit is due nevertheless, also after its worker died.
    for (const crashes of [0, 1]) {
      const work = await bench.claim(runId, { leaseMs: 1 });
      expect(work).toMatchObject({
        waitOver: false,
        crashes,
        signals: [{ name: 'clarification', value: '2025' }],
      });
      await at().passTime(10);
    }
    expect((await bench.eventTypes()).filter((type) => type === 'signal.given')).toHaveLength(1);
  });

  it('S5-25 is listed as open until it is answered or its time is over, the oldest first', async () => {
    const { store, passTime } = at();
    const first = await asking();
    const second = await asking(5_000);
    const open = async () => (await store.signals.open(10)).map(({ caseId }) => caseId);
    expect(await open()).toEqual([first.caseId, second.caseId]);
    expect(await store.signals.open(1)).toMatchObject([
      { caseId: first.caseId, name: 'clarification', question: 'Which year?' },
    ]);
    await give(first.caseId, '2025');
    expect(await open()).toEqual([second.caseId]);
    await passTime(5_001);
    await store.units.sweep(10);
    expect(await open()).toEqual([]);
  });

  it('S5-25 is one signal however often it is given, also by many at once', async () => {
    const { store } = at();
    const { caseId, runId } = await asking();
    const many = await Promise.all(Array.from({ length: 8 }, () => give(caseId, '2025')));
    expect(many.filter(({ repeated }) => !repeated)).toHaveLength(1);
    expect(many.flatMap(({ nudges }) => nudges)).toHaveLength(1);
    await expect(give(caseId, 'as-asked')).rejects.toMatchObject({ reasonCode: 'conflict' });
    expect((await store.record.getRun(runId))?.signals?.[0]?.value).toBe('2025');
  });

  it('S5-25 says of an unknown case, name or option what was expected', async () => {
    const { caseId } = await asking();
    await expect(give(caseId, '1999')).rejects.toMatchObject({
      problems: [{ path: 'option', message: 'expected one of as-asked, 2025' }],
    });
    await expect(give(caseId, '2025', 'approval')).rejects.toMatchObject({ reasonCode: 'not_found' });
    for (const id of ['x', '00000000-0000-4000-8000-00000000abcd'])
      await expect(give(id, '2025')).rejects.toMatchObject({ reasonCode: 'unknown_case' });
  });

  it('S5-25 continues without an answer when the time is over, and takes none from then on', async () => {
    const { bench, store, passTime } = at();
    const { caseId, runId } = await asking(5_000);
    await passTime(5_001);
    await store.units.sweep(10);
    await expect(give(caseId, '2025')).rejects.toMatchObject({ reasonCode: 'conflict' });
    expect(await bench.claim(runId)).toMatchObject({ waitOver: true, signals: [{ value: null }] });
  });
});
