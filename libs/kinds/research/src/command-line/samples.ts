import { fileURLToPath } from 'node:url';
import { readAlerts } from '@casefile/kit/files/alert-file';
import type { KindSamples } from '@casefile/kit/command-line/kind-samples';

/**
 * One question with made-up search results in three modes, and one question without a source that its mode
 * accepts.
 */
export async function researchSamples(folder: URL): Promise<KindSamples> {
  return {
    alerts: await readAlerts(fileURLToPath(new URL('research.json', folder))),
    lookedUp: {},
  };
}
