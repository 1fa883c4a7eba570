// `npm run durations`: writes tools/jest/durations.json, the seconds of each spec file, from the report of the
// last `npm test`. The figures are coarse and change only if a file became clearly faster or slower.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './root.mjs';

const KEPT = join(root, 'tools/jest/durations.json');
const REPORT = join(root, 'node_modules/.cache/jest-results.json');
/** Seconds that are written. A file under the first is not listed. */
const STEPS = [1, 2, 3, 5, 7, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 360, 480, 720];
/** A figure is replaced if the new one is larger or smaller by this factor. */
const CLEARLY = 1.6;

/** Returns the seconds of the spec files, by path: of the last run here, or as committed. */
export function readDurations() {
  return { ...readJson(KEPT, {}), ...measured() };
}

/** Returns the figures to keep, given those kept before and those measured. Files in neither are left out. */
export function nextDurations(before, seconds, specs) {
  const rows = specs.flatMap((file) => {
    const old = before[file] ?? 0;
    const now = seconds[file];
    const kept = now === undefined || isNear(old, now) ? old : step(now);
    return kept === 0 ? [] : [[file, kept]];
  });
  return Object.fromEntries(rows.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isNear(old, now) {
  return old === 0 ? step(now) === 0 : now <= old * CLEARLY && now >= old / CLEARLY;
}

function step(seconds) {
  return STEPS.findLast((one) => seconds >= one) ?? 0;
}

/** Returns the seconds of the files in the report of the last run that passed and ran most of their tests. */
function measured() {
  return Object.fromEntries(
    (readJson(REPORT, {}).testResults ?? [])
      .filter(({ status, assertionResults }) => status === 'passed' && isMostlyRun(assertionResults))
      .map(({ name, startTime, endTime }) => [relative(root, name), (endTime - startTime) / 1000]),
  );
}

/** `-t` skips tests, and whole files. */
function isMostlyRun(tests) {
  return tests.filter(({ status }) => status === 'passed').length * 2 > tests.length;
}

function readJson(file, otherwise) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return otherwise;
    throw error;
  }
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const { listFiles } = await import('./imports/records.mjs');
  const specs = listFiles(root).filter((file) => /\.spec\.(?:ts|mjs)$/.test(file));
  const seconds = measured();
  const next = nextDurations(readJson(KEPT, {}), seconds, specs);
  writeFileSync(KEPT, `${JSON.stringify(next, null, 2)}\n`);
  const total = Object.values(next).reduce((sum, one) => sum + one, 0);
  console.log(
    `${Object.keys(seconds).length} files measured; ${Object.keys(next).length} of 1 s and more: ${total} s`,
  );
}
