import { fileURLToPath } from 'node:url';
import { readInputFile } from '../../read-input-file.js';
import type { KindSamples } from '../kind-samples.js';

/** Known scam patterns and reports, by which messages and suspicious texts are looked up. */
export async function scamSamples(folder: URL): Promise<KindSamples> {
  const textOf = async (name: string) => ({
    name,
    text: await readInputFile(fileURLToPath(new URL(name, folder))),
  });
  return {
    alerts: [],
    startingSet: {
      scamPatterns: await textOf('scam-patterns.json'),
      scamPatternVectors: await textOf('scam-patterns.vectors.json'),
    },
    lookedUp: { scamReports: await textOf('scam-reports.csv') },
  };
}
