import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readAlerts } from '@casefile/kit/files/alert-file';
import type { KindSamples } from '@casefile/kit/command-line/kind-samples';

/** Alerts of a made-up monitoring system, with the runbooks for these alerts. */
export async function incidentSamples(folder: URL): Promise<KindSamples> {
  const runbooks = new URL('runbooks/', folder);
  const names = (await readdir(runbooks)).filter((name) => name.endsWith('.md')).sort();
  const files = names.map(async (name) => ({
    name,
    bytes: await readFile(new URL(name, runbooks)),
    source: `samples/runbooks/${name}`,
    address: null,
  }));
  return {
    alerts: await readAlerts(fileURLToPath(new URL('incidents.json', folder))),
    lookedUp: { runbooks: await Promise.all(files) },
  };
}
