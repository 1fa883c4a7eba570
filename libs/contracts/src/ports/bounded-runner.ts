/** Limits of a bounded task. */
export interface TaskLimits {
  /** Megabytes of memory of the whole process that runs the task: heap, Buffers and code. */
  memoryMb: number;
  timeMs: number;
}

/** A function that parses external bytes: the export `run` of a separate module. */
export interface TaskModule<Args, Result> {
  /** @throws CasefileError for a rejected input. */
  run(bytes: Buffer, args: Args, context: TaskContext): Promise<Result>;
}

export interface TaskContext {
  signal: AbortSignal;
  /** Reports progress: completed steps and their total. */
  onProgress(done: number, total: number): void;
}

/** Work on external bytes whose cost is unknown beforehand. */
export interface BoundedTask<Args, Result> {
  /** Name of the input in errors, such as `The repository`. Only one task per name runs at a time. */
  what: string;
  /** Advice for an input that exceeds the limits, as a sentence. */
  advice: string;
  limits: TaskLimits;
  /** URL of the built module. Arguments and results are copied to and from the process that loads it. */
  module: URL;
  /** Loads the same module for a runner that works in this process. */
  load(): Promise<TaskModule<Args, Result>>;
}

/** Runs work on external bytes within limits of memory and time. */
export interface BoundedRunner {
  /**
   * Returns the result of the task.
   * @throws CasefileError `too_large` if the task exceeds its limit of memory or time; the error of the task;
   * the reason of the signal.
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
