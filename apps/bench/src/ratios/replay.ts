import { replayAll } from '@casefile/e2e/rerun-run/replay-all';
import type { Row } from './report.js';

/**
 * Compares replays of every kind from the record with the same cases judged just before, in the same process,
 * on a simulator that answers immediately.
 * @param times Number of times that each sample is judged.
 */
export async function replay(databaseUrl: string, times: number): Promise<Row[]> {
  const { cases, kinds, identical, liveCasesPerSecond, replayedCasesPerSecond } = await replayAll(
    databaseUrl,
    times,
  );
  return [
    {
      name: `${cases} cases of ${kinds} kinds replayed against judged live`,
      figure: `${replayedCasesPerSecond.toFixed(1)} a second, live ${liveCasesPerSecond.toFixed(1)}; ${identical} of ${2 * cases} identical`,
      ratio: replayedCasesPerSecond / liveCasesPerSecond,
      wanted: '>= 0.8',
    },
  ];
}
