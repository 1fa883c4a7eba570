// `npm run results`: judges the labelled sets `seen` and `unseen` of every playbook by rules, on a private
// database and without external look-ups, and writes docs/results. Arguments are passed to `casefile eval`:
// `-- --set unseen`. `-- --received`: judges instead the received messages in the folder CASEFILE_TRAINING_DATA that
// samples/eval/measured-files.json lists, each set apart, and prints their figures: of each at most 300, or as many as
// `--limit` states. These messages stay outside of the repository.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { install } from './install.mjs';
import { root } from './root.mjs';

await install();
const { build } = await import('./build.mjs');
await build();

const CASEFILE = join(root, 'apps/cli/bin/casefile.mjs');
const isReceived = process.argv.includes('--received');
const more = process.argv.slice(2).filter((argument) => argument !== '--received');
/** Messages of a received set that are judged: enough for an interval of 5 % to each side. */
const MOST_RECEIVED = ['--limit', '300'];
/** Times that a set is judged on after a failure. The results so far are kept. */
const MOST_ATTEMPTS = 3;
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
  if (isReceived) await judgeReceived();
  for (const playbook of isReceived ? [] : await kinds())
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

// Nothing of these messages is written to docs/results.
async function judgeReceived() {
  const folder = process.env['CASEFILE_TRAINING_DATA'];
  if (folder === undefined)
    throw new Error(
      'CASEFILE_TRAINING_DATA: expected the folder of the files in samples/eval/measured-files.json',
    );
  for (const { file, sha256 } of JSON.parse(
    await readFile(join(root, 'samples/eval/measured-files.json'), 'utf8'),
  )) {
    const content = await readFile(join(folder, file)).catch(() => null);
    const digest = content === null ? null : createHash('sha256').update(content).digest('hex');
    if (digest !== sha256) {
      console.error(
        `${file}: ${digest === null ? 'not found' : 'not the file that is listed'}. It is left out.`,
      );
      continue;
    }
    for (const playbook of ['scam-verdict', 'message-screening']) {
      console.log(`\n${file}, ${playbook}`);
      const kept = join(data, `${file.replaceAll('/', '-')}-${playbook}.jsonl`);
      await judgedSet(playbook, join(folder, file), kept);
    }
  }
}

// A set that fails must not end the measurement of the others.
async function judgedSet(playbook, file, kept) {
  const limit = more.includes('--limit') ? [] : MOST_RECEIVED;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await casefile(
        ...['eval', '--direct', '--rules', '--playbook', playbook, '--dataset', file],
        ...['--results', kept, ...limit, ...more],
      );
      return;
    } catch (error) {
      console.error(error.message);
      if (attempt < MOST_ATTEMPTS) continue;
      console.error(`${file}, ${playbook}: no figures.`);
      process.exitCode = 1;
      return;
    }
  }
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
