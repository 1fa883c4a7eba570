// Measures what cross-examination costs honest cases of samples/eval/trust: further calls, own time next to the same cases without
// it, and tokens of planted claims, by the estimate that budgets use.
// Options: [--kind KIND] [--rounds N: alternating rounds, default 5] [--cases N: per kind and round, default 40].
// The model answers without delay. Exit code 1: a limit is missed.
import { parseArgs } from 'node:util';
import { onPrivatePostgres } from '@casefile/e2e/testing/private-postgres';
import { plantedLine, TokenCount } from '../examiner-cost/planted-tokens.js';
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
  const tokens = { planted: new TokenCount(), none: new TokenCount() };
  const counted = {
    planted: await trustWorld({ ...common, observe: tokens.planted.observe }),
    none: await trustWorld({ ...common, plantedClaims: 0, observe: tokens.none.observe }),
  };
  const costs: Cost[] = [];
  const lines: string[] = [];
  try {
    for (const [name, own] of spreadCases(all, Number(cases))) {
      if (kind !== undefined && kind !== name) continue;
      costs.push(await costOf(worlds, name, own, Number(rounds)));
      const planted = await tokens.planted.of(counted.planted, own);
      const line = plantedLine(name, planted, await tokens.none.of(counted.none, own));
      if (line !== null) lines.push(line);
    }
  } finally {
    for (const world of [...Object.values(worlds), ...Object.values(counted)]) await world.close();
  }
  console.log(table(rowsOf(costs)));
  for (const line of lines) console.log(line);
  const missed = missedIn(costs);
  for (const line of missed) console.log(`MISSED ${line}`);
  return missed.length === 0;
});
