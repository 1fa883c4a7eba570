import { fileURLToPath } from 'node:url';
import { readAlerts } from '../../alert-file.js';
import type { KindSamples } from '../kind-samples.js';

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
