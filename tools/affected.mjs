// `npm run affected [-- FILE...]`: lists the spec files that depend on what changed since this branch left
// `main`, directly or through other modules, data files and started programs. `-- --base REF`: since another
// branch or commit. FILE: as if these files had changed; FILE#name: one declaration of a file.
// `-- --why SPEC`: shows the way from the change to a spec file. `npm test -- --affected` runs the listed files.
import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { readDurations } from './durations.mjs';
import { changedNodes, changesSince } from './imports/changes.mjs';
import { unitNode } from './imports/graph.mjs';
import { readGraph } from './imports/tree.mjs';
import { root } from './root.mjs';

/** Specs below such a folder belong to `npm run test:whole`. */
export const WHOLE = /\/whole\//;

/**
 * Returns the affected spec files, nearest first.
 * @param {{ base?: string, files?: string[] }} options `files`: as if these had changed, instead of the
 * difference to `base`
 * @returns {{ changed: string[], specs: { file: string, isWhole: boolean, way: string[] }[] }}
 */
export function findAffected({ base = 'main', files = [] } = {}) {
  const changes = files.length > 0 ? [] : changesSince(root, base);
  const graph = readGraph(root, changes);
  const named = files.map((file) => namedChange(graph, file));
  const nodes = new Set([...changedNodes(graph, changes), ...named.flatMap(({ nodes }) => [...nodes])]);
  const gone = new Set(changes.filter(({ kind }) => kind === 'deleted').map(({ file }) => file));
  const specs = [...graph.specsOf(nodes)]
    .filter(([file]) => !gone.has(file))
    .map(([file, way]) => ({ file, isWhole: WHOLE.test(file), way: modulesOf(way) }));
  specs.sort((a, b) => a.way.length - b.way.length || (a.file < b.file ? -1 : 1));
  return { changed: [...changes.map(({ file }) => file), ...files], specs };
}

/**
 * Returns the sums: a line per tier with the number of spec files and their seconds. With `list`, each is
 * preceded by a table of its files.
 */
export function affectedTable({ changed, specs }, { list, seconds = readDurations() }) {
  const row = ({ file, way }) => aligned([secondsOf(seconds[file]), String(way.length - 1), file]);
  const head = aligned(['s', 'steps', 'spec file']);
  const tier = (command, files) => {
    const known = files.filter(({ file }) => seconds[file] !== undefined);
    const sum = Math.round(known.reduce((total, { file }) => total + seconds[file], 0));
    const others = files.length - known.length;
    const rest = others > 0 ? ` (${others} take less than 1 s or were not measured)` : '';
    return [
      ...(list && files.length > 0 ? [head, ...files.map(row)] : []),
      `${command}: ${files.length} spec files, ${sum} s${rest}`,
    ];
  };
  const whole = specs.filter(({ isWhole }) => isWhole);
  return [
    ...tier(
      'npm test',
      specs.filter(({ isWhole }) => !isWhole),
    ),
    ...(whole.length > 0 ? tier('npm run test:whole', whole) : []),
    `${changed.length} changed files`,
  ].join('\n');
}

function aligned([seconds, steps, file]) {
  return `${seconds.padStart(5)} ${steps.padStart(5)}  ${file}`;
}

function secondsOf(seconds) {
  return seconds === undefined ? '' : seconds < 10 ? seconds.toFixed(1) : seconds.toFixed(0);
}

/** A file or one of its declarations, named on the command line. */
function namedChange(graph, text) {
  const [given, name] = text.split('#');
  const file = relative(root, join(process.cwd(), given));
  const isFile = statSync(join(root, file), { throwIfNoEntry: false })?.isFile() === true;
  if (!isFile) throw new Error(`${given}: expected a file of this repository; there is none with this path`);
  if (name === undefined) return { nodes: changedNodes(graph, [{ file, kind: 'changed', before: null }]) };
  const units = Object.keys(graph.records.get(file)?.units ?? {}).filter((unit) => unit !== '');
  if (units.includes(name)) return { nodes: [file, unitNode(file, name)] };
  throw new Error(`${text}: expected one of ${units.join(', ')} after #`);
}

/** The way of nodes as a way of files. */
function modulesOf(way) {
  const files = way.map((node) => node.replace(/(\.(?:tsx?|mjs|json))[#@].*$/, '$1').replace(/\?$/, ''));
  return files.filter((file, at) => file !== files[at - 1]);
}

if (process.argv[1] === new URL(import.meta.url).pathname) main();

function main() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { base: { type: 'string' }, why: { type: 'string' } },
    });
    const found = findAffected({ base: values.base, files: positionals });
    if (values.why === undefined) return void console.log(affectedTable(found, { list: true }));
    const spec = found.specs.find(({ file }) => file === relative(root, join(process.cwd(), values.why)));
    console.log(spec?.way.join('\n  is used by ') ?? `${values.why} does not depend on the change`);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
