import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { ERASABLE_CLASSES, seededRandom } from '@casefile/contracts';
import { dumpTables, linesWith } from '@casefile/e2e/testing/dump-stores';
import { createPostgresStore, type PostgresStore } from '@casefile/store';
import { median, percentile } from '../ratios/report.js';
import type { Spine } from '../ratios/spine.js';
import { PLANTED } from './plant-words.js';

/** Live cases of the time without an erasure in each round. */
const LIVE = 100;
const LOOK_EVERY_MS = 500;

export interface LoadOfErasures {
  seed: number;
  rounds: number;
  /** Live cases per second, whether or not earlier ones have ended. */
  perSecond: number;
}

export interface ErasureFigures {
  /** Live cases judged without and during an erasure. */
  live: { without: number; during: number };
  /** Milliseconds from acceptance to verdict. */
  p95Without: number;
  p95During: number;
  /** Median over the rounds of p95 during an erasure by p95 without. */
  ratio: number;
  ratios: number[];
  erasedPerSecond: number;
  /** Cases with exactly one erasure on the record. */
  erasedOnce: number;
  /** Rows of all tables with a planted word. */
  linesBefore: number;
  linesAfter: number;
}

/** Erases all cases of a filled record in rounds, while live cases are judged. */
export async function eraseUnderLoad(
  spine: Spine,
  databaseUrl: string,
  { seed, rounds, perSecond }: LoadOfErasures,
): Promise<ErasureFigures> {
  const store = createPostgresStore({ databaseUrl, poolSize: 2 });
  try {
    const rows = await store.database.rows<{ id: string }>('select id from cases order by id');
    const ids = shuffled(
      rows.map(({ id }) => id),
      seed,
    );
    const linesBefore = linesWith(await dumpTables(databaseUrl), PLANTED).length;
    const live = liveCases(spine, perSecond);
    // Connections and plans are warm afterwards.
    await live.until(count(LIVE));
    const [without, during]: [number[], number[]] = [[], []];
    const ratios: number[] = [];
    let erasingMs = 0;
    for (let round = 0; round < rounds; round += 1) {
      const chunk = ids.filter((_, i) => i % rounds === round);
      const quiet = await live.until(count(LIVE));
      const from = performance.now();
      const loaded = await live.until(await erasure(store, chunk));
      erasingMs += performance.now() - from;
      ratios.push(percentile(loaded, 95) / percentile(quiet, 95));
      without.push(...quiet);
      during.push(...loaded);
      process.stderr.write(`round ${round + 1}: ratio ${ratios.at(-1)?.toFixed(2)}\n`);
    }
    return {
      live: { without: without.length, during: during.length },
      p95Without: Math.round(percentile(without, 95)),
      p95During: Math.round(percentile(during, 95)),
      ratio: Number(median(ratios).toFixed(2)),
      ratios: ratios.map((one) => Number(one.toFixed(2))),
      erasedPerSecond: Number((ids.length / (erasingMs / 1000)).toFixed(1)),
      erasedOnce: await erasedOnce(store, ids),
      linesBefore,
      linesAfter: linesWith(await dumpTables(databaseUrl), PLANTED).length,
    };
  } finally {
    await store.close();
  }
}

/** Whether a time is over, given how many live cases were submitted in it. */
type IsOver = (submitted: number) => boolean | Promise<boolean>;

const count =
  (cases: number): IsOver =>
  (submitted) =>
    submitted >= cases;

/** Requests an erasure. The returned function tells whether it is done. */
async function erasure(store: PostgresStore, caseIds: string[]): Promise<IsOver> {
  const id = randomUUID();
  const classes = [...ERASABLE_CLASSES];
  await store.erasures.request({ id, caseIds, classes, by: 'erase-run', reason: 'measured', subject: null });
  let [isDone, lookAt] = [false, 0];
  return async () => {
    if (isDone || performance.now() < lookAt) return isDone;
    lookAt = performance.now() + LOOK_EVERY_MS;
    const progress = await store.erasures.get(id);
    isDone = progress?.erased === caseIds.length;
    return isDone;
  };
}

/** Submits live cases at a rate, and measures how long each takes. */
function liveCases(spine: Spine, perSecond: number): { until(isOver: IsOver): Promise<number[]> } {
  let next = 0;
  return {
    until: async (isOver) => {
      const took: Promise<number>[] = [];
      const from = performance.now();
      while (!(await isOver(took.length))) {
        const at = performance.now();
        took.push(spine.judge(next++).then(() => performance.now() - at));
        await pause(Math.max(0, from + (took.length / perSecond) * 1000 - performance.now()));
      }
      return Promise.all(took);
    },
  };
}

async function erasedOnce(store: PostgresStore, ids: string[]): Promise<number> {
  const [row] = await store.database.rows<{ n: number }>(
    `select count(*)::int as n from (
       select 1 from case_erasures where case_id = any($1::uuid[]) group by case_id having count(*) = 1) c`,
    [ids],
  );
  return row?.n ?? 0;
}

function shuffled(ids: string[], seed: number): string[] {
  const random = seededRandom(seed);
  return ids
    .map((id) => [random(), id] as const)
    .sort(([a], [b]) => a - b)
    .map(([, id]) => id);
}
