// `npm run results`: judges the labelled sets `seen` and `unseen` of every playbook by rules, on a private
// database and without external look-ups, and writes docs/results. Arguments are passed to `casefile eval`:
// `-- --set unseen`. `-- --received`: judges instead the received messages in the folder CASEFILE_TRAINING_DATA, by
// rules and without a database, and prints their figures (received-by-rules.mjs). `--limit N`: at most N of each set.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { install } from './install.mjs';
import { judgeReceived } from './received-by-rules.mjs';
import { root } from './root.mjs';

await install();
const { build } = await import('./build.mjs');
await build();

const CASEFILE = join(root, 'apps/cli/bin/casefile.mjs');
const more = process.argv.slice(2);
if (more.includes('--received')) {
  const folder = process.env['CASEFILE_TRAINING_DATA'];
  if (folder === undefined)
    throw new Error(
      'CASEFILE_TRAINING_DATA: expected the folder of the files in samples/eval/measured-files.json',
    );
  const at = more.indexOf('--limit');
  await judgeReceived(folder, at === -1 ? undefined : Number(more[at + 1]));
  process.exit();
}
const sets = more.includes('--set')
  ? [[]]
  : [
      ['--set', 'seen'],
      ['--set', 'unseen'],
    ];

const data = await mkdtemp(join(tmpdir(), 'casefile-results-'));
const env = {
  ...process.env,
  CASEFILE_DATA: data,
  LLM_PROVIDER: 'none',
  RDAP_BASE_URL: 'off',
  LOG_LEVEL: 'fatal',
};
// Uses a separate database in the folder.
for (const name of ['DATABASE_URL', 'QUEUE_URL']) delete env[name];
try {
  await seed();
  for (const playbook of await kinds())
    for (const set of [...sets, ...mailSets(playbook)])
      await casefile(
        ...['eval', '--direct', '--rules', '--playbook', playbook, ...set, ...more],
        ...['--results', join(data, 'results.jsonl'), '--out', join(root, 'docs/results')],
      );
} finally {
  await rm(data, { recursive: true, force: true });
}

// Kinds that judge messages have sets of mails too. Each set is a result of its own.
function mailSets(playbook) {
  if (more.includes('--set') || !['scam-verdict', 'message-screening'].includes(playbook)) return [];
  return [
    ['--set', 'mails-seen'],
    ['--set', 'mails-unseen'],
  ];
}

// Imports the initial knowledge with its vectors, because computing them takes minutes.
async function seed() {
  const { connect, readConfig } = await import('../libs/runtime/dist/index.js');
  const { kinds: shipped } = await import('../libs/kinds/shipped/dist/loaded.js');
  const { adapters, close } = await connect(readConfig(env, shipped), []);
  const sample = async (name) => ({ name, text: await readFile(join(root, 'samples', name), 'utf8') });
  await adapters.knowledge.seed({
    scamPatterns: await sample('scam-patterns.json'),
    scamPatternVectors: await sample('scam-patterns.vectors.json'),
  });
  await close();
}

async function kinds() {
  const { playbooks } = await import('../libs/kinds/shipped/dist/loaded.js');
  return playbooks.map(({ name }) => name);
}

function casefile(...args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CASEFILE, ...args], { cwd: root, env, stdio: 'inherit' });
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`casefile ${args[0]} ended with ${code}`)),
    );
  });
}
