import { fileURLToPath } from 'node:url';
import { readInputFile } from '@casefile/kit/files/read-input-file';
import type { KindSamples } from '@casefile/kit/command-line/kind-samples';

/** Scam reports for the look-ups of suspicious texts. */
export async function scamSamples(folder: URL): Promise<KindSamples> {
  const name = 'scam-reports.csv';
  const text = await readInputFile(fileURLToPath(new URL(name, folder)));
  return {
    alerts: [],
    lookedUp: { scamReports: { name, text } },
  };
}
