import { randomUUID } from 'node:crypto';
import { asCasefileError, hasEnded, sleep, type JsonObject, type ShownCase } from '@casefile/contracts';
import { ConsoleClient } from './client/console-client.js';
import { IntakeClient, type Wish } from './client/intake-client.js';
import { whyWaiting } from './settled.js';

const LOOK_EVERY_MS = 300;
/** Time for which a console that is restarting, or accepts nothing now, is retried, in milliseconds. */
const PATIENCE_MS = 60_000;
/** Milliseconds after which the output says what a case waits for. */
const SAY_WAITING_AFTER_MS = 30_000;

/** Options for judging alerts through a running system. */
export interface ThroughConsole {
  consoleUrl: string;
  /** Name under which the cases are kept on the record. */
  dataset: string;
  strategy?: string;
  signal?: AbortSignal;
  /** Called once if a case waits for long, with what it waits for. */
  note(line: string): void;
}

/**
 * Judges an alert through the running system in its own case, in the lane `batch`. The case joins no other
 * case and yields to live work, and its verdict is not delivered. Resolves when the run has ended, with or
 * without a verdict.
 * @throws InvalidInput for an invalid alert; the signal's reason.
 */
export async function judgeThroughConsole(
  alert: JsonObject,
  { consoleUrl, dataset, strategy, signal, note }: ThroughConsole,
): Promise<ShownCase> {
  const wish: Wish = { dataset, ...(strategy === undefined ? {} : { strategy }) };
  // A second attempt with the same key gets the same case.
  const key = randomUUID();
  const intake = IntakeClient.ofConsole(consoleUrl);
  const console = new ConsoleClient(consoleUrl);
  const { caseId } = await patiently(() => intake.submit(alert, { ...wish, key }), signal);
  const startedAt = Date.now();
  let hasReportedWaiting = false;
  for (;;) {
    const shownCase = await patiently(() => console.getCase(caseId), signal);
    if (shownCase.runs.every(hasEnded)) return shownCase;
    const [waiting] = shownCase.runs.filter((run) => !hasEnded(run));
    if (!hasReportedWaiting && waiting !== undefined && Date.now() - startedAt > SAY_WAITING_AFTER_MS) {
      hasReportedWaiting = true;
      note(`casefile: ${console.linkTo(caseId)} waits ${whyWaiting(waiting)}`);
    }
    await sleep(LOOK_EVERY_MS, signal);
    signal?.throwIfAborted();
  }
}

async function patiently<T>(ask: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await ask();
    } catch (thrown) {
      const { retryable, reasonCode } = asCasefileError(thrown);
      if ((!retryable && reasonCode !== 'unreachable') || Date.now() > until) throw thrown;
    }
    await sleep(LOOK_EVERY_MS, signal);
    signal?.throwIfAborted();
  }
}
