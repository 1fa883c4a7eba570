import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';

/** Longer than a test may take. */
export const NEVER_MS = 300_000;

/**
 * The two limits that a busy machine exceeds although nothing is wrong: the time for a model's answer on a message, and
 * that for reading an image. All other limits of a world under test are the shipped ones.
 */
export const PATIENT = {
  playbooks: {
    'scam-verdict': { deadlineMs: NEVER_MS },
    'message-screening': { deadlineMs: NEVER_MS },
  },
  ocr: { timeoutSeconds: NEVER_MS / 1_000 },
};

/** Limits of runs in which workers are killed: a look-up also waits until its worker has started again. */
export const PATIENT_OF_RESTARTS = {
  ...PATIENT,
  playbooks: {
    'scam-verdict': { deadlineMs: NEVER_MS, toolWaitMs: NEVER_MS },
    'message-screening': { deadlineMs: NEVER_MS, toolWaitMs: NEVER_MS },
    'policy-check': { toolWaitMs: NEVER_MS },
    incident: { toolWaitMs: NEVER_MS },
    research: { toolWaitMs: NEVER_MS },
  },
};

/** The fewest connections with one for live work. Each costs Postgres a process and a plan of each statement. */
const FEW_CONNECTIONS = { store: { connections: 4, liveConnections: 1 } };

/** Alerts of a spec often name the same service. Specs of storms switch their correlation on. */
const NO_STORMS = { correlation: { enabled: false } };

/** Writes the settings of worlds under test to a file. Returns its path, for CASEFILE_CONFIG. */
export function patientConfig(): string {
  const file = join(temporaryFolder('patient'), 'config.yaml');
  // JSON is YAML too.
  writeFileSync(file, JSON.stringify({ ...PATIENT, ...FEW_CONNECTIONS, ...NO_STORMS }));
  return file;
}
