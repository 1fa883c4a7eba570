// `npm run measure -- NAME [options]`: runs a program of apps/bench/src/programs. Without a name it lists the
// programs.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { endWithNpm } from './end-with-npm.mjs';
import { install } from './install.mjs';
import { root } from './root.mjs';

const PROGRAMS = join(root, 'apps/bench/src/programs');
const names = readdirSync(PROGRAMS).map((file) => file.replace(/\.ts$/, ''));
const [name] = process.argv.splice(2, 1);

if (names.includes(name)) {
  endWithNpm();
  await install();
  await build();
  await import(`../apps/bench/dist/programs/${name}.js`);
} else {
  console.log('usage: npm run measure -- NAME [options]\n');
  for (const each of names) console.log(`  ${each.padEnd(18)}${summaryOf(each)}`);
  process.exitCode = name === undefined ? 0 : 2;
}

/** Returns the first line of a program's comment. */
function summaryOf(program) {
  const [line] = readFileSync(join(PROGRAMS, `${program}.ts`), 'utf8').split('\n');
  return line.replace(/^\/\/ /, '');
}
