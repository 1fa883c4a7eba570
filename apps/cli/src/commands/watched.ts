import { signalsEndWith } from '@casefile/runtime/process-end';
import { sleep } from '@casefile/contracts';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { consoleOptions, print, secondsAbove0, type ConsoleOptions } from './options.js';

/** Options of a command that can be repeated. */
export interface WatchedOptions extends ConsoleOptions {
  watch?: number | true;
}

/** One reading of what a command shows. */
export interface Reading {
  /** Output of `--json`. */
  answer: unknown;
  lines: readonly string[];
  exitCode: number;
}

const EVERY_SECONDS = 2;
/** Moves the cursor to the top left and clears the screen. */
const CLEAR = '\u001b[H\u001b[2J';

/** Adds the console options and `--watch`. */
export function watchedOptions(command: Command): Command {
  return consoleOptions(
    command.option(
      '--watch [seconds]',
      `repeat every so many seconds until Ctrl-C; default: ${EVERY_SECONDS}`,
      secondsAbove0,
    ),
  );
}

/**
 * Prints what `read` returns, once or with `--watch` until a signal. The exit code is that of the last reading. A
 * terminal is redrawn; a pipe gets each reading below the last one. @param signal Ends the repetition.
 */
export async function showReadings(
  { terminal, end }: CommandContext,
  { watch, ...options }: WatchedOptions,
  read: () => Promise<Reading>,
  signal?: AbortSignal,
): Promise<void> {
  const isRedrawn = process.stdout.isTTY === true && options.json !== true;
  for (;;) {
    const { answer, lines, exitCode } = await read();
    const drawn = watch !== undefined && isRedrawn ? [CLEAR + (lines[0] ?? ''), ...lines.slice(1)] : lines;
    print(terminal, options, answer, () => drawn);
    end(exitCode);
    if (watch === undefined) return;
    signalsEndWith(exitCode);
    await sleep((watch === true ? EVERY_SECONDS : watch) * 1_000, signal);
    if (signal?.aborted === true) return;
  }
}
