import { join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import { kinds } from '@casefile/shipped/loaded';
import { serviceProcesses, type ServiceProcess } from '@casefile/e2e/testing/service-processes';
import { describeInstallation, readConfig } from '@casefile/runtime';
import { createPostgresStore } from '@casefile/store';

/** Starts `count` processes of ingest, and no other service. */
export async function onlyIngest(
  count: number,
  options: { databaseUrl: string; queueUrl: string; execArgv: string[] },
): Promise<ServiceProcess[]> {
  // Intake freezes runs from what a reasoner has published, which does not run here.
  const store = createPostgresStore({ databaseUrl: options.databaseUrl, poolSize: 3 });
  await store.installations.publish(describeInstallation(readConfig({ LLM_PROVIDER: 'none' }, kinds)));
  await store.close();
  const logFile = join(temporaryFolder('ingest'), 'services.log');
  const names = Array.from({ length: count }, () => 'ingest' as const);
  const ingests = await serviceProcesses(names, { ...options, logFile });
  await Promise.all(ingests.map((ingest) => ingest.start()));
  return ingests;
}
