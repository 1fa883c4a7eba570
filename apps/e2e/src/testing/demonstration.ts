import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@casefile/contracts/testing';
import { childEnvironment } from '@casefile/runtime';
import { patientConfig } from './patient-settings.js';

const CLI = join(fileURLToPath(import.meta.url), '../../../../cli/dist/main.js');
const PORTS = ['CONSOLE', 'INGEST', 'EVIDENCE_COLLECTOR', 'REASONER', 'CRITIC_WRITER', 'DECISION'];

/** A line that `casefile up --json` prints. */
export type PrintedLine = { type: string; [key: string]: unknown };

/** `casefile up --demo` as a separate process. */
export interface Demonstration {
  child: ChildProcess;
  lines: PrintedLine[];
  /** Resolves with the first matching line, as soon as it is printed. */
  until(fits: (line: PrintedLine) => boolean): Promise<PrintedLine>;
  /** Its exit code; null if a signal ended it. */
  ended: Promise<number | null>;
}

/** Starts `casefile up --demo` on a database. The caller ends the child. */
export function startDemonstration(databaseUrl: string, ...args: string[]): Demonstration {
  const env = childEnvironment({
    ...Object.fromEntries(PORTS.map((name) => [`${name}_PORT`, '0'])),
    // A key in the environment changes nothing: with --demo no provider is called.
    DATABASE_URL: databaseUrl,
    QUEUE_URL: '',
    LLM_PROVIDER: '',
    OPENAI_API_KEY: 'not-asked',
    NODE_OPTIONS: '',
    CASEFILE_DATA: temporaryFolder('demo'),
    CASEFILE_CONFIG: patientConfig(),
  });
  const child = spawn(process.execPath, [CLI, 'up', '--demo', '--json', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: PrintedLine[] = [];
  const waiting: (() => void)[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(JSON.parse(line) as PrintedLine);
    for (const look of waiting) look();
  });
  const until = (fits: (line: PrintedLine) => boolean) =>
    new Promise<PrintedLine>((resolve) => {
      const look = () => {
        const match = lines.find(fits);
        if (match !== undefined) resolve(match);
      };
      waiting.push(look);
      look();
    });
  return { child, lines, until, ended: new Promise((resolve) => child.on('close', resolve)) };
}
