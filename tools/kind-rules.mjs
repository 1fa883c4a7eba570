// `npm run kind-rules`: records, for each shipped kind, its version and a digest of the modules of its decision rule.
// It stops at a kind whose rule changed and whose version did not.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { transformSync } from '@swc/core';
import { root } from './root.mjs';
import { SWC_OPTIONS } from './swc-options.mjs';

/** The recorded versions and digests, by kind. */
export const RECORDED = join(root, 'tools/kind-rules.golden.json');

const IMPORT = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g;

/**
 * Returns the version of a kind and the SHA-256 of `decide.ts` with what it imports from the folder of the kind.
 * Comments and layout do not count.
 *
 * @param {string} folder absolute path of the kind
 */
export function ruleOf(folder) {
  const source = join(folder, 'src');
  const hash = createHash('sha256');
  for (const file of modulesFrom(join(source, 'decide.ts')).sort())
    hash.update(`${relative(source, file)}\0${meaningOf(file)}\0`);
  const version = /^\s+version: '([^']+)',$/m.exec(readFileSync(join(source, 'playbook.ts'), 'utf8'))?.[1];
  return { version, rules: hash.digest('hex') };
}

/** Returns the rules of all kinds that have a decision rule in a folder of `libs/kinds`. */
export function allRules(kinds = join(root, 'libs/kinds')) {
  const names = readdirSync(kinds).filter((name) => existsSync(join(kinds, name, 'src/decide.ts')));
  return Object.fromEntries(names.sort().map((name) => [name, ruleOf(join(kinds, name))]));
}

/** Returns the kinds whose rule changed although their version did not, as sentences. */
export function unversioned(before, now) {
  return Object.entries(now)
    .filter(([name, { version, rules }]) => before[name]?.version === version && before[name].rules !== rules)
    .map(
      ([name, { version }]) =>
        `The rule of ${name} changed: raise its version '${version}' in libs/kinds/${name}/src/playbook.ts, then npm run kind-rules`,
    );
}

function modulesFrom(file, found = new Set()) {
  if (found.has(file)) return [...found];
  found.add(file);
  if (!file.endsWith('.ts')) return [...found];
  for (const [, path] of readFileSync(file, 'utf8').matchAll(IMPORT))
    modulesFrom(join(dirname(file), path.replace(/\.js$/, '.ts')), found);
  return [...found];
}

function meaningOf(file) {
  const text = readFileSync(file, 'utf8');
  if (!file.endsWith('.ts')) return text;
  const jsc = { ...SWC_OPTIONS.jsc, minify: { compress: false, mangle: false, format: { comments: false } } };
  return transformSync(text, { ...SWC_OPTIONS, jsc, minify: true, sourceMaps: false }).code;
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const before = existsSync(RECORDED) ? JSON.parse(readFileSync(RECORDED, 'utf8')) : {};
  const now = allRules();
  const problems = unversioned(before, now);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exit(1);
  writeFileSync(RECORDED, `${JSON.stringify(now, null, 2)}\n`);
}
