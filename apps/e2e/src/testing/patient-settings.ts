import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import { toolNames } from '@casefile/evidence';

/** Longer than a test may take. */
export const NEVER_MS = 300_000;

/**
 * Settings with which no answer of a model or of a tool of Casefile and no reading of an image is too late because
 * the machine is busy.
 */
export const PATIENT = {
  playbooks: {
    'scam-verdict': { deadlineMs: NEVER_MS, toolWaitMs: NEVER_MS },
    'message-screening': { deadlineMs: NEVER_MS, toolWaitMs: NEVER_MS },
    'policy-check': { toolWaitMs: NEVER_MS },
    incident: { toolWaitMs: NEVER_MS },
    research: { toolWaitMs: NEVER_MS },
  },
  tools: Object.fromEntries(toolNames.map((name) => [name, { timeoutMs: NEVER_MS }])),
  ocr: { timeoutSeconds: NEVER_MS / 1_000 },
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
