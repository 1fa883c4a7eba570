// `npm run kind-rules`: records, for each shipped kind, its version and a digest of the modules of its decision rule.
// It stops at a kind whose rule changed and whose version did not.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { readModule } from './imports/read-module.mjs';
import { root } from './root.mjs';

/** The recorded versions and digests, by kind. */
export const RECORDED = join(root, 'tools/kind-rules.golden.json');

/**
 * Returns the version of a kind and the SHA-256 of `decide.ts` with what it imports from the folder of the kind.
 * Comments and layout do not count.
 *
 * @param {string} folder absolute path of the kind
 */
export function ruleOf(folder) {
  const source = join(folder, 'src');
  const hash = createHash('sha256');
  const modules = [...modulesFrom(join(source, 'decide.ts'))].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [file, meaning] of modules) hash.update(`${relative(source, file)}\0${meaning}\0`);
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

/** Returns the modules that a file leads to by relative imports, with the file. */
function modulesFrom(file, found = new Map()) {
  if (found.has(file)) return found;
  const text = readFileSync(file, 'utf8');
  const record = file.endsWith('.ts') ? readModule(file, text) : null;
  found.set(file, record === null ? text : JSON.stringify(digestsOf(record)));
  for (const path of record === null ? [] : importsOf(record))
    if (path.startsWith('.')) modulesFrom(join(dirname(file), path.replace(/\.js$/, '.ts')), found);
  return found;
}

const digestsOf = ({ units }) => Object.entries(units).map(([name, { digest }]) => [name, digest]);

function importsOf({ imports, exports, stars }) {
  const named = [...Object.values(imports), ...Object.values(exports)].filter(Array.isArray);
  return [...stars, ...named.map(([specifier]) => specifier)];
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const before = existsSync(RECORDED) ? JSON.parse(readFileSync(RECORDED, 'utf8')) : {};
  const now = allRules();
  const problems = unversioned(before, now);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exit(1);
  writeFileSync(RECORDED, `${JSON.stringify(now, null, 2)}\n`);
}
