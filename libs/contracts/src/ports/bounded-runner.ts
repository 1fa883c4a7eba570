/** Limits of a bounded task. */
export interface TaskLimits {
  /** Megabytes of memory of the whole process that runs the task: heap, Buffers and code. */
  memoryMb: number;
  timeMs: number;
}

/** A function that parses bytes from outside: the export `run` of a module of its own. */
export interface TaskModule<Args, Result> {
  /** @throws CasefileError for an input that is refused. */
  run(bytes: Buffer, args: Args, context: TaskContext): Promise<Result>;
}

export interface TaskContext {
  signal: AbortSignal;
  /** Steps done, of a total. */
  onProgress(done: number, total: number): void;
}

/** Work on bytes from outside whose cost cannot be known before it is done. */
export interface BoundedTask<Args, Result> {
  /** The input as errors name it, as in `The repository`. One task of a name runs at a time. */
  what: string;
  /** Advice for an input that exceeds the limits, as a sentence. */
  advice: string;
  limits: TaskLimits;
  /** The module as it was built. Arguments and results are copied to and from the process that loads it. */
  module: URL;
  /** The same module, for a runner that works in this process. */
  load(): Promise<TaskModule<Args, Result>>;
}

/** Runs work on bytes from outside within limits of memory and time. */
export interface BoundedRunner {
  /**
   * Returns the result of the task.
   * @throws CasefileError `too_large` when the task needs more memory or time than its limits, and what the task throws; the
   * reason of the signal.
   */
  run<Args, Result>(
    task: BoundedTask<Args, Result>,
    bytes: Uint8Array,
    args: Args,
    context?: Partial<TaskContext>,
  ): Promise<Result>;
}

/** Returns the URL of a built module, also for a caller that was loaded from its source. */
export function builtModule(path: string, caller: string): URL {
  const { href } = new URL(path, caller);
  return new URL(href.replace(/^(.*\/(?:libs|apps)\/[^/]+)\/src\//, '$1/dist/'));
}
