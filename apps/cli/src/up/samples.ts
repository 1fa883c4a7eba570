import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@casefile/contracts';
import { readAlerts } from '../alert-file.js';
import type { KindSamples } from '../kinds/kind-samples.js';
import { samplesOfKinds } from '../kinds/samples.js';
import type { ConsoleClient, ShownCase } from '../client/console-client.js';
import type { Accepted, IntakeClient } from '../client/intake-client.js';

/** Where the bundled samples lie. */
export const SAMPLES = new URL('../../../../samples/', import.meta.url);
/** The label by which a sample is known on the record. */
const LABEL = 'sample';
/** Samples are the first alerts of a record, so they are found among its first cases. */
const FIRST_CASES = 20;
/** How long the event log may be silent before its end is taken to be reached, in milliseconds. */
const SILENCE_MS = 1_000;

/** The bundled sample alerts, each with its label, and what tools look up. */
export async function readSamples(folder: URL = SAMPLES): Promise<KindSamples> {
  const alerts = await readAlerts(fileURLToPath(new URL('alerts.json', folder)));
  const { alerts: others, ...seeds } = await samplesOfKinds(folder);
  return { ...seeds, alerts: [...alerts, ...others].map(labelled) };
}

// The same for all of them, so that a sample stays the same when others come before it.
function labelled(alert: JsonObject): JsonObject {
  const labels = typeof alert['labels'] === 'object' ? (alert['labels'] as JsonObject) : {};
  return { ...alert, labels: { ...labels, [LABEL]: 'bundled' } };
}

/**
 * Submits samples through the intake; one that was submitted before is answered with its case of then.
 * @param again judge the same cases anew: no answer of before is given.
 */
export async function submitSamples(
  intake: IntakeClient,
  alerts: JsonObject[],
  again = false,
): Promise<Accepted[]> {
  const accepted: Accepted[] = [];
  for (const alert of alerts)
    accepted.push(await intake.submit(alert, { key: keyOf(alert), ...(again ? { again: 'key' } : {}) }));
  return accepted;
}

/** The key by which a sample is submitted once only: another text is another sample. */
export function keyOf(alert: JsonObject): string {
  return `casefile-sample-${createHash('sha256').update(JSON.stringify(alert)).digest('hex').slice(0, 32)}`;
}

/** A sample that was submitted to this record before; null: there is none. */
export async function sampleOn(client: ConsoleClient): Promise<ShownCase | null> {
  const over = new AbortController();
  const seen = new Set<string>();
  const hush = setTimeout(() => over.abort(), SILENCE_MS);
  try {
    for await (const { caseId } of await client.events('0', over.signal)) {
      hush.refresh();
      if (caseId === null || seen.has(caseId)) continue;
      const shown = await client.getCase(caseId);
      if (isSample(shown)) return shown;
      if (seen.add(caseId).size >= FIRST_CASES) return null;
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
