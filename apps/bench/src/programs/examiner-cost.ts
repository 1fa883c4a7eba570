// Measures what cross-examination costs honest cases of samples/eval/trust: further calls, and own time next to the same cases without it.
// Options: [--kind KIND] [--rounds N: alternating rounds, default 5] [--cases N: per kind and round, default 40].
// The model answers at once. Exit code 1: a limit is missed.
import { parseArgs } from 'node:util';
import { onPrivatePostgres } from '@casefile/e2e/testing/private-postgres';
import { costOf, missedIn, rowsOf, spreadCases, type Cost } from '../examiner-cost/measure-cost.js';
import { table } from '../ratios/report.js';
import { allCases, worldOf } from '../trust-run/all-cases.js';
import { readSets } from '../trust-run/read-set.js';
import { trustWorld } from '../trust-run/trust-world.js';

const { kind, rounds, cases } = parseArgs({
  options: {
    kind: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    cases: { type: 'string', default: '40' },
  },
}).values;

await onPrivatePostgres(async (postgres) => {
  process.env['CASEFILE_TEST_POSTGRES'] = postgres.url('postgres');
  const sets = readSets();
  const all = allCases(sets);
  const common = { cases: all, ...worldOf(sets, []) };
  const worlds = {
    on: await trustWorld({ ...common, crossExamine: true }),
    off: await trustWorld({ ...common, crossExamine: false }),
  };
  const costs: Cost[] = [];
  try {
    for (const [name, own] of spreadCases(all, Number(cases)))
      if (kind === undefined || kind === name) costs.push(await costOf(worlds, name, own, Number(rounds)));
  } finally {
    await worlds.on.close();
    await worlds.off.close();
  }
  console.log(table(rowsOf(costs)));
  const missed = missedIn(costs);
  for (const line of missed) console.log(`MISSED ${line}`);
  return missed.length === 0;
});
