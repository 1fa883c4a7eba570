// Runs Casefile on real forms of Redis and Postgres, and through their failures, and prints one row each. Options:
// [NAME...] [--cases 60] [--list]. Exit code 1: an alert was lost or judged twice, or a form worked other than expected.
import { parseArgs } from 'node:util';
import { silentLogger } from '@casefile/contracts';
import { createDatabaseIfMissing } from '@casefile/embedded';
import { lostAlerts, runScenario, type Scenario } from '@casefile/e2e/infrastructure/scenario';
import { SCENARIOS } from '@casefile/e2e/infrastructure/scenarios';
import { onPrivatePostgres } from '@casefile/e2e/testing/private-postgres';
import { openDatabase } from '@casefile/runtime';

const { values, positionals } = parseArgs({
  options: { cases: { type: 'string', default: '60' }, list: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !SCENARIOS.some((scenario) => scenario.name === name));
if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(', ')}; --list prints the names`);
const chosen = SCENARIOS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

if (values.list) for (const { name, what } of SCENARIOS) console.log(`${name.padEnd(28)}${what}`);
else await onPrivatePostgres(run);

async function run(postgres: { url(name: string): string }, dir: string): Promise<boolean> {
  let made = 0;
  const database = async () => {
    const name = `infrastructure_${(made += 1)}`;
    await createDatabaseIfMissing(postgres.url('postgres'), name);
    const { url } = await openDatabase({ databaseUrl: postgres.url(name), dataDir: dir }, silentLogger);
    // All databases go with the server.
    return { url, drop: async () => undefined };
  };
  console.log('| done | accepted | decided | delivered | twice | lost | |');
  console.log('|---|---|---|---|---|---|---|');
  let isGood = true;
  for (const scenario of chosen) {
    const failures = await row(scenario, database);
    isGood &&= failures.length === 0;
    for (const failure of failures) console.error(`${scenario.name}: ${failure}`);
  }
  return isGood;
}

async function row(
  scenario: Scenario,
  database: () => Promise<{ url: string; drop(): Promise<void> }>,
): Promise<string[]> {
  try {
    const { outcome, failures } = await runScenario(scenario, { cases: Number(values.cases), database });
    const { counts, refused, note = '' } = outcome;
    const { accepted, decided, delivered, twice } = counts;
    const cells =
      refused === null
        ? [accepted, decided, delivered, twice, lostAlerts(counts), note]
        : [accepted, '-', '-', '-', '-', 'refused at start'];
    console.log(`| ${[scenario.what, ...cells].join(' | ')} |`);
    return failures;
  } catch (error) {
    return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  }
}
