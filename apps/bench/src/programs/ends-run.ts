// Starts each program that starts others, ends it in every way, and reports the processes that are left.
// Options: [--seed 1] [--at-once 1] [--only 'up, SIGTERM']. Ways: each signal, a closed pipe, kill -9; during
// the start, idle, under load, and with 40 batches. Exit code 1: a process was left after 10 s, a stop took
// more than 20 s, or an exit code is not documented.
import { seededRandom } from '@casefile/contracts';
import { withBatches } from '@casefile/e2e/ends-run/with-batches';
import { nameOf, ROWS, runRow, type Row } from '@casefile/e2e/ends-run/run-row';

const flag = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
};
const seed = Number(flag('seed') ?? 1);
const atOnce = Number(flag('at-once') ?? 1);
const only = flag('only') ?? '';
/** Leftover processes and files are checked until 10 s after the end of the program. */
const LIMITS = { endMs: 240_000, leftMs: 10_000 };
/** A stop takes at most 20 s. After a closed pipe, the time starts at the next write of the program. */
const STOP_MS = 20_000;

let failed = 0;
const stops: number[] = [];
const clears: number[] = [];

async function report(row: Row, at: number): Promise<void> {
  // The seed includes the position in the table, so a row runs the same with or without the others.
  const ran = await runRow(row, seededRandom(seed * ROWS.length + at), LIMITS).catch((error: unknown) =>
    String(error),
  );
  if (typeof ran === 'string') {
    failed += 1;
    return console.log(`FAILED ${nameOf(row)}: ${ran}`);
  }
  const { code, isDocumented, endedMs, clearedMs, leftovers, written } = ran;
  if (row.way !== 'closed pipe') stops.push(endedMs);
  clears.push(clearedMs);
  const isGood = isDocumented && leftovers.length === 0 && (row.way === 'closed pipe' || endedMs <= STOP_MS);
  if (!isGood) failed += 1;
  const took = `exit code ${code}, ended after ${endedMs} ms, nothing left ${clearedMs} ms later`;
  console.log(`${isGood ? 'ok    ' : 'FAILED'} ${nameOf(row)}: ${took}`);
  if (!isGood)
    console.log([...leftovers.map(({ command }) => `  left: ${command}`), written.slice(-1_500)].join('\n'));
}

async function reportBatches(args: string[]): Promise<void> {
  const { code, endedMs, leftovers, runs, written } = await withBatches(args, LIMITS);
  const isGood = code === 0 && endedMs <= STOP_MS && leftovers.length === 0;
  if (!isGood) failed += 1;
  const took = `exit code ${code}, ended after ${endedMs} ms, ${leftovers.length} processes left`;
  console.log(
    `${isGood ? 'ok    ' : 'FAILED'} ${args.join(' ')}, SIGTERM with 40 batches of ${runs} runs: ${took}`,
  );
  if (!isGood) console.log(written.slice(-1_500));
}

const waiting = [...ROWS.entries()].filter(([, row]) => nameOf(row).includes(only));
const total = waiting.length;
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      await report(next[1], next[0]);
  }),
);
console.log(`seed ${seed}: ${total - failed} of ${total} rows left nothing and ended as documented`);
console.log(
  `longest stop ${Math.max(0, ...stops)} ms; longest until nothing was left ${Math.max(0, ...clears)} ms`,
);
if (only === '' || only === 'batches')
  for (const args of [['up'], ['up', '--processes']]) await reportBatches(args);
process.exit(failed === 0 ? 0 : 1);
