import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import { countRecord, type RecordCounts } from '@casefile/e2e/fault-run/count-record';
import { fiveServices, type FiveServices } from '@casefile/e2e/testing/five-services';
import { instantModel } from '@casefile/e2e/testing/instant-model';
import { PATIENT } from '@casefile/e2e/testing/patient-settings';
import { worldOn } from '@casefile/e2e/testing/world';
import type { ProofContext } from '../proof.js';

export interface SystemOptions {
  databaseUrl: string;
  queueUrl: string;
  /** Time of the model for one answer. */
  modelMs: number;
  settings?: object;
  /** `one process`: one process hosts all services. Default: a process each. */
  layout?: 'one process' | undefined;
}

/** Services that a proof disturbs. */
export interface ProofSystem {
  ingestUrl: string;
  close(): Promise<void>;
}

/** Starts the services: as processes in the long form, together in this process in the short form. */
export async function proofSystem(context: ProofContext, options: SystemOptions): Promise<ProofSystem> {
  if (!context.short) {
    const system = await proofServices(context, options);
    return { ingestUrl: system.service('ingest').url, close: () => system.close() };
  }
  const config = join(temporaryFolder('proof'), 'config.yaml');
  writeFileSync(config, JSON.stringify(settingsOf(options)));
  const world = await worldOn(options.databaseUrl, options.queueUrl, instantModel(options.modelMs), {
    CASEFILE_CONFIG: config,
    LOG_LEVEL: 'fatal',
  });
  return { ingestUrl: world.ingestUrl ?? '', close: () => world.close() };
}

/**
 * Starts the services as processes in both forms, for proofs about the queue and its jobs.
 */
export async function proofServices(
  { execArgv }: ProofContext,
  { databaseUrl, queueUrl, modelMs, layout, ...options }: SystemOptions,
): Promise<FiveServices> {
  const settings = settingsOf(options);
  const system = await fiveServices({
    script: { delayMs: modelMs },
    settings,
    services: layout,
    databaseUrl,
    queueUrl,
    execArgv,
  });
  await system.start();
  return system;
}

const settingsOf = ({ settings = {} }: Pick<SystemOptions, 'settings'>): object => ({
  ...PATIENT,
  calls: { probeAtStart: false },
  ...settings,
});

/** An alert that differs from the others by its number. */
export const alertNumber = (n: number | string): { playbook: string; text: string; source: string } => ({
  playbook: 'scam-verdict',
  text: `Case ${n}: your account is blocked, pay at http://case-${n}.example now`,
  source: 'proofs',
});

/** Waits until no run is unfinished, at most `withinMs`. Returns what is on the record then. */
export async function settled(databaseUrl: string, withinMs: number): Promise<RecordCounts> {
  for (const until = Date.now() + withinMs; ; await new Promise((resolve) => setTimeout(resolve, 250))) {
    const counts = await countRecord(databaseUrl);
    if ((counts.unfinished === 0 && counts.deliveriesOpen === 0) || Date.now() > until) return counts;
  }
}
