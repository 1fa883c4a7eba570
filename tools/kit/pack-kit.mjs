// `npm run kit-pack`: writes the package of @casefile/kit to tools/kit/dist, as npm would publish it. The package has the
// libraries of this repository that the kit needs, as bundled code and as declarations.
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from '../root.mjs';
import { ENTRIES, kitProgram, librariesOf, sourcePaths } from './kit-program.mjs';

const KIT = join(root, 'libs/kit');
/** Modules of the bundle besides the entries with types: Node loads them by their names. */
const MODULES = {
  register: join(KIT, 'src/register.ts'),
  'kind-hooks': join(KIT, 'src/hooks/kind-hooks.ts'),
};

/**
 * Writes the package to a folder and packs it. Returns the path of the archive.
 *
 * @param {string} folder Its contents are replaced.
 */
export async function packKit(folder) {
  await rm(folder, { recursive: true, force: true });
  const outside = await bundle(join(folder, 'package/dist'));
  const libraries = await writeTypes(join(folder, 'package/types'));
  const manifest = await manifestOf(outside, libraries);
  await writeFile(join(folder, 'package/package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const packed = execFileSync('npm', ['pack', './package', '--json'], { cwd: folder, encoding: 'utf8' });
  return join(folder, JSON.parse(packed)[0].filename);
}

const nameOf = (entry) => entry.split('/')[2] ?? 'index';

/** Bundles the entries. Returns the outside packages that the bundle imports. */
async function bundle(dir) {
  const entries = Object.entries(ENTRIES).map(([entry, file]) => [nameOf(entry), join(root, file)]);
  const build = await rolldown({
    cwd: root,
    input: { ...Object.fromEntries(entries), ...MODULES },
    platform: 'node',
    resolve: { conditionNames: ['@casefile/source', 'import', 'node', 'default'] },
    external: (id) => /^(?!@casefile\/)[\w@]/.test(id),
  });
  const { output } = await build.write({
    dir,
    format: 'esm',
    keepNames: true,
    entryFileNames: '[name].js',
    // Next to kind-hooks.js, which a chunk names by its relative path.
    chunkFileNames: '[name]-[hash].js',
  });
  await build.close();
  const chunks = new Set(output.map(({ fileName }) => fileName));
  const imported = output.flatMap(({ imports = [], dynamicImports = [] }) => [...imports, ...dynamicImports]);
  const packages = imported.filter((id) => !chunks.has(id) && !id.startsWith('node:')).map(packageOf);
  return [...new Set(packages)].sort();
}

const packageOf = (id) => /^(?:@[^/]+\/)?[^/]+/.exec(id)[0];

/** Writes the declarations of all sources of the kit. Returns the names of their libraries. */
async function writeTypes(dir) {
  const program = kitProgram({
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: join(root, 'libs'),
    outDir: dir,
  });
  const paths = sourcePaths();
  const texts = [];
  program.emit(undefined, (file, text) => texts.push([file, text]), undefined, true);
  for (const [file, text] of texts) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(
      file,
      text.replace(OURS, (_, name) => `'${relativePath(dirname(file), typesOf(dir, name, paths))}'`),
    );
  }
  return librariesOf(program);
}

const OURS = /["'](@casefile\/[^"']+)["']/g;

/** Returns the declarations of what imports call `name`. */
function typesOf(dir, name, paths) {
  const [library] = /^@casefile\/[^/]+/.exec(name);
  const source = paths[name]?.[0] ?? paths[`${library}/*`][0].replace('*', name.slice(library.length + 1));
  return join(dir, relative(join(root, 'libs'), source)).replace(/\.ts$/, '.js');
}

function relativePath(from, to) {
  const path = relative(from, to);
  return path.startsWith('.') ? path : `./${path}`;
}

async function manifestOf(outside, libraries) {
  const read = async (lib) => JSON.parse(await readFile(join(root, 'libs', lib, 'package.json'), 'utf8'));
  const versions = Object.assign(
    {},
    ...(await Promise.all(libraries.map(read))).map((one) => one.dependencies),
  );
  const { name, version, description, type } = await read('kit');
  const { license, engines } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const typed = Object.entries(ENTRIES).map(([entry, file]) => [
    entry.replace(name, '.'),
    { types: relativeTypes(file), default: `./dist/${nameOf(entry)}.js` },
  ]);
  return {
    name,
    version,
    description,
    license,
    type,
    engines,
    files: ['dist', 'types'],
    exports: { ...Object.fromEntries(typed), './register': './dist/register.js' },
    dependencies: Object.fromEntries(outside.map((one) => [one, versions[one]])),
  };
}

const relativeTypes = (file) => file.replace('libs/', './types/').replace(/\.ts$/, '.d.ts');

if (process.argv[1] === new URL(import.meta.url).pathname)
  console.log(relative(process.cwd(), await packKit(join(root, 'tools/kit/dist'))));
