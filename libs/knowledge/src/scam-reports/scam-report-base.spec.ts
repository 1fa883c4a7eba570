import { testRecord } from '@casefile/store/testing';
import { postgresScamReports } from './scam-report-base.js';

const record = testRecord();
const base = () => postgresScamReports(record().store.database);

describe('scam reports', () => {
  const report = {
    entityType: 'phone',
    entityValue: '+15550100',
    reportCount: 3,
    riskScore: 40,
    source: 'a',
  };

  it('S1-11 add up over their sources', async () => {
    const store = base();
    expect(await store.find('phone', '+15550100')).toBeNull();
    const first = {
      ...report,
      firstReportedAt: '2025-01-01T00:00:00Z',
      lastReportedAt: '2025-02-01T00:00:00Z',
    };
    const second = { ...report, source: 'b', reportCount: 4, riskScore: 90, lastReportedAt: '2025-03-01' };
    expect(await store.importAll([[first, second]])).toEqual({ inserted: 2, replaced: 0 });
    expect(await store.find('phone', '+15550100')).toEqual({
      reportCount: 7,
      riskScore: 90,
      firstReportedAt: '2025-01-01T00:00:00.000Z',
      lastReportedAt: '2025-03-01T00:00:00.000Z',
    });
    expect(await store.find('email', '+15550100')).toBeNull();
  });

  it('S1-11 replace what the same source said before, the last of an import winning', async () => {
    const store = base();
    await store.importAll([[report]]);
    const again = [
      { ...report, reportCount: 8 },
      { ...report, reportCount: 9 },
      { ...report, entityValue: '+15550101' },
    ];
    expect(await store.importAll([again])).toEqual({ inserted: 1, replaced: 1 });
    expect((await store.find('phone', '+15550100'))?.reportCount).toBe(9);
  });

  it('S1-11 are imported all or none, with the field that is wrong', async () => {
    const store = base();
    const bad = [
      report,
      { ...report, source: 'b', riskScore: 101 },
      { ...report, source: 'c', firstReportedAt: 'soon' },
    ];
    await expect(store.importAll([bad])).rejects.toMatchObject({
      problems: expect.arrayContaining([
        expect.objectContaining({ path: '[1].riskScore' }),
        expect.objectContaining({ path: '[2].firstReportedAt' }),
      ]),
    });
    expect(await store.find('phone', '+15550100')).toBeNull();
  });

  it('S1-11 are imported in pages, all or none, with the field that is wrong in a later page', async () => {
    const store = base();
    const other = { ...report, entityValue: '+15550101' };
    const done: number[] = [];
    await expect(store.importAll([[report], [{ ...other, riskScore: 101 }]])).rejects.toMatchObject({
      problems: [expect.objectContaining({ path: '[1].riskScore' })],
    });
    expect(await store.find('phone', '+15550100')).toBeNull();
    expect(await store.importAll([[report], [other]], (count) => done.push(count))).toEqual({
      inserted: 2,
      replaced: 0,
    });
    expect(done).toEqual([1, 2]);
  });
});
