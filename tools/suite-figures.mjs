// Processor time of a test run, by class of spec and by file. `npm run slowest [-- 40]` prints the figures of
// the last run. tools/jest/usage.mjs measures them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceOf } from './jest/outside-programs.mjs';
import { root } from './root.mjs';

/** One line of JSON per spec file of the last run. */
export const USAGE = join(root, 'node_modules/.cache/jest-usage.jsonl');

/**
 * A file of the fast tier with more processor seconds is reported. It does not fail: the same work takes up to
 * twice the processor time while others use the machine.
 */
const MANY_SECONDS = 20;

/**
 * A file of the fast tier with more processor seconds in its own worker fails if that is also more than this share
 * of the whole run: on a slow or busy machine the seconds of all files grow alike.
 */
const MOST_SECONDS = 40;
const MOST_OF_THE_RUN = 0.025;

/** Classes of spec files, the most expensive first. A file belongs to the first that fits. */
const CLASSES = [
  ['browser', ({ source }) => /\bstartChromium\b/.test(source)],
  ['processes', ({ processes }) => processes >= 500],
  ['world', ({ source }) => /\b(?:\w+World|worldOn|startService)\b/.test(source)],
  ['database', ({ postgres }) => postgres > 100],
  ['pure', () => true],
];

/** Returns the usage of each spec file of the last run, in processor seconds, with its class. */
export function readUsage(file = USAGE) {
  return linesOf(file).map((line) => {
    const usage = JSON.parse(line);
    const source = sourceOf(usage.file);
    const [name] = CLASSES.find(([, fits]) => fits({ ...usage, source }));
    const { worker, processes, postgres } = usage;
    return {
      file: usage.file,
      class: name,
      wall: usage.ms / 1000,
      worker: worker / 1000,
      processor: (worker + processes + postgres) / 1000,
    };
  });
}

function linesOf(file) {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n');
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

/** Returns the table of classes. `checks`: processor and wall seconds of the checks that are not tests. */
export function classTable(files, checks) {
  const rows = CLASSES.map(([name]) => {
    const ofClass = files.filter((file) => file.class === name);
    return [name, ofClass.length, sum(ofClass, 'processor'), sum(ofClass, 'wall')];
  });
  if (checks !== undefined) rows.push(['checks', '', checks.processor, checks.wall]);
  const total = ['all', files.length, sum(rows, 2), sum(rows, 3)];
  return table(['class', 'files', 'processor s', 'wall s'], [...rows, total]);
}

/** Returns the table of the files with the most processor time. */
export function slowestFiles(files, count = 20) {
  const slowest = files.toSorted((a, b) => b.processor - a.processor).slice(0, count);
  const rows = slowest.map(({ file, processor, worker, wall }) => [file, processor, worker, wall]);
  return table([`the ${rows.length} slowest files`, 'processor s', 'in its worker', 'wall s'], rows);
}

/** Returns the files that use more processor time than a file of the fast tier should. */
export const expensiveFiles = (files) =>
  files.filter(({ processor }) => processor > MANY_SECONDS).map(({ file }) => file);

/** Returns the files that use more processor time in their own worker than a file of the fast tier may. */
export function overTheLimit(files) {
  const most = Math.max(MOST_SECONDS, MOST_OF_THE_RUN * sum(files, 'processor'));
  return files.filter(({ worker }) => worker > most).map(({ file }) => file);
}

const sum = (rows, key) => rows.reduce((total, row) => total + row[key], 0);

/** Aligns the first column to the left and figures to the right, with one decimal. */
function table(head, rows) {
  const texts = [head, ...rows].map((row) =>
    row.map((cell) => (typeof cell === 'number' && !Number.isInteger(cell) ? cell.toFixed(1) : String(cell))),
  );
  const widths = head.map((_, at) => Math.max(...texts.map((row) => row[at].length)));
  return texts
    .map((row) => row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))))
    .map((cells) => cells.join('  '))
    .join('\n');
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const files = readUsage();
  console.log(`${classTable(files)}\n\n${slowestFiles(files, Number(process.argv[2] ?? 20))}`);
}
