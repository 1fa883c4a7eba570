// Bundles the programs: the main.ts of each service and of the command line with all their imports, into a
// few files in dist that the programs share. A process then reads 18 files instead of 1,800; see
// docs/decisions/0048-programs-are-bundled.md.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { root } from './root.mjs';

const OUT = join(root, 'dist');
/**
 * List of the bundle's files. It is written last: an input that is newer than this list is not in the bundle.
 */
const LIST = join(OUT, 'files.json');
const OURS = /[/\\](?:libs(?:[/\\]kinds)?|apps)[/\\][^/\\]+[/\\]dist[/\\].*\.js$/;
const MAIN = /[/\\]apps[/\\][^/\\]+[/\\]src[/\\]main\.ts$/;
/** Other inputs of the bundle, besides the modules. */
export const OTHER_INPUTS = ['tools/bundle-programs.mjs', 'node_modules/.package-lock.json'];

/** Returns whether this package is a program. Its main.ts is bundled, and no other module imports it. */
export function isProgram(dir) {
  return existsSync(join(root, dir, 'src/main.ts'));
}

/**
 * Bundles the programs among these packages (paths from the root) if one of the packages is newer than the
 * bundle. Returns the number of written files.
 */
export async function bundlePrograms(packages) {
  const programs = packages.filter(isProgram);
  const last = await lastBundle();
  const inputs = [
    ...OTHER_INPUTS,
    ...programs.map((dir) => join(dir, 'src/main.ts')),
    ...packages.map((dir) => join(dir, 'dist')),
  ];
  const newestInput = Math.max(...(await Promise.all(inputs.map((path) => newest(join(root, path))))));
  if (last.at >= newestInput && programs.every((dir) => existsSync(mainOf(dir)))) return 0;
  const files = await bundle(programs);
  // A process of the previous bundle may still load a part of it.
  await removeAllBut([...files, ...last.files]);
  await writeFile(LIST, JSON.stringify(files));
  return files.length;
}

async function bundle(programs) {
  const { rolldown } = await import('rolldown');
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries(programs.map((dir) => [basename(dir), join(root, dir, 'src/main.ts')])),
    platform: 'node',
    transform: { define: { __filename: 'import.meta.filename', __dirname: 'import.meta.dirname' } },
    plugins: [ourModules],
    onLog: (level, log) => {
      // Optional packages report their absence where they are used.
      const optional = log.code === 'UNRESOLVED_IMPORT' && log.id?.includes('node_modules');
      if (level === 'warn' && !optional) console.warn(log.message);
    },
  });
  const { output } = await build.write({
    dir: OUT,
    format: 'esm',
    sourcemap: true,
    // Nest and error reports depend on the names of classes.
    keepNames: true,
    // Modules run in the order of their imports: decorators need reflect-metadata before them.
    strictExecutionOrder: true,
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await build.close();
  for (const dir of programs)
    await writeMain(dir, output.find(({ isEntry, name }) => isEntry && name === basename(dir)).fileName);
  return output.map(({ fileName }) => fileName);
}

const ourModules = {
  name: 'casefile',
  // A main.ts is a source file, but its imports have been built.
  resolveId: {
    filter: { id: /^\.\// },
    handler: (id, importer) =>
      importer !== undefined && MAIN.test(importer) ? join(dirname(importer), '../dist', id) : null,
  },
  // Packages that are loaded lazily stay separate packages, next to their files.
  resolveDynamicImport: (id, importer) =>
    typeof id === 'string' && /^(?!@casefile\/|node:|\.)/.test(id) && OURS.test(importer)
      ? { id, external: true }
      : null,
  // Modules look for files next to the built module, not next to the bundle.
  load: {
    filter: { id: OURS },
    handler: async (file) => {
      const [code, map] = await Promise.all([readFile(file, 'utf8'), readFile(`${file}.map`, 'utf8')]);
      const place = JSON.stringify(relative(OUT, file).split(sep).join('/'));
      return {
        code: code.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`),
        map: JSON.parse(map),
      };
    },
  },
};

function mainOf(dir) {
  return join(root, dir, 'dist/main.js');
}

async function writeMain(dir, file) {
  await mkdir(dirname(mainOf(dir)), { recursive: true });
  await writeFile(mainOf(dir), `import '../../../dist/${file}';\n`);
}

async function lastBundle() {
  if (!existsSync(LIST)) return { at: 0, files: [] };
  const [{ mtimeMs }, text] = await Promise.all([stat(LIST), readFile(LIST, 'utf8')]);
  return { at: mtimeMs, files: JSON.parse(text) };
}

async function removeAllBut(files) {
  const fileSet = new Set(files);
  for (const name of await readdir(OUT))
    if (!fileSet.has(name.replace(/\.map$/, ''))) await rm(join(OUT, name));
}

// The bundle writes main.js itself.
async function newest(path) {
  const stats = await stat(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  const entries = await readdir(path, { withFileTypes: true });
  const inside = entries.filter((entry) => entry.isDirectory() || /(?<!^main)\.js(?:on)?$/.test(entry.name));
  return Math.max(0, ...(await Promise.all(inside.map(({ name }) => newest(join(path, name))))));
}
