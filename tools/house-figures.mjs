// `npm run house [-- --list]`: figures by which the structure of the source is watched: sizes, files with one importer,
// files that know a kind of case by name, and how many files and functions one alert runs. `--list` names the files.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { build } from './build.mjs';
import { root } from './root.mjs';

const SOURCE = /^(libs|apps)\/[^/]+\/src\/.*\.tsx?$/;
const NO_SOURCE = /\/generated\/|\.spec\.tsx?$|\.browser\.ts$|\/testing\/|^apps\/(?:e2e|bench)\//;
/**
 * Words that belong to one kind of case. Engagement sessions are none: they are an effect that the verdict of any playbook
 * may declare, with an API of their own.
 */
const KIND = /scam|screening|criteri|policy-check|policyCheck|incident|research/i;
/**
 * Where they may stand: the kinds' own folders, their knowledge bases, lists, and views of their own. In contracts a kind
 * has a file of its own for types that both the pipeline and the dashboard read, and a knowledge base for its port.
 */
const KIND_MAY_STAND =
  /^libs\/pipeline\/src\/(playbooks|text-signals|testing)\/|^libs\/knowledge\/|^libs\/contracts\/src\/(kinds|knowledge)\/|^apps\/dashboard\/src\/(app\.tsx|places\.ts)$|^apps\/dashboard\/src\/pages\/(kinds|policy)\/|^apps\/cli\/src\/kinds\/|^apps\/llm-simulator\/|^libs\/evidence\/src\/tools\//;

/** Every source file, specs and generated code left out. */
export function sourceFiles() {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  return [...new Set(listed.split('\n'))]
    .filter((file) => SOURCE.test(file) && !NO_SOURCE.test(file))
    .filter(exists);
}

/** Source files that name a kind of case although they are none of its own. */
export function filesThatNameAKind(files = sourceFiles()) {
  return files.filter((file) => !KIND_MAY_STAND.test(file) && KIND.test(read(file)));
}

function exists(file) {
  try {
    return readFileSync(join(root, file)).length >= 0;
  } catch {
    return false;
  }
}

function read(file) {
  return readFileSync(join(root, file), 'utf8');
}

/** Files with exactly one importer that are no entry of a list, no page and not loaded lazily. */
function withOneImporter(files) {
  const known = new Set(files);
  const importers = new Map(files.map((file) => [file, new Set()]));
  const lazy = new Set();
  for (const file of files) {
    const text = read(file);
    for (const [, from, later] of text.matchAll(/(?:from|import) '(\.[^']+)'|import\('(\.[^']+)'\)/g)) {
      const target = resolve(file, from ?? later, known);
      if (target === null) continue;
      importers.get(target).add(file);
      if (later !== undefined) lazy.add(target);
    }
  }
  const isList = (file) => /^(index|routes|flow|app)\.tsx?$/.test(basename(file));
  return files.filter((file) => {
    const [only, ...others] = importers.get(file);
    return only !== undefined && others.length === 0 && !lazy.has(file) && !isList(only);
  });
}

function resolve(file, specifier, known) {
  const path = normalize(join(dirname(file), specifier)).replace(/\.js$/, '');
  return [`${path}.ts`, `${path}.tsx`, `${path}/index.ts`, path].find((each) => known.has(each)) ?? null;
}

function percentile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

const listed = (title, lines) => `${title}:\n${lines.join('\n')}`;

function functionsOf({ names }) {
  return Object.entries(names).map(([file, all]) => `${file}: ${all.join(', ')}`);
}

async function main() {
  const files = sourceFiles();
  const lines = files.map((file) => read(file).split('\n').length - 1).sort((a, b) => a - b);
  const single = withOneImporter(files);
  const naming = filesThatNameAKind(files);
  await build();
  const printed = execFileSync(process.execPath, ['apps/bench/dist/programs/track-alert.js'], {
    cwd: root,
    encoding: 'utf8',
  });
  const { alert, critique } = JSON.parse(printed.trim().split('\n').at(-1));
  const total = lines.reduce((sum, each) => sum + each, 0);
  console.log(
    [
      `source files                         ${files.length}, ${total} lines; median ${percentile(lines, 0.5)}, p90 ${percentile(lines, 0.9)}, longest ${lines.at(-1)}`,
      `files with one importer              ${single.length}`,
      `files that name a kind of case       ${naming.length}`,
      `one scam-verdict alert runs          ${alert.files} files, ${alert.functions} functions`,
      `of it the stage critique             ${critique.files} files, ${critique.functions} functions`,
    ].join('\n'),
  );
  if (process.argv.includes('--list'))
    console.log(
      [
        listed('one importer', single),
        listed('name a kind', naming),
        listed('one alert runs', functionsOf(alert)),
        listed('the stage critique runs', functionsOf(critique)),
      ].join('\n\n'),
    );
}

if (process.argv[1] === new URL(import.meta.url).pathname) await main();
