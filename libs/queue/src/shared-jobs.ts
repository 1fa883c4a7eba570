import type { JobsOptions } from 'bullmq';

/** A job to add, and the id of the job that it may share with others. */
export interface WantedJob {
  job: { name: string; data: unknown; opts: JobsOptions };
  sharedJob?: string;
}

/**
 * Ids of sent shared jobs that a process remembers. BullMQ would drop a second job with the same id, and its units
 * would not be woken.
 */
const REMEMBERED = 2_000;
/** Wait of a shared job for its last unit once all have started, in milliseconds. */
const LAST_OF_ALL_MS = 1_000;

/** Merges jobs that are added together and may share one job. */
export class SharedJobs {
  private readonly sent = new Set<string>();

  /**
   * Returns the jobs to add. Jobs stay separate if only one would be in the shared job, or if the shared job
   * was sent before.
   */
  pack(wanted: readonly WantedJob[]): WantedJob['job'][] {
    const jobs: WantedJob['job'][] = [];
    const shared = new Map<string, WantedJob['job'][]>();
    for (const { job, sharedJob } of wanted) {
      const parts =
        sharedJob === undefined || this.sent.has(sharedJob) ? jobs : (shared.get(sharedJob) ?? []);
      parts.push(job);
      if (sharedJob !== undefined && parts !== jobs) shared.set(sharedJob, parts);
    }
    for (const [jobId, parts] of shared) {
      const [first] = parts;
      if (first === undefined || parts.length === 1) {
        jobs.push(...parts);
        continue;
      }
      this.remember(jobId);
      const units = parts.map(({ data }) => data);
      jobs.push({ name: first.name, data: { units }, opts: { ...first.opts, jobId } });
    }
    return jobs;
  }

  private remember(jobId: string): void {
    this.sent.add(jobId);
    for (const oldest of this.sent) {
      if (this.sent.size <= REMEMBERED) return;
      this.sent.delete(oldest);
    }
  }
}

/** Returns the payloads of a stage's or tool's job: one, or those of all units that share it. */
export function payloadsOf(data: unknown): unknown[] {
  const units = (data as { units?: unknown } | null)?.units;
  return Array.isArray(units) ? units : [data];
}

/**
 * Processes all units of a shared job, each when `turn` allows. Resolves with the last unit, or a second
 * after all have started, so that a slow unit does not keep its worker from fetching. If this process dies,
 * the sweeper finds the unit.
 * @param late Called with errors after that second.
 * @throws the first error before that.
 */
export async function processSharedUnits(
  works: readonly (() => Promise<unknown>)[],
  turn: (work: () => Promise<unknown>) => Promise<unknown>,
  late: (error: unknown) => void,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let unbegun = works.length;
  let isTooLong = (): void => undefined;
  const tooLong = new Promise<true>((resolve) => (isTooLong = () => resolve(true)));
  const ends = works.map((work) =>
    turn(() => {
      unbegun -= 1;
      if (unbegun === 0) timer = setTimeout(isTooLong, LAST_OF_ALL_MS).unref();
      return work();
    }),
  );
  const failures: unknown[] = [];
  let isOver = false;
  const fail = (error: unknown) => (isOver ? late(error) : void failures.push(error));
  const all = Promise.all(ends.map((end) => end.catch(fail)));
  await Promise.race([all, tooLong]);
  clearTimeout(timer);
  isOver = true;
  if (failures.length > 0) throw failures[0];
}
