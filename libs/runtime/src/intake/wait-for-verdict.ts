import { hasEnded, sleep, z, type CaseReader, type Verdict } from '@casefile/contracts';
import { intakeAddresses, type AskedAt, type Playbook } from '@casefile/pipeline';

/** Longest wait of a caller, in seconds. */
const LONGEST = 300;
/** First and longest interval between two reads of the record, in milliseconds. */
const FIRST_LOOK_MS = 100;
const LAST_LOOK_MS = 1_000;

const wait = z.coerce.number({ error: `expected seconds, 0 to ${LONGEST}` });

/** Query parameter for the caller's wait. */
export const askedQuerySchema = z.object({
  wait: wait
    .min(0, { error: `expected seconds, 0 to ${LONGEST}` })
    .max(LONGEST, { error: `expected seconds, 0 to ${LONGEST}` })
    .default(0)
    .describe('Seconds to wait for the result. Default: no wait.'),
});

/** Returns the URL paths to which payloads of these kinds are posted, and where their results are awaited. */
export function askedPaths(playbooks: readonly Playbook[]): string[] {
  return playbooks.flatMap(({ intake }) => intakeAddresses(intake)).map(({ path }) => path);
}

/** Returns the kind whose payloads are posted to a path. */
export function askedAt(
  path: string,
  among: readonly Playbook[],
): { playbook: string; asked: AskedAt } | undefined {
  return among
    .flatMap(({ name, intake }) => intakeAddresses(intake).map((asked) => ({ playbook: name, asked })))
    .find(({ asked }) => asked.path === path);
}

/**
 * Waits for the verdict of a run. Holds only the caller's connection.
 * @param signal Ends the wait immediately.
 * @returns null if the time was over, the wait was ended, or the run ended without a verdict.
 */
export async function waitForVerdict(
  reader: Pick<CaseReader, 'getRun'>,
  runId: string,
  forMs: number,
  signal: AbortSignal,
): Promise<Verdict | null> {
  const until = performance.now() + forMs;
  for (let pause = FIRST_LOOK_MS; !signal.aborted; pause = Math.min(LAST_LOOK_MS, pause * 1.5)) {
    const remainingMs = until - performance.now();
    if (remainingMs <= 0) return null;
    // A stop ends the sleep.
    await sleep(Math.min(pause, remainingMs), signal);
    const run = signal.aborted ? null : await reader.getRun(runId);
    if (run !== null && hasEnded(run)) return run.verdict;
  }
  return null;
}
