import { existsSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '@casefile/contracts/testing';
import { PROGRAMS, type Moment, type Program } from './programs.js';
import type { RunningProcess } from './processes-of.js';
import { RunningProgram } from './running-program.js';

export const WAYS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'closed pipe', 'SIGKILL'] as const;
export type Way = (typeof WAYS)[number];
export const MOMENTS: readonly Moment[] = ['start', 'idle', 'load'];

export interface Row {
  program: Program;
  way: Way;
  moment: Moment;
}

export interface Limits {
  /** Maximum time for the program to end, in milliseconds. */
  endMs: number;
  /** Maximum time for processes that it started to live on, in milliseconds. */
  leftMs: number;
}

export interface RowResult {
  code: number | null;
  /** Whether the documentation names this exit code for the row. */
  isDocumented: boolean;
  endedMs: number;
  /** Time from the end of the program until nothing was left. */
  clearedMs: number;
  /** Processes that were left at the limit. */
  leftovers: RunningProcess[];
  written: string;
}

/** All rows of the table. */
export const ROWS: readonly Row[] = PROGRAMS.flatMap((program) =>
  WAYS.flatMap((way) => MOMENTS.map((moment) => ({ program, way, moment }))),
);

export function nameOf({ program, way, moment }: Row): string {
  return `${program.name}, ${way}, ${moment}`;
}

const LONGEST_START_MS = 4_000;
const LOOK_EVERY_MS = 50;
/** A program notices a closed pipe only when it writes, so it is made to write at this interval. */
const WRITE_EVERY_MS = 3_000;

/** Starts the program, ends it in this way at this moment, and counts the processes that are left. */
export async function runRow(row: Row, random: () => number, limits: Limits): Promise<RowResult> {
  const { program, way, moment } = row;
  const dir = temporaryFolder('ends');
  const running = await RunningProgram.start(program.command(dir, moment), dir, moment);
  try {
    if (moment === 'start') await somewhereInTheStart(dir, random);
    else await program.reach(running, moment);
    const stopAt = Date.now();
    if (way === 'closed pipe') running.child.stdout?.destroy();
    else running.child.kill(way);
    const code = await ended(running, row, limits.endMs);
    const endedAt = Date.now();
    const leftovers = await running.leftAfter(limits.leftMs);
    return {
      code,
      isDocumented: code !== null && codesOf(row).includes(code),
      endedMs: endedAt - stopAt,
      clearedMs: Date.now() - endedAt,
      leftovers,
      written: running.written,
    };
  } finally {
    await running.clear();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function ended(running: RunningProgram, { program, way, moment }: Row, withinMs: number) {
  for (const from = Date.now(); Date.now() - from < withinMs;) {
    const code = await running.exitCode(WRITE_EVERY_MS);
    if (code !== null) return code;
    if (way === 'closed pipe' && moment !== 'start')
      await program.makeWrite?.(running).catch((error: unknown) => {
        // The program may have stopped listening at this moment.
        if (!(error instanceof TypeError)) throw error;
      });
  }
  return null;
}

// Waits until a random time, or until the database is about to start: then most processes can be left behind.
async function somewhereInTheStart(dir: string, random: () => number): Promise<void> {
  const atDatabase = random() < 0.5;
  const delay = random() * LONGEST_START_MS;
  const cluster = join(dir, 'data', 'postgres');
  for (const from = Date.now(); atDatabase && !existsSync(cluster) && Date.now() - from < 30_000;)
    await sleep(LOOK_EVERY_MS);
  await sleep(atDatabase ? delay / 4 : delay);
}

/** Returns the documented exit codes of a row. */
function codesOf({ program, way, moment }: Row): number[] {
  if (way === 'closed pipe') return [0];
  const ofSignal = 128 + constants.signals[way];
  if (way === 'SIGKILL') return [ofSignal];
  // npm itself ends with a signal that it does not pass on.
  if (program.underNpm && way === 'SIGHUP') return [ofSignal];
  if (program.signalCode === undefined) return [ofSignal];
  // The program may have become ready during its start.
  return moment === 'start' ? [ofSignal, program.signalCode] : [program.signalCode];
}
