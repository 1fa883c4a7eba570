import { constants } from 'node:os';
import {
  asCasefileError,
  CasefileError,
  messageWithoutValues,
  sleep,
  stackWithoutValues,
} from '@casefile/contracts';

/** Time limit for closing one resource that states no limit, in milliseconds. */
const CLOSE_WITHIN_MS = 5_000;
/**
 * npm forwards a Ctrl-C that the terminal has already sent to all processes. Signals within this time, in
 * milliseconds, count as one.
 */
const SAME_SIGNAL_MS = 1_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

interface Open {
  close: () => Promise<unknown>;
  withinMs: number;
}

// All open resources of the process, from all parts of the code.
const open: Open[] = [];
/** Work that uses open resources. It must end before they are closed. */
const working: Open[] = [];
let ending = false;
let exitCodeOfSignals: number | null = null;

/**
 * Registers `close` to be called before the process ends for any reason. Resources close in reverse order of
 * opening.
 * @returns a function that removes the registration.
 */
export function closeAtEnd(close: Open['close'], withinMs = CLOSE_WITHIN_MS): () => void {
  return keep({ close, withinMs }, open);
}

/**
 * Runs `work`. When the process must end, the signal is aborted, and `work` has `withinMs` to finish before
 * anything is closed.
 */
export async function finishAtEnd<T>(
  withinMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const running = work(over.signal);
  const close = () => {
    over.abort();
    // Work that ended because of the signal is not an error of the stop.
    return running.catch((thrown: unknown) => {
      if (!isAbort(thrown, over.signal)) throw thrown;
    });
  };
  const forget = keep({ close, withinMs }, working);
  try {
    return await running;
  } finally {
    forget();
  }
}

/**
 * Sets the exit code of a process that normally runs until a signal ends it. Default: 128 + the signal's
 * number.
 */
export function signalsEndWith(exitCode: number): void {
  exitCodeOfSignals = exitCode;
}

/** Returns whether the process is ending. Later errors are caused by closed connections. */
export function isEnding(): boolean {
  return ending;
}

/** Closes everything that is open and ends the process. Later calls change nothing. */
export async function endProcess(exitCode: number): Promise<never> {
  if (ending) return new Promise<never>(() => undefined);
  ending = true;
  let failed = false;
  const next = () => working.pop() ?? open.pop();
  for (let one = next(); one !== undefined; one = next()) {
    await inTime(one).catch((thrown: unknown) => {
      failed = true;
      process.stderr.write(`casefile: ${thrownText(thrown)}\n`);
    });
  }
  process.exit(failed && exitCode === 0 ? 1 : exitCode);
}

/**
 * Ends the process in order on INT, TERM and HUP, when the reader of its output has closed, and when the
 * process that started it with a channel has ended. A second signal ends it immediately.
 */
export function endInOrder(): void {
  let firstAt: number | null = null;
  for (const signal of SIGNALS)
    process.on(signal, () => {
      firstAt ??= performance.now();
      const ofSignal = 128 + constants.signals[signal];
      if (performance.now() - firstAt > SAME_SIGNAL_MS) process.exit(ofSignal);
      void endProcess(exitCodeOfSignals ?? ofSignal);
    });
  // A reader that closes the pipe (`| head`) is not an error.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', ({ code }: NodeJS.ErrnoException) => void endProcess(code === 'EPIPE' ? 0 : 1));
  if (process.send === undefined) return;
  const withLauncher = () => void endProcess(0);
  if (process.connected) process.once('disconnect', withLauncher);
  else withLauncher();
}

/** Returns the message of a known error, or the stack of an unknown one, without values from data. */
export function thrownText(thrown: unknown): string {
  const isUnknown = asCasefileError(thrown).reasonCode === 'unexpected';
  return isUnknown && thrown instanceof Error ? stackWithoutValues(thrown) : messageWithoutValues(thrown);
}

/** Returns whether an error, or the cause of a wrapped one, is the abort of `signal`. */
function isAbort(thrown: unknown, signal: AbortSignal): boolean {
  if (thrown === signal.reason) return true;
  if (!(thrown instanceof Error)) return false;
  return thrown.name === 'AbortError' || (thrown.cause !== undefined && isAbort(thrown.cause, signal));
}

function keep(one: Open, list: Open[]): () => void {
  list.push(one);
  return () => {
    const at = list.indexOf(one);
    if (at >= 0) list.splice(at, 1);
  };
}

async function inTime({ close, withinMs }: Open): Promise<void> {
  const message = `the stop was not over after ${withinMs / 1000} s: the process ends as it is; the record has everything`;
  await orLate(close(), withinMs, () => new CasefileError('stop_timeout', message));
}

/** Waits for `work`. @throws the error that `late` returns if the work takes longer. The work continues. */
export async function orLate(
  work: Promise<unknown>,
  withinMs: number,
  late: () => CasefileError,
): Promise<void> {
  const over = new AbortController();
  const limit = sleep(withinMs, over.signal).then(() => {
    if (!over.signal.aborted) throw late();
  });
  await Promise.race([work, limit]).finally(() => over.abort());
}
