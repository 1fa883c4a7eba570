import { randomUUID } from 'node:crypto';
import { asCasefileError, hasEnded, sleep, type JsonObject, type ShownCase } from '@casefile/contracts';
import { ConsoleClient } from './client/console-client.js';
import { IntakeClient, type Wish } from './client/intake-client.js';
import { whyWaiting } from './settled.js';

const LOOK_EVERY_MS = 300;
/** A console that is restarted, or takes nothing in now, is tried again for so long. */
const PATIENCE_MS = 60_000;
/** Milliseconds after which the user sees what a case waits for. */
const SAY_WAITING_AFTER_MS = 30_000;

/** How alerts are judged through a running system. */
export interface ThroughConsole {
  consoleUrl: string;
  /** The name under which their cases are on the record. */
  dataset: string;
  strategy?: string;
  signal?: AbortSignal;
  /** Told once what a case waits for that takes long. */
  note(line: string): void;
}

/**
 * Has the running system judge an alert in a case of its own, in the lane `batch`: it joins no other case, yields to live work,
 * and its verdict is not delivered. Resolves when its run has ended, with a verdict or without.
 * @throws InvalidInput for an alert that is not valid; the signal's reason.
 */
export async function judgeThroughConsole(
  alert: JsonObject,
  { consoleUrl, dataset, strategy, signal, note }: ThroughConsole,
): Promise<ShownCase> {
  const wish: Wish = { dataset, ...(strategy === undefined ? {} : { strategy }) };
  // A second try with the same key is the same case.
  const key = randomUUID();
  const intake = IntakeClient.ofConsole(consoleUrl);
  const console = new ConsoleClient(consoleUrl);
  const { caseId } = await patiently(() => intake.submit(alert, { ...wish, key }), signal);
  const startedAt = Date.now();
  let said = false;
  for (;;) {
    const shown = await patiently(() => console.getCase(caseId), signal);
    if (shown.runs.every(hasEnded)) return shown;
    const [waiting] = shown.runs.filter((run) => !hasEnded(run));
    if (!said && waiting !== undefined && Date.now() - startedAt > SAY_WAITING_AFTER_MS) {
      said = true;
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
