import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@casefile/contracts';
import { readAlerts } from '@casefile/kit/files/alert-file';
import type { KindSamples } from '@casefile/kit/command-line/kind-samples';
import { KindParts } from '../kinds.js';
import type { ConsoleClient, ShownCase } from '../client/console-client.js';
import type { SubmittedAlert, IntakeClient } from '../client/intake-client.js';

/** Folder of the bundled samples. */
export const SAMPLES = new URL('../../../../samples/', import.meta.url);
/** Label that marks a sample on the record. */
const LABEL = 'sample';
/** Samples are the first alerts of a record, so the search covers only its first cases. */
const FIRST_CASES = 20;
/** Silence of the event log after which its end counts as reached, in milliseconds. */
const SILENCE_MS = 1_000;

/** Returns the bundled sample alerts, each with its label, and the knowledge for their look-ups. */
export async function readSamples(folder: URL = SAMPLES, kinds?: KindParts): Promise<KindSamples> {
  const alerts = await readAlerts(fileURLToPath(new URL('alerts.json', folder)));
  const { alerts: others, ...seeds } = await (kinds ?? (await KindParts.load())).samples(folder);
  return { ...seeds, alerts: [...alerts, ...others].map(labelledAlert) };
}

// Every sample gets the same label, so that adding samples before it does not change a sample's key.
function labelledAlert(alert: JsonObject): JsonObject {
  const labels = typeof alert['labels'] === 'object' ? (alert['labels'] as JsonObject) : {};
  return { ...alert, labels: { ...labels, [LABEL]: 'bundled' } };
}

/**
 * Submits samples through the intake. A sample that was submitted before gets its earlier case.
 * @param again Judges the same cases again instead of returning their earlier verdicts.
 */
export async function submitSamples(
  intake: IntakeClient,
  alerts: JsonObject[],
  again = false,
): Promise<SubmittedAlert[]> {
  const accepted: SubmittedAlert[] = [];
  for (const alert of alerts)
    accepted.push(await intake.submit(alert, { key: sampleKey(alert), ...(again ? { again: 'key' } : {}) }));
  return accepted;
}

/** Returns the idempotency key of a sample. A changed text makes another sample. */
export function sampleKey(alert: JsonObject): string {
  return `casefile-sample-${createHash('sha256').update(JSON.stringify(alert)).digest('hex').slice(0, 32)}`;
}

/** Returns a sample case that is on this record already; null: there is none. */
export async function sampleOn(client: ConsoleClient): Promise<ShownCase | null> {
  const over = new AbortController();
  const seenIds = new Set<string>();
  const hush = setTimeout(() => over.abort(), SILENCE_MS);
  try {
    for await (const { caseId } of await client.events('0', over.signal)) {
      hush.refresh();
      if (caseId === null || seenIds.has(caseId)) continue;
      const shownCase = await client.getCase(caseId);
      if (isSample(shownCase)) return shownCase;
      if (seenIds.add(caseId).size >= FIRST_CASES) return null;
    }
    return null;
  } finally {
    clearTimeout(hush);
    over.abort();
  }
}

function isSample({ alerts }: ShownCase): boolean {
  return alerts.some((alert) => alert.labels?.[LABEL] !== undefined);
}
