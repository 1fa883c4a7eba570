// `npm run slowest [-- 40]`: lists the slowest test files of the last `npm test`.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './root.mjs';

/** Returns a table of the slowest files in a JSON report of Jest. Empty: there is no report. */
export function slowestFiles(report, count = 20) {
  const files = filesOf(report);
  const total = files.reduce((sum, { ms }) => sum + ms, 0);
  const rows = files
    .sort((a, b) => b.ms - a.ms)
    .slice(0, count)
    .map(({ name, ms, tests }) => [
      (ms / 1000).toFixed(1),
      `${((100 * ms) / total).toFixed(1)} %`,
      tests,
      name,
    ]);
  const head = [`s of ${(total / 1000).toFixed(0)}`, 'share', 'tests', `the ${rows.length} slowest files`];
  const widths = head
    .slice(0, 3)
    .map((_, at) => Math.max(...[head, ...rows].map((row) => String(row[at]).length)));
  return [head, ...rows]
    .map((row) => row.map((cell, at) => String(cell).padStart(widths[at] ?? 0)).join('  '))
    .join('\n');
}

function filesOf(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8')).testResults.map(
      ({ name, startTime, endTime, assertionResults }) => ({
        name: relative(root, name),
        ms: endTime - startTime,
        tests: assertionResults.length,
      }),
    );
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

if (process.argv[1] === new URL(import.meta.url).pathname)
  console.log(
    slowestFiles(join(root, 'node_modules/.cache/jest-results.json'), Number(process.argv[2] ?? 20)),
  );
