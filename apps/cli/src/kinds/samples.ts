import type { Seed } from '../up/system.js';
import { incidentSamples } from './incident/samples.js';
import type { KindSamples } from './kind-samples.js';
import { policyCaseSamples } from './policy-check/samples.js';
import { researchSamples } from './research/samples.js';
import { scamSamples } from './scam-verdict/samples.js';

/** Returns the samples of every kind of case that has some. @param folder Folder of the bundled samples. */
export async function samplesOfKinds(folder: URL): Promise<KindSamples> {
  const all = await Promise.all(
    [scamSamples, policyCaseSamples, incidentSamples, researchSamples].map((read) => read(folder)),
  );
  return {
    alerts: all.flatMap(({ alerts }) => alerts),
    lookedUp: Object.assign({}, ...all.map(({ lookedUp }) => lookedUp)) as Seed,
  };
}
