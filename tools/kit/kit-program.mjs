// The sources of @casefile/kit as a program of TypeScript.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../root.mjs';

/** Source of each entry of the package, by the name under which a kind imports it. */
export const ENTRIES = {
  '@casefile/kit': 'libs/kit/src/index.ts',
  '@casefile/kit/testing': 'libs/kit/src/testing/index.ts',
};

/**
 * Returns the program of the entries. The libraries are part of it, not packages from outside, so that their
 * declarations can be written too.
 *
 * @param {import('typescript').CompilerOptions} [options] in addition to those of the repository
 */
export function kitProgram(options = {}) {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.base.json'), ts.sys.readFile);
  const parsed = ts.parseJsonConfigFileContent(config, ts.sys, root);
  return ts.createProgram(
    Object.values(ENTRIES).map((file) => join(root, file)),
    { ...parsed.options, types: ['node'], paths: sourcePaths(), ...options },
  );
}

/** Returns the sources of what each library exports, by the name that imports use. */
export function sourcePaths() {
  const paths = {};
  for (const lib of readdirSync(join(root, 'libs'))) {
    const file = join(root, 'libs', lib, 'package.json');
    if (!existsSync(file)) continue;
    const { name, exports } = JSON.parse(readFileSync(file, 'utf8'));
    for (const [path, { types }] of Object.entries(exports).filter(([, { types }]) => types !== undefined))
      paths[join(name, path)] = [join(root, 'libs', lib, types)];
  }
  return paths;
}

/** Returns the libraries of this repository whose sources the program has. */
export function librariesOf(program) {
  const libs = program
    .getSourceFiles()
    .flatMap(({ fileName }) => /\/libs\/([^/]+)\/src\//.exec(fileName)?.[1] ?? []);
  return [...new Set(libs)].sort();
}
