import { startingSet } from '@casefile/runtime';
import { createHash } from 'node:crypto';
import { readSamples } from '@casefile/cli/up/samples';
import { canonicalJson, type CaseDocument, type JsonObject, type RunDocument } from '@casefile/contracts';
import type { World } from './world.js';

/**
 * Judges the bundled samples of every kind, each in its own case, and returns the cases when all have ended.
 * @param times Number of times that each sample is judged.
 */
export async function recordSamples(
  world: World,
  times = 1,
  isIncluded: (alert: JsonObject) => boolean = () => true,
): Promise<CaseDocument[]> {
  const { alerts, lookedUp } = await readSamples();
  await world.platform.knowledge.seed(await startingSet());
  await world.platform.knowledge.seed(lookedUp);
  const accepted: string[] = [];
  for (let time = 0; time < times; time += 1)
    for (const alert of alerts.filter(isIncluded))
      accepted.push((await world.accept(variantOf(alert, time))).caseId);
  const cases: CaseDocument[] = [];
  for (const caseId of new Set(accepted)) cases.push(await world.ended(caseId));
  return cases;
}

/**
 * Returns a filter that lets this many samples of each kind through. It leaves out samples with an image, whose
 * reading takes more processor time than all other samples together.
 * @param more Numbers of single kinds.
 */
export function fewOfEachKind(
  most: number,
  more: Readonly<Record<string, number>> = {},
): (alert: JsonObject) => boolean {
  const counts = new Map<unknown, number>();
  return ({ playbook, image }) => {
    if (image !== undefined) return false;
    const count = (counts.get(playbook) ?? 0) + 1;
    counts.set(playbook, count);
    return count <= (more[String(playbook)] ?? most);
  };
}

// A different source makes this a new alert without changing the judgement.
function variantOf(alert: JsonObject, time: number): JsonObject {
  return time === 0 ? alert : { ...alert, source: `${String(alert['source'] ?? 'samples')} ${time}` };
}

/** Returns a verdict without its time as one line. */
export function verdictBytes({ verdict }: RunDocument): string {
  if (verdict === null) return 'none';
  const { decidedAt: _, ...rest } = verdict;
  return canonicalJson(rest);
}

/** The digest of every request of a run, in their order. */
export function requestHashes({ interactions }: RunDocument): string[] {
  return interactions
    .map(({ unit, stage, round, step, attempt, requestHash }) =>
      [unit, stage, round, step, attempt, requestHash].join(' '),
    )
    .sort();
}

/** Returns a short digest of a text. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
