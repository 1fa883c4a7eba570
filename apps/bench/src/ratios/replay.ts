import { replayAll } from '@casefile/e2e/rerun-run/replay-all';
import type { Row } from './report.js';

/**
 * R18: cases of every kind made again from the record, against the same cases judged just before on a simulator that answers at
 * once, in the same process. @param times How often each sample is judged.
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
