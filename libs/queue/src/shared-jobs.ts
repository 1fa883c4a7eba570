import type { JobsOptions } from 'bullmq';

/** A job as it is to be added, and the one that it may share with others. */
export interface Wanted {
  job: { name: string; data: unknown; opts: JobsOptions };
  sharedJob?: string;
}

/** Shared jobs that a process remembers: BullMQ drops a job whose id is there already, with all that it carries. */
const REMEMBERED = 2_000;
/** How long a shared job waits for the last of its units once all have begun, in milliseconds. */
const LAST_OF_ALL_MS = 1_000;

/** Makes one job of those that are added together and may share one. */
export class SharedJobs {
  private readonly sent = new Set<string>();

  /** @returns the jobs to add: where only one of a shared job is there, or that job was sent before, each its own. */
  pack(wanted: readonly Wanted[]): Wanted['job'][] {
    const jobs: Wanted['job'][] = [];
    const shared = new Map<string, Wanted['job'][]>();
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

/** What a job of a stage or tool carries: one payload, or those of all who share it. */
export function payloadsOf(data: unknown): unknown[] {
  const units = (data as { units?: unknown } | null)?.units;
  return Array.isArray(units) ? units : [data];
}

/**
 * Does all of a shared job, each piece when `turn` lets it. It ends with the last of them, or a second after all have begun:
 * what is slow does not keep its worker from fetching more, and the sweeper finds it if this process dies.
 * @param late told of what fails after that second.
 * @throws what the first of them failed with until then.
 */
export async function doShared(
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
