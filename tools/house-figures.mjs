// `npm run house [-- --list]`: prints metrics of the source's structure: file sizes, files with one importer,
// import cycles, shared files that name a playbook, members of the Playbook type, and the numbers of files
// and functions that one alert runs. `--list` names the files and functions.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { build } from './build.mjs';
import { root } from './root.mjs';

const SOURCE = /^(libs(?:\/kinds)?|apps)\/[^/]+\/src\/.*\.tsx?$/;
const NO_SOURCE = /\/generated\/|\.spec\.tsx?$|\.browser\.ts$|\/testing\/|^apps\/(?:e2e|bench)\//;
/**
 * Words that belong to one playbook. Engagement sessions do not: any playbook's verdict may declare this
 * effect, and sessions have their own API.
 */
const KIND = /scam|screening|criteri|policy-check|policyCheck|incident|research/i;
/**
 * Files that may contain these words: the playbooks' own folders, knowledge bases, lists and views. In
 * contracts, a playbook has one file for types that both the pipeline and the dashboard read, and a knowledge
 * base for its port. The lists of erasable columns and of rights name the tables of knowledge bases.
 */
const KIND_MAY_STAND =
  /^libs\/kinds\/|^libs\/pipeline\/src\/(scam|text-signals|testing)\/|^libs\/kit\/src\/(?:messages\/|command-line\/knowledge-seed\.ts$)|^libs\/knowledge\/|^libs\/contracts\/src\/(kinds|knowledge)\/|^apps\/dashboard\/src\/(app\.tsx|places\.ts)$|^apps\/dashboard\/src\/pages\/(kinds|policy)\/|^apps\/llm-simulator\/|^libs\/evidence\/src\/tools\/|^libs\/store\/src\/(erasure\/|roles\/rights\.ts$)/;

/** Data files, written as code or generated. */
const DATA = /lexicon-[^/]*\.ts$|-data\.ts$/;
/** Data files that the sources import. */
const IMPORTED_DATA = /^libs\/[^/]+\/src\/.*\.json$/;
const LONGEST = 300;
const NEARLY = 285;

/** Returns all source files, without specs and generated code. */
export const sourceFiles = () => trackedFiles().filter((file) => SOURCE.test(file) && !NO_SOURCE.test(file));

function trackedFiles() {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  return [...new Set(listed.split('\n'))].filter(exists);
}

/**
 * Returns the source files of each administrative feature, over all libraries and apps. `features.json` has the
 * patterns of their paths: `**` stands for any folders, `*` for any part of a name. A file that belongs to a kind of
 * case belongs to no feature.
 */
export function featureFiles(files = sourceFiles()) {
  const features = JSON.parse(readFileSync(join(root, 'tools/features.json'), 'utf8'));
  const own = files.filter((file) => !/^libs\/kinds\/|\/kinds\//.test(file));
  return Object.entries(features).map(([name, patterns]) => {
    const ofFeature = patterns.map(pathPattern);
    return [name, own.filter((file) => ofFeature.some((pattern) => pattern.test(file)))];
  });
}

function pathPattern(pattern) {
  const parts = pattern.split(/(\*\*\/|\*\*|\*)/).map((part) => {
    if (part === '**/') return '(?:.*/)?';
    if (part === '**') return '.*';
    return part === '*' ? '[^/]*' : part.replace(/[.+]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`);
}

/** Returns source files outside a playbook's own files that name a playbook. */
export function filesThatNameAKind(files = sourceFiles()) {
  return files.filter((file) => !KIND_MAY_STAND.test(file) && KIND.test(read(file)));
}

/** A field of an alert's payload that is read by its name: `payload?.['title']`, `const { query } = alert.payload`. */
const PAYLOAD_FIELD =
  /payload\)?(?:\?\.|!)?\[['"`]|\}\s*=\s*[\w.?()! ]*\bpayload\b|\bpayload\??\.[a-z]\w*\b(?!\()/;
/** Files that make payloads or read those of one sender: the formats of webhooks, kinds, and the command for runbooks. */
const PAYLOAD_MAY_BE_READ =
  /^libs\/kinds\/|^libs\/runtime\/src\/(?:intake|destinations)\/|^apps\/dashboard\/src\/pages\/kinds\/|^apps\/cli\/src\/commands\/runbook\.ts$/;

/**
 * Returns source files outside kinds that read a field of a payload by its name. A kind declares by paths which fields
 * name and show its cases.
 */
export function filesThatReadPayloadFields(files = sourceFiles()) {
  return files.filter(
    (file) => !PAYLOAD_MAY_BE_READ.test(file) && PAYLOAD_FIELD.test(withoutStrings(read(file))),
  );
}

// Paths of a display and texts of documentation name fields without reading them.
function withoutStrings(source) {
  return source
    .replace(/\/\*[^]*?\*\/|\/\/.*/g, '')
    .replace(/(?<=[\s(,:[{])(?:'[^'\n]*'|`[^`]*`|"[^"\n]*")/g, "''");
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

/** Returns the imports of each file, and the files that are loaded lazily. */
function importsOf(files) {
  const fileSet = new Set(files);
  const lazy = new Set();
  const imports = new Map(
    files.map((file) => {
      const targets = new Set();
      for (const [, from, later] of read(file).matchAll(
        /(?:from|import) '(\.[^']+)'|import\('(\.[^']+)'\)/g,
      )) {
        const target = resolve(file, from ?? later, fileSet);
        if (target === null || target === file) continue;
        targets.add(target);
        if (later !== undefined) lazy.add(target);
      }
      return [file, targets];
    }),
  );
  return { imports, lazy };
}

/** Returns files with exactly one importer, except entries of a list, pages and lazily loaded files. */
function withOneImporter({ imports, lazy }) {
  const importers = new Map([...imports.keys()].map((file) => [file, new Set()]));
  for (const [file, targets] of imports) for (const target of targets) importers.get(target).add(file);
  const isList = (file) => /^(index|routes|flow|app)\.tsx?$/.test(basename(file));
  return [...imports.keys()].filter((file) => {
    const [only, ...others] = importers.get(file);
    return only !== undefined && others.length === 0 && !lazy.has(file) && !isList(only);
  });
}

/**
 * Returns the groups of files that import each other directly or indirectly. Type imports count, because a
 * reader of one file in a group has to read all of them.
 */
export function importCycles(files = sourceFiles()) {
  const { imports } = importsOf(files);
  const order = new Map();
  const lowest = new Map();
  const open = [];
  const cycles = [];
  // Tarjan's strongly connected components.
  const visit = (file) => {
    order.set(file, order.size);
    lowest.set(file, order.get(file));
    open.push(file);
    for (const target of imports.get(file)) {
      if (!order.has(target)) visit(target);
      else if (!open.includes(target)) continue;
      lowest.set(file, Math.min(lowest.get(file), lowest.get(target)));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const group = open.splice(open.indexOf(file));
    if (group.length > 1) cycles.push(group.sort());
  };
  for (const file of files) if (!order.has(file)) visit(file);
  return cycles;
}

const KIND_FOLDER = /^(?:libs|tools\/testing)\/kinds\/(?!shipped\/)([^/]+)\//;

/** Returns the imports between the folders of two playbooks. Code that playbooks share has its own folder. */
export function importsBetweenKinds(files = sourceFiles()) {
  const kindOf = (file) => KIND_FOLDER.exec(file)?.[1];
  return [...importsOf(files).imports].flatMap(([file, targets]) => {
    const kind = kindOf(file);
    const isOther = (target) => kindOf(target) !== undefined && kindOf(target) !== kind;
    return kind === undefined
      ? []
      : [...targets].filter(isOther).map((target) => `${file} imports ${target}`);
  });
}

const PLAYBOOK = 'libs/pipeline/src/playbook.ts';
/** Files with types that only group members of a playbook. */
const GROUPS = [PLAYBOOK, 'libs/pipeline/src/parts/intake.ts'];

/**
 * Returns the members of the type Playbook, including those of the types that it groups, and how many are
 * optional.
 */
export function playbookMembers() {
  const interfaces = new Map(
    GROUPS.flatMap((file) =>
      ts
        .createSourceFile(file, read(file), ts.ScriptTarget.Latest)
        .statements.filter(ts.isInterfaceDeclaration)
        .map((each) => [each.name.text, each.members]),
    ),
  );
  const own = interfaces.get('Playbook');
  const grouped = own.flatMap(({ type }) =>
    type !== undefined && ts.isTypeReferenceNode(type) ? (interfaces.get(type.typeName.text) ?? []) : [],
  );
  const all = [...own, ...grouped];
  return {
    own: own.length,
    all: all.length,
    optional: all.filter(({ questionToken }) => questionToken !== undefined).length,
  };
}

function resolve(file, specifier, fileSet) {
  const path = normalize(join(dirname(file), specifier)).replace(/\.js$/, '');
  return [`${path}.ts`, `${path}.tsx`, `${path}/index.ts`, path].find((each) => fileSet.has(each)) ?? null;
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
  const linesOf = (file) => read(file).split('\n').length - 1;
  const lines = files.map(linesOf).sort((a, b) => a - b);
  const code = files.filter((file) => !DATA.test(file));
  const single = withOneImporter(importsOf(files));
  const cycles = importCycles(files);
  const playbook = playbookMembers();
  const naming = filesThatNameAKind(files);
  await build();
  const printed = execFileSync(process.execPath, ['apps/bench/dist/programs/track-alert.js'], {
    cwd: root,
    encoding: 'utf8',
  });
  const { alert, critique } = JSON.parse(printed.trim().split('\n').at(-1));
  const sum = (all) => all.reduce((before, each) => before + each, 0);
  const data = trackedFiles().filter((file) => IMPORTED_DATA.test(file) && !NO_SOURCE.test(file));
  const features = featureFiles(files).map(([name, own]) => [name, own.length, sum(own.map(linesOf))]);
  const counts = features.map(([, count]) => count).sort((a, b) => a - b);
  const sourceOf = (built) =>
    files.find((file) => file.replace(/\.tsx?$/, '') === built.replace('/dist/', '/src/'));
  const opened = Object.keys(alert.names).flatMap((built) => sourceOf(built) ?? []);
  const total = sum(lines);
  const long = files.filter((file) => linesOf(file) > LONGEST);
  const nearlyLong = files.filter((file) => linesOf(file) > NEARLY && linesOf(file) <= LONGEST);
  console.log(
    [
      `source files                         ${files.length}, ${total} lines; median ${percentile(lines, 0.5)}, p90 ${percentile(lines, 0.9)}, longest ${lines.at(-1)}`,
      `of it without data                   ${sum(code.map(linesOf))} lines`,
      `data that sources import             ${data.length} files, ${sum(data.map(linesOf))} lines`,
      `source files of a feature, median    ${percentile(counts, 0.5)} of ${counts.length} features`,
      `files over 300, of 286 to 300 lines  ${long.length}, ${nearlyLong.length}`,
      `files with one importer              ${single.length}`,
      `import cycles                        ${cycles.length}`,
      `files that name a kind of case       ${naming.length}`,
      `members of Playbook                  ${playbook.own}, ${playbook.all} with those of its groups, ${playbook.optional} optional`,
      `one scam-verdict alert runs          ${alert.files} files, ${alert.functions} functions; these files have ${sum(opened.map(linesOf))} lines`,
      `of it the stage critique             ${critique.files} files, ${critique.functions} functions`,
    ].join('\n'),
  );
  if (process.argv.includes('--list'))
    console.log(
      [
        listed(
          'features, source files and lines',
          features.map((feature) => feature.join(', ')),
        ),
        listed('one importer', single),
        listed(
          'import one another',
          cycles.map((group) => group.join(' ')),
        ),
        listed('over 285 lines', [...long, ...nearlyLong]),
        listed('name a kind', naming),
        listed('one alert runs', functionsOf(alert)),
        listed('the stage critique runs', functionsOf(critique)),
      ].join('\n\n'),
    );
}

if (process.argv[1] === new URL(import.meta.url).pathname) await main();
