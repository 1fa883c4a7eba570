// Counts per second what idle services ask of Redis and Postgres. Options: [--services one-process|five]
// [--instances 1] of each of the five, [--seconds 20] [--most 25] [--json]. Without --json it prints the causes, most
// frequent first.
import { parseArgs } from 'node:util';
import { FIVE_SERVICES } from '@casefile/e2e/testing/five-services';
import { measureIdle } from '../idle/idle-run.js';

const { values } = parseArgs({
  options: {
    services: { type: 'string', default: 'one-process' },
    instances: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '20' },
    most: { type: 'string', default: '25' },
    json: { type: 'boolean', default: false },
  },
});
if (values.services !== 'one-process' && values.services !== 'five')
  throw new Error(`--services: expected one-process or five, got ${values.services}`);
const services =
  values.services === 'five'
    ? Array.from({ length: Number(values.instances) }, () => FIVE_SERVICES).flat()
    : 'one process';
const figures = await measureIdle(services, Number(values.seconds));
if (values.json) console.log(JSON.stringify(figures, null, 2));
else print();
process.exit(0);

function print(): void {
  const { commands, statements, commits, byCommand, byKey, byStatement } = figures;
  console.log(
    `per second: ${commands.toFixed(1)} commands, ${statements.toFixed(1)} statements, ${commits.toFixed(1)} commits`,
  );
  for (const [title, causes] of Object.entries({ byCommand, byKey, byStatement })) {
    console.log(`\n${title}`);
    for (const [what, perSecond] of causes.slice(0, Number(values.most)))
      console.log(`${perSecond.toFixed(2).padStart(8)}  ${what.slice(0, 160)}`);
  }
}
