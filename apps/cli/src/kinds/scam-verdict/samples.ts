import { fileURLToPath } from 'node:url';
import { readInputFile } from '../../read-input-file.js';
import type { KindSamples } from '../kind-samples.js';

/** Scam reports for the look-ups of suspicious texts. */
export async function scamSamples(folder: URL): Promise<KindSamples> {
  const name = 'scam-reports.csv';
  const text = await readInputFile(fileURLToPath(new URL(name, folder)));
  return {
    alerts: [],
    lookedUp: { scamReports: { name, text } },
  };
}
