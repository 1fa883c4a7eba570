import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunningProgram } from './running-program.js';

const ROOT = join(fileURLToPath(import.meta.url), '../../../../..');
const CASEFILE = [process.execPath, join(ROOT, 'apps/cli/dist/main.js')];

/** State of a program when it is ended. */
export type Moment = 'start' | 'idle' | 'load';

export interface Program {
  name: string;
  /** Returns its command line, for a separate folder. */
  command(dir: string, moment: Moment): string[];
  /** Resolves when the program is in this state. */
  reach(program: RunningProgram, moment: 'idle' | 'load'): Promise<void>;
  /** Makes the program write a line, because it notices a closed pipe only when it writes. */
  makeWrite?(program: RunningProgram): Promise<void>;
  /** Exit code after a signal while it runs. Default: 128 + the signal's number. */
  signalCode?: 0;
  /** Whether npm started it. npm passes on only INT and TERM. */
  underNpm?: true;
}

const LOAD = 40;
const TEXT = 'Your account is blocked. Call +1 555 010 4477 now and tell us the OTP.';
const alerts = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ playbook: 'scam-verdict', text: `${TEXT} (${at})` }));

/** Returns a policy with this number of sections, which a model has to summarise. */
function policyOf(sections: number): string {
  const words =
    'A claim is reported within thirty days of the loss, in writing and with the number of the contract. ';
  const bodies = Array.from({ length: sections }, (_, at) => `## Section ${at + 1}\n\n${words.repeat(20)}\n`);
  return `# Claims\n\n${bodies.join('\n')}`;
}

async function post(program: RunningProgram, count: number): Promise<void> {
  const [, intake = ''] = await program.untilOutput(/intake\s+POST (\S+)/);
  for (const alert of alerts(count))
    await fetch(intake, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...alert, text: `${alert.text} ${Math.random()}` }),
    });
}

const UP: Pick<Program, 'reach' | 'makeWrite' | 'signalCode'> = {
  reach: async (program, moment) => {
    await program.untilOutput(/Ready after/);
    if (moment === 'idle') return;
    await post(program, LOAD);
    await program.untilModelCalled();
  },
  makeWrite: (program) => post(program, 1),
  signalCode: 0,
};

/** A program that judges or imports, and then ends. It is under load when it has called the model. */
const ASKS: Pick<Program, 'reach'> = { reach: (program) => program.untilModelCalled() };

function file(dir: string, name: string, content: string): string {
  const path = join(dir, name);
  writeFileSync(path, content);
  return path;
}

export const PROGRAMS: readonly Program[] = [
  { name: 'npm start', command: () => ['npm', 'start'], ...UP, underNpm: true },
  {
    name: 'npm run bench',
    command: () => ['npm', 'run', 'bench', '--', '--quick', '--only', 'event stream'],
    // It writes nothing before its table. It is under load when its servers run.
    reach: async (program, moment) => {
      await program.hasChild(/redis-server/);
      if (moment === 'load') await program.hasChild(/postgres: casefile bench/);
    },
    underNpm: true,
  },
  { name: 'up', command: () => [...CASEFILE, 'up'], ...UP },
  { name: 'up --processes', command: () => [...CASEFILE, 'up', '--processes'], ...UP },
  {
    name: 'check',
    command: (dir, moment) => [
      ...CASEFILE,
      'check',
      file(dir, 'alerts.json', JSON.stringify(alerts(moment === 'idle' ? 1 : LOAD))),
    ],
    ...ASKS,
  },
  {
    name: 'import',
    command: (dir, moment) => [
      ...CASEFILE,
      'import',
      'policy',
      file(dir, 'policy.md', policyOf(moment === 'idle' ? 2 : 200)),
      '--summaries',
      'model',
      '--direct',
    ],
    ...ASKS,
  },
  {
    name: 'eval',
    command: (dir, moment) => [
      ...CASEFILE,
      'eval',
      '--playbook',
      'policy-check',
      '--results',
      join(dir, 'results.jsonl'),
      ...(moment === 'idle' ? ['--limit', '1', '--at-once', '1'] : []),
    ],
    ...ASKS,
  },
];
