// Dependencies that the sources do not show, each with the reason. `npm run affected` counts them like imports.

/**
 * @typedef {object} Declared
 * @property {string} at path of the module
 * @property {string[]} [files] files of which it reads the content. Patterns of paths from the root; `*` stands
 * for any text
 * @property {string[]} [names] files of which it reads only the names: they matter if added or deleted
 * @property {string[]} [patterns] modules of which it reads the regular expressions
 * @property {string[]} [programs] modules that it runs, with everything that they import
 * @property {(spec: string, module: string) => boolean} [loadsByName] its imports do not count, because
 * programs choose what it loads by a name. Returns whether a spec depends on one of the modules
 * @property {boolean} [replaces] whether the paths in the module itself lead too far, and do not count
 * @property {string} because
 */

const SOURCES = ['libs/*.ts', 'apps/*.ts', 'apps/*.tsx', 'tools/*.mjs'];
const PROMPTS = ['libs/pipeline/src/*.md', 'libs/kinds/*.md'];

/** @type {{ files: string[], because: string }[]} */
export const EVERY_SPEC = [
  {
    files: [
      'jest.config.mjs',
      'tools/jest/global-setup.mjs',
      'tools/jest/native-*.mjs',
      'tools/jest/source-hooks.mjs',
      'tools/swc-options.mjs',
    ],
    because: 'every spec is loaded and run by them; the other files next to them order and clean up',
  },
  { files: ['package-lock.json'], because: 'another version of a package can change any behaviour' },
];

/** Modules that the build writes, and that Git does not know: an import of one depends on what it is written from. */
export const GENERATED = [
  { at: /^libs\/store\/src\/generated\/admin\//, from: 'libs/store/prisma/admin.prisma' },
  { at: /^libs\/store\/src\/generated\//, from: 'libs/store/prisma/schema.prisma' },
];

/** @type {Declared[]} */
export const DECLARED = [
  {
    at: 'libs/store/src/columns.ts',
    files: ['libs/store/prisma/*.prisma'],
    because: 'the columns of all tables are generated from both files of the schema',
  },
  {
    at: 'apps/e2e/src/browser/chromium.ts',
    programs: ['apps/dashboard/src/main.tsx'],
    files: ['apps/dashboard/index.html', 'apps/dashboard/vite.config.ts', 'apps/dashboard/public/*'],
    because: 'a browser loads the built dashboard from the console',
  },
  {
    at: 'apps/console/src/front-pages.ts',
    replaces: true,
    because: 'the console serves the dashboard and the documentation without reading them',
  },
  {
    at: 'tools/kit/kit-program.mjs',
    replaces: true,
    files: [
      'libs/contracts/src/*.ts',
      'libs/pipeline/src/*.ts',
      'libs/kit/src/*.ts',
      'libs/kit/package.json',
    ],
    because: 'reads the types of the kit and of the libraries that it consists of',
  },
  {
    at: 'apps/e2e/src/kind-from-outside.spec.ts',
    programs: ['libs/kit/src/register.ts', 'libs/kit/src/hooks/kind-hooks.ts'],
    because: 'Node loads them for the test of a new kind',
  },
  {
    at: 'tools/house-figures.mjs',
    replaces: true,
    files: SOURCES,
    because: 'lists the sources by `git ls-files`, and counts their lines, imports and names of kinds',
  },
  {
    at: 'tools/build.mjs',
    replaces: true,
    because: 'builds every package; what a program needs of them is counted where it is started',
  },
  {
    at: 'tools/strings.mjs',
    replaces: true,
    files: ['tools/strings.golden.txt'],
    because: 'reads the sources that house-figures.mjs lists',
  },
  {
    at: 'tools/worst-inputs/patterns.mjs',
    replaces: true,
    patterns: ['libs/*', 'apps/*'],
    because: 'runs every regular expression of the sources over inputs that are made to be slow',
  },
  {
    at: 'libs/telemetry/src/names.spec.ts',
    replaces: true,
    files: ['libs/*.ts', 'apps/*.ts'],
    because: 'searches all sources for names of metrics',
  },
  {
    at: 'tools/jest/outside-programs.spec.mjs',
    replaces: true,
    files: ['libs/*.spec.ts', 'apps/*.spec.ts'],
    because: 'outside-programs.mjs searches the specs for the programs that they need',
  },
  {
    at: 'tools/docs.spec.mjs',
    files: ['docs/*', '*.md', 'k8s/README.md', 'libs/README.md', 'package.json'],
    names: ['*'],
    because: 'reads all pages, and checks that the files and commands that they name exist',
  },
  {
    at: 'tools/fences/fences.spec.mjs',
    files: ['eslint.config.mjs', 'tools/fences/*', 'tsconfig*.json'],
    because: 'runs ESLint and the type checker over code that breaks each rule',
  },
  {
    at: 'libs/kinds/shipped/src/prompts/prompt.spec.ts',
    replaces: true,
    files: PROMPTS,
    because: 'reads the prompts of the library, not its other files',
  },
  {
    at: 'libs/kinds/shipped/src/prompts/encourage-reasoning.spec.ts',
    replaces: true,
    files: [...PROMPTS, 'libs/kinds/shipped/src/prompts/__golden__/*'],
    because: 'searches the library for ids of prompts: a prompt has a file',
  },
  {
    at: 'libs/kinds/shipped/src/index.ts',
    loadsByName: (spec, module) =>
      spec.startsWith('libs/kinds/shipped/') ||
      spec.startsWith(`apps/e2e/src/kinds/${module.split('/')[2]}/`),
    because:
      'programs load kinds of case by name, and their specs do not depend on how each kind judges. The specs next to this list do, and the end-to-end specs of a kind, which have a folder of its name',
  },
  {
    at: 'libs/kinds/shipped/src/index.spec.ts',
    replaces: true,
    names: ['libs/kinds/*'],
    because: 'compares the folders with the list of kinds',
  },
  {
    at: 'apps/llm-simulator/src/wires/wires.spec.ts',
    replaces: true,
    names: ['apps/llm-simulator/src/wires/*'],
    because: 'compares the names of files with the list of protocols',
  },
  {
    at: 'libs/evidence/src/testing/tool.conformance.spec.ts',
    replaces: true,
    names: ['libs/evidence/src/tools/*'],
    because: 'compares the names of files with the list of tools',
  },
  {
    at: 'tools/affected.spec.mjs',
    replaces: true,
    names: ['libs/*', 'apps/*', 'tools/*'],
    because: 'its paths are examples; it checks that each import leads to a file',
  },
  {
    at: 'tools/imports/declared.mjs',
    replaces: true,
    because: 'a list of dependencies of others',
  },
];
