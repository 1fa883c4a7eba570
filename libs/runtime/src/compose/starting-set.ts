import { asCasefileError } from '@casefile/contracts';
import { startingSet } from '@casefile/knowledge';
import type { Adapters } from './platform.js';

/**
 * Imports the initial knowledge of every installation into an empty database, and updates an earlier edition.
 * A failure is only logged, because the service works without it, and the console reports the empty base.
 */
export async function importStartingSet({
  knowledge,
  log,
}: Pick<Adapters, 'knowledge' | 'log'>): Promise<void> {
  try {
    await knowledge.seed(await startingSet());
  } catch (thrown) {
    const { reasonCode, message } = asCasefileError(thrown);
    const empty = (await knowledge.emptyBases().catch(() => [])).map(({ text }) => ` ${text}.`);
    log.error({ reason: reasonCode }, `the starting set was not imported: ${message}.${empty.join('')}`);
  }
}
