import { asCasefileError } from '@casefile/contracts';
import { startingSet } from '@casefile/knowledge';
import type { Adapters } from './platform.js';

/**
 * Imports what every installation begins with into a database that has none of it, and brings an earlier edition up to date. A
 * failure is logged and does not keep the service from starting: the console reports the empty base.
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
