// `npx nx typecheck queue`: checks the types of one project with its specs, and of what they import. `npm run
// typecheck` checks everything. The compiler keeps its state in node_modules/.cache, so that the next check is
// faster.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from './build.mjs';
import { root } from './root.mjs';

const [project] = process.argv.slice(2);
if (project === undefined || !existsSync(join(root, project, 'src'))) {
  console.error(`expected the folder of a project, such as libs/queue, got ${project}`);
  process.exit(1);
}
// Writes the code that is generated from the schema of the database.
await build(['libs/store']);
const own = join(root, project, 'tsconfig.json');
const compiler = join(root, 'node_modules/typescript-native/bin/tsc');
const args = [compiler, '--noEmit', '-p', existsSync(own) ? own : writeConfig()];
process.exit(spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1);

function writeConfig() {
  const folder = join(root, 'node_modules/.cache/typecheck');
  const name = basename(project);
  mkdirSync(folder, { recursive: true });
  const compilerOptions = {
    noEmit: true,
    incremental: true,
    tsBuildInfoFile: join(folder, `${name}.tsbuildinfo`),
    typeRoots: [join(root, 'node_modules/@types')],
  };
  const config = {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions,
    // Declarations of outside packages stand next to the module that imports them.
    include: [
      `${project}/src/**/*.ts`,
      'libs/*/src/**/*.d.ts',
      'libs/kinds/*/src/**/*.d.ts',
      'apps/*/src/**/*.d.ts',
    ].map((one) => join(root, one)),
    exclude: [join(root, 'apps/dashboard')],
  };
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(config, null, 2));
  return file;
}
