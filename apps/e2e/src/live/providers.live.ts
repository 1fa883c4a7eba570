import { fileURLToPath } from 'node:url';
import { readProviderTable, resolveProvider } from '@casefile/llm';
import { keepResult, liveTable, runLiveSuite } from './run-live-suite.js';

const RESULTS = fileURLToPath(new URL('../../../../docs/results/live/', import.meta.url));
const SUITE_WITHIN_MS = 3_600_000;

const table = readProviderTable();
const withKey = [...table.values()].filter(
  ({ keyVariable }) => keyVariable !== null && process.env[keyVariable],
);

jest.setTimeout(SUITE_WITHIN_MS);

it.each(withKey.map(({ name }) => [name]))('S1-61 S1-63 live: %s', async (name) => {
  const result = await runLiveSuite(resolveProvider({ table, name, env: process.env }));
  const path = keepResult(result, RESULTS);
  process.stdout.write(`\n${liveTable(result)}\n${path === null ? 'Nothing is kept.' : `Kept as ${path}`}\n`);
  expect(
    result.rows.flatMap(({ name: of, problems }) => problems.map((problem) => `${of}: ${problem}`)),
  ).toEqual([]);
});
