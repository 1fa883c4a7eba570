// Transpiles each package's src to dist with swc, bundles the dashboard, and bundles the programs with their
// imports. Only files newer than their output are built. `node tools/build.mjs [libs/contracts ...]`: builds
// the named packages. Default: all. `npm run typecheck` checks types.
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildDashboard } from './build-dashboard.mjs';
import { bundlePrograms, isProgram, OTHER_INPUTS } from './bundle-programs.mjs';
import { generate } from './store-code.mjs';
import { SWC_OPTIONS } from './swc-options.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const ASSETS = /\.(json|sql|prisma|yaml|md|css|html)$/;
/** Bundled, because it runs in a browser. Everything else is transpiled. */
const DASHBOARD = join('apps', 'dashboard');
/** It is built first without its generated code, because it parses the schema that this code follows from. */
const STORE = join('libs', 'store');
const TESTS = /\.(spec|test)\.ts$/;
/** Its time is the start of the last build of everything. */
const STAMP = join(root, 'dist/built');

/** Builds the named packages (paths from the root), or all of them. Returns the number of written files. */
export async function build(only = []) {
  const started = new Date();
  const packages = only.length > 0 ? only : await allPackages();
  let written = 0;
  if (packages.some((path) => relative(STORE, path) === ''))
    await generate(async () => (written += await buildPackage(join(root, STORE))));
  for (const path of packages) {
    const dir = join(root, path);
    written += await (relative(root, dir) === DASHBOARD ? buildDashboard(dir) : buildPackage(dir));
  }
  if (only.length > 0) return written;
  // The bundle contains the current dist, including parts that were built separately before.
  written += await bundlePrograms(packages.filter((path) => path !== DASHBOARD));
  await writeFile(STAMP, '');
  await utimes(STAMP, started, started);
  return written;
}

/**
 * Returns whether nothing has changed since the last build of everything, so that another one only looks. A
 * changed folder counts, because a file may have been removed.
 */
export async function isBuilt() {
  const built = await stat(STAMP).catch(() => null);
  if (built === null) return false;
  const inputs = [...OTHER_INPUTS, ...(await allPackages()).map((path) => join(path, 'src'))];
  const times = await Promise.all(inputs.map((path) => newest(join(root, path))));
  return Math.max(...times) <= built.mtimeMs;
}

async function newest(path) {
  const own = (await stat(path)).mtimeMs;
  const entries = await readdir(path, { withFileTypes: true, recursive: true }).catch(() => []);
  const inside = entries.filter(({ name }) => !TESTS.test(name));
  const times = inside.map(
    async ({ parentPath, path: folder, name }) => (await stat(join(parentPath ?? folder, name))).mtimeMs,
  );
  return Math.max(own, ...(await Promise.all(times)));
}

async function allPackages() {
  const packages = [];
  for (const group of ['libs', 'libs/kinds', 'apps']) {
    for (const name of await readdir(join(root, group))) {
      if (existsSync(join(root, group, name, 'src'))) packages.push(join(group, name));
    }
  }
  return packages;
}

async function buildPackage(dir) {
  const sources = await filesUnder(join(dir, 'src'));
  // The bundle writes a program's main.js.
  const targets = new Set(isProgram(relative(root, dir)) ? [join(dir, 'dist/main.js')] : []);
  let written = 0;
  for (const source of sources) {
    const target = targetOf(dir, source);
    if (target === null) continue;
    targets.add(target);
    if (source.endsWith('.ts')) targets.add(`${target}.map`);
    if (await isCurrent(source, target)) continue;
    await mkdir(dirname(target), { recursive: true });
    if (source.endsWith('.ts')) await transpile(source, target);
    else await copyFile(source, target);
    written += 1;
  }
  for (const stale of (await filesUnder(join(dir, 'dist'))).filter((file) => !targets.has(file)))
    await rm(stale);
  return written;
}

function targetOf(dir, source) {
  const name = relative(join(dir, 'src'), source);
  if (TESTS.test(name) || name.endsWith('.d.ts') || (name === 'main.ts' && isProgram(relative(root, dir))))
    return null;
  if (name.endsWith('.ts')) return join(dir, 'dist', name.replace(/\.ts$/, '.js'));
  return ASSETS.test(name) ? join(dir, 'dist', name) : null;
}

let swc;
// Source maps are separate files. Inline, they would be three quarters of the code that every process reads
// and keeps.
async function transpile(source, target) {
  swc ??= await import('@swc/core');
  const { code, map } = await swc.transformFile(source, {
    filename: source,
    ...SWC_OPTIONS,
    sourceMaps: true,
  });
  await writeFile(`${target}.map`, map);
  await writeFile(target, `${code}//# sourceMappingURL=${basename(target)}.map\n`);
}

async function isCurrent(source, target) {
  const [from, to] = await Promise.all([stat(source), stat(target).catch(() => null)]);
  return to !== null && to.mtimeMs >= from.mtimeMs;
}

async function filesUnder(dir) {
  const entries = await readdir(dir, { withFileTypes: true, recursive: true }).catch((error) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const started = Date.now();
  const written = await build(process.argv.slice(2));
  console.log(`built ${written} files in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}
