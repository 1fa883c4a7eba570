// Counts per scam verdict what its services ask of Redis and Postgres, and their processor time. Options:
// [--services one-process|five] [--model none|simulator] [--cases 2000] [--most 15] [--json].
import { parseArgs } from 'node:util';
import { FIVE_SERVICES } from '@casefile/e2e/testing/five-services';
import { countCases } from '../case-counts/case-counts.js';

const { values } = parseArgs({
  options: {
    services: { type: 'string', default: 'one-process' },
    model: { type: 'string', default: 'none' },
    cases: { type: 'string', default: '2000' },
    most: { type: 'string', default: '15' },
    json: { type: 'boolean', default: false },
  },
});
if (values.services !== 'one-process' && values.services !== 'five')
  throw new Error(`--services: expected one-process or five, got ${values.services}`);
if (values.model !== 'none' && values.model !== 'simulator')
  throw new Error(`--model: expected none or simulator, got ${values.model}`);
const figures = await countCases({
  services: values.services === 'five' ? FIVE_SERVICES : 'one process',
  model: values.model === 'simulator',
  cases: Number(values.cases),
});
if (values.json) console.log(JSON.stringify(figures, null, 2));
else print();
process.exit(0);

function print(): void {
  const { perSecond, statements, commits, commands, executionMs, nodeMs, postgresMs, redisMs } = figures;
  const ms = (value: number) => `${value.toFixed(2)} ms`;
  console.log(
    `per case: ${statements.toFixed(2)} statements (${ms(executionMs)}), ${commits.toFixed(2)} commits, ` +
      `${commands.toFixed(1)} commands; processor time Node ${ms(nodeMs)}, Postgres ${ms(postgresMs)}, ` +
      `Redis ${ms(redisMs)}; ${perSecond.toFixed(0)} cases per second`,
  );
  console.log('\nstatements: calls, ms of execution');
  for (const { text, calls, ms: took } of figures.byStatement.slice(0, Number(values.most)))
    console.log(`${calls.toFixed(2).padStart(8)} ${took.toFixed(3).padStart(8)}  ${text.slice(0, 150)}`);
  console.log('\ncommands');
  for (const [name, count] of figures.byCommand.slice(0, Number(values.most)))
    console.log(`${count.toFixed(2).padStart(8)}  ${name}`);
}
