// `node tools/check-affected.mjs [--seed 1] [--only queue,store] [--others 20]`: changes one line in a copy of each
// library, runs specs of the library and others, and fails if a spec breaks that `npm run affected` did not
// list for the change. Of the specs that are not listed it runs a seeded choice of those that need no server: of
// the library, and as many (`--others`) of other libraries.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { changedNodes } from './imports/changes.mjs';
import { BUILT, unitNode } from './imports/graph.mjs';
import { listFiles } from './imports/records.mjs';
import { readGraph } from './imports/tree.mjs';
import { mutations } from './imports/mutations.mjs';
import { root } from './root.mjs';

const NO_TARGET = /\.spec\.|\/testing\/|\/generated\/|-data\.ts$|lexicon-|\/index\.ts$|\.d\.ts$/;
/** Specs that use these need a server or start a program, and take long. */
const DEAR = [
  BUILT,
  unitNode('libs/store/src/testing/test-database.ts', 'testDatabase'),
  unitNode('libs/queue/src/testing/bull-harness.ts', 'redisScratch'),
  unitNode('libs/queue/src/testing/bull-harness.ts', 'postgresScratch'),
  'tools/build.mjs',
];
const ONLY_IN_LIBS = /^libs\//;
/** Changes that are tried in a library until the specs of the library notice one. */
const TRIES = 4;

/** Returns a copy of the tree that shares the installed packages, but not this repository's own. */
function copyTree() {
  const copy = mkdtempSync(join(tmpdir(), 'casefile-affected-'));
  for (const file of listFiles(root)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  mkdirSync(join(copy, 'node_modules/@casefile'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@casefile' && name !== '.cache')
      symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name));
  for (const group of ['libs', 'libs/kinds', 'apps'])
    for (const name of readdirSync(join(root, group)))
      if (existsSync(join(root, group, name, 'package.json')))
        symlinkSync(join(copy, group, name), join(copy, 'node_modules/@casefile', name));
  spawnSync('git', ['init', '-q'], { cwd: copy });
  return copy;
}

/** Runs specs in the copy. Returns the paths of those that failed. */
function failing(copy, specs) {
  if (specs.length === 0) return [];
  const report = join(copy, 'report.json');
  const jest = [
    '--no-warnings',
    'node_modules/jest/bin/jest.js',
    '--maxWorkers=1',
    // A change can make a test wait for ever.
    '--testTimeout=15000',
    '--forceExit',
    '--json',
    `--outputFile=${report}`,
  ];
  spawnSync(process.execPath, [...jest, '--runTestsByPath', ...specs], { cwd: copy, stdio: 'ignore' });
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  rmSync(report);
  return testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(copy, name));
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shuffled(list, random) {
  const keyed = list.map((one) => [random(), one]);
  return keyed.sort(([a], [b]) => a - b).map(([, one]) => one);
}

/** Changes lines of one library until its specs notice a change. Returns the specs that broke unlisted. */
function checkLibrary(copy, library, before, random, others) {
  const dear = before.specsOf(DEAR);
  const cheap = before.specs.filter((file) => ONLY_IN_LIBS.test(file) && !dear.has(file));
  const own = cheap.filter((file) => file.startsWith(`libs/${library}/`));
  const sources = [...before.records.keys()].filter(
    (file) => file.startsWith(`libs/${library}/src/`) && !NO_TARGET.test(file),
  );
  const holes = [];
  let tried = 0;
  for (const file of shuffled(sources, random)) {
    const text = readFileSync(join(copy, file), 'utf8');
    const [mutation] = shuffled(mutations(file, text), random);
    if (mutation === undefined) continue;
    const listed = listedFor(copy, file, mutation.text, before);
    const ownListed = own.filter((one) => listed.has(one));
    // No spec of the library could notice.
    if (ownListed.length === 0) {
      writeFileSync(join(copy, file), text);
      continue;
    }
    const unlisted = shuffled(
      cheap.filter((one) => !listed.has(one)),
      random,
    );
    const near = unlisted.filter((one) => own.includes(one)).slice(0, others);
    const far = unlisted.filter((one) => !own.includes(one)).slice(0, others);
    const noticing = failing(copy, ownListed);
    const broken = failing(copy, [...near, ...far]);
    writeFileSync(join(copy, file), text);
    // A spec that also fails without the change says nothing.
    const failsAnyway = failing(copy, broken);
    const wrong = broken.filter((spec) => !failsAnyway.includes(spec));
    holes.push(...wrong.map((spec) => `${spec} broke by ${file}:${mutation.line} ${mutation.what}`));
    console.log(
      `${library}: ${file}:${mutation.line} ${mutation.what}: ${listed.size} of ${before.specs.length} listed; ` +
        `broke ${noticing.length} of ${ownListed.length} listed in the library, ` +
        `${wrong.length} of ${near.length + far.length} not listed`,
    );
    tried += 1;
    if (noticing.length > 0 || tried === TRIES) break;
  }
  return holes;
}

/** Writes a changed module to the copy. Returns the specs that are listed for it. */
function listedFor(copy, file, text, before) {
  writeFileSync(join(copy, file), text);
  const graph = readGraph(copy);
  const change = { file, kind: 'changed', before: before.records.get(file) };
  return graph.specsOf(changedNodes(graph, [change]));
}

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    others: { type: 'string', default: '20' },
  },
});
const random = randomNumbers(Number(values.seed));
const copy = copyTree();
try {
  const before = readGraph(copy);
  const libraries =
    values.only?.split(',') ??
    readdirSync(join(root, 'libs')).filter((name) => existsSync(join(root, 'libs', name, 'src')));
  const holes = libraries.flatMap((name) => checkLibrary(copy, name, before, random, Number(values.others)));
  for (const line of holes) console.log(`NOT LISTED: ${line}`);
  console.log(`seed ${values.seed}: ${holes.length} specs broke that were not listed`);
  process.exitCode = holes.length === 0 ? 0 : 1;
} finally {
  rmSync(copy, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
