/** Limits of a bounded task. */
export interface TaskLimits {
  /** Megabytes of memory of the whole process that runs the task: heap, Buffers and code. */
  memoryMb: number;
  /** Time in which the task must have its result. */
  timeMs: number;
}

/** Bytes for a task that arrive in pieces, so that the process of the caller never holds all of them. */
export interface TaskInput {
  /** Exact number of bytes of all pieces. */
  size: number;
  pieces(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** A function that parses external bytes: the export `run` of a separate module. */
export interface TaskModule<Args, Result, Page = never> {
  /** @throws CasefileError for a rejected input. */
  run(bytes: Buffer, args: Args, context: TaskContext<Page>): Promise<Result>;
}

/** What the caller of a task supplies. */
export interface CallContext {
  signal: AbortSignal;
  /** Reports progress: completed steps and their total. */
  onProgress(done: number, total: number): void;
}

export interface TaskContext<Page = never> extends CallContext {
  /**
   * Keeps a part of a large result in the process of the task. The caller fetches one page after another when
   * the task has its result. A page takes a few milliseconds to copy, so it has at most about a megabyte.
   */
  keep(page: Page): void;
}

/** Work on external bytes whose cost is unknown beforehand. */
export interface BoundedTask<Args, Result, Page = never> {
  /** Name of the input in errors, such as `The repository`. */
  what: string;
  /** Advice for an input that exceeds the limits, as a sentence. */
  advice: string;
  /** Tasks of one lane run one after another, so that their memory does not add up. Default: `what`. */
  lane?: string;
  limits: TaskLimits;
  /** URL of the built module. Arguments and results are copied to and from the process that loads it. */
  module: URL;
  /** Loads the same module for a runner that works in this process. */
  load(): Promise<TaskModule<Args, Result, Page>>;
}

/** The pages that a task kept, in order. They can be read several times. */
export type Pages<Page> = AsyncIterable<Page> | Iterable<Page>;

/** Runs work on external bytes within limits of memory and time. */
export interface BoundedRunner {
  /**
   * Returns the result of the task.
   * @throws CasefileError `too_large` if the task exceeds its limit of memory or time; the error of the task
   * or of the pieces; the reason of the signal.
   */
  run<Args, Result>(
    task: BoundedTask<Args, Result>,
    input: Uint8Array | TaskInput,
    args: Args,
    context?: Partial<CallContext>,
  ): Promise<Result>;
  /**
   * Runs a task and passes its result and pages to `use`. The pages exist until `use` has ended.
   * @returns the result of `use`. @throws as `run`, and the error of `use`.
   */
  runPaged<Args, Result, Page, T>(
    task: BoundedTask<Args, Result, Page>,
    input: Uint8Array | TaskInput,
    args: Args,
    context: Partial<CallContext>,
    use: (result: Result, pages: Pages<Page>) => Promise<T>,
  ): Promise<T>;
}

/** Returns bytes that are in memory as the input of a task. */
export function taskInput(input: Uint8Array | TaskInput): TaskInput {
  return input instanceof Uint8Array ? { size: input.length, pieces: () => [input] } : input;
}

/** Returns the URL of a built module, also for a caller that was loaded from its source. */
export function builtModule(path: string, caller: string): URL {
  const { href } = new URL(path, caller);
  return new URL(href.replace(/^(.*\/(?:libs|apps)\/[^/]+)\/src\//, '$1/dist/'));
}
