import { posix } from 'node:path';
import { changedNodes } from './imports/changes.mjs';
import { DECLARED, EVERY_SPEC } from './imports/declared.mjs';
import { buildGraph, BUILT } from './imports/graph.mjs';
import { mutations } from './imports/mutations.mjs';
import { readModule } from './imports/read-module.mjs';
import { isModule } from './imports/records.mjs';
import { readGraph } from './imports/tree.mjs';
import { root } from './root.mjs';

const PACKAGE = JSON.stringify({
  name: '@casefile/a',
  exports: {
    '.': { '@casefile/source': './src/index.ts', default: './dist/index.js' },
    './parts/*': { '@casefile/source': './src/parts/*.ts', default: './dist/parts/*.js' },
  },
});
const LIBRARY = {
  'libs/a/package.json': PACKAGE,
  'libs/a/src/index.ts': "export * from './one.js';\nexport { two as second } from './two.js';\n",
  'libs/a/src/one.ts': 'export const one = () => 1;\nexport const unused = () => 2;\n',
  'libs/a/src/two.ts': 'export const two = 2;\nexport interface Two { a: string }\n',
};
const spec = (text) => ({ 'libs/b/src/b.spec.ts': text });

function graphOf(tree) {
  const records = new Map();
  for (const [file, text] of Object.entries(tree))
    if (isModule(file)) records.set(file, readModule(file, text));
  const packages = Object.entries(tree).filter(([file]) => file.endsWith('/package.json'));
  return buildGraph({
    records,
    files: Object.keys(tree),
    packages: Object.fromEntries(packages.map(([file, text]) => [posix.dirname(file), JSON.parse(text)])),
    declared: [],
    everySpec: [],
  });
}

/** Returns the specs that the change of a tree affects. `null` as the new text: the file is deleted. */
function affectedBy(tree, changed) {
  const changes = Object.entries(changed).map(([file, text]) => ({
    file,
    kind: text === null ? 'deleted' : file in tree ? 'changed' : 'added',
    before: file in tree && isModule(file) ? readModule(file, tree[file]) : null,
  }));
  const after = Object.fromEntries(
    Object.entries({ ...tree, ...changed }).map(([file, text]) => [file, text ?? tree[file]]),
  );
  const graph = graphOf(after);
  return [...graph.specsOf(changedNodes(graph, changes)).keys()];
}

const B = ['libs/b/src/b.spec.ts'];

describe('the specs that a change affects, on small trees', () => {
  const byName = { ...LIBRARY, ...spec("import { one } from '@casefile/a';\nit('a', () => one());\n") };

  it('follows a name through an index file to the module that declares it, and to no other', () => {
    expect(affectedBy(byName, { 'libs/a/src/one.ts': 'export const one = () => 3;\n' })).toEqual(B);
    expect(affectedBy(byName, { 'libs/a/src/two.ts': 'export const two = 3;\n' })).toEqual([]);
  });

  it('counts the declarations that changed: not those next to them, and no comments', () => {
    const { 'libs/a/src/one.ts': text } = LIBRARY;
    expect(affectedBy(byName, { 'libs/a/src/one.ts': text.replace('2', '3') })).toEqual([]);
    expect(
      affectedBy(byName, { 'libs/a/src/one.ts': `// More.\n${text.replace('1', '/* one */ 1')}` }),
    ).toEqual([]);
  });

  it.each([
    ['a renamed export', "import { second } from '@casefile/a';\nsecond;\n"],
    ['the whole module', "import * as a from '@casefile/a';\na.second;\n"],
    ['a name taken when it is needed', "it('a', async () => (await import('@casefile/a')).second);\n"],
    ['a module of a package by its own path', "import { two } from '@casefile/a/parts/deep';\ntwo;\n"],
  ])('follows %s', (_, text) => {
    const tree = {
      ...LIBRARY,
      ...spec(text),
      'libs/a/src/parts/deep.ts': "export { two } from '../two.js';\n",
    };
    expect(affectedBy(tree, { 'libs/a/src/two.ts': 'export const two = 3;\n' })).toEqual(B);
  });

  it('follows one name of a module that is imported when it is needed', () => {
    const text = "it('a', async () => { const { one } = await import('@casefile/a'); one(); });\n";
    const tree = { ...LIBRARY, ...spec(text) };
    expect(affectedBy(tree, { 'libs/a/src/two.ts': 'export const two = 3;\n' })).toEqual([]);
    expect(affectedBy(tree, { 'libs/a/src/one.ts': 'export const one = 3;\n' })).toEqual(B);
  });

  it('leaves out types', () => {
    const tree = {
      ...LIBRARY,
      ...spec("import type { second } from '@casefile/a';\nlet a: typeof second;\n"),
    };
    expect(affectedBy(tree, { 'libs/a/src/two.ts': 'export const two = 3;\n' })).toEqual([]);
  });

  it('counts the types that a decorated class injects', () => {
    const text =
      "import { Service } from './service.js';\n@Injectable()\nexport class C { constructor(private a: Service) {} }\n";
    const tree = {
      'libs/a/src/c.ts': text,
      'libs/a/src/service.ts': 'export class Service { a = 1; }\n',
      ...spec("import { C } from '../../a/src/c.js';\nC;\n"),
    };
    expect(affectedBy(tree, { 'libs/a/src/service.ts': 'export class Service { a = 2; }\n' })).toEqual(B);
  });

  it('counts an export that leads elsewhere, or is gone', () => {
    const tree = { ...LIBRARY, ...spec("import { second } from '@casefile/a';\nsecond;\n") };
    const { 'libs/a/src/index.ts': index } = LIBRARY;
    expect(affectedBy(tree, { 'libs/a/src/index.ts': index.replace('two as', 'other as') })).toEqual(B);
    expect(affectedBy(tree, { 'libs/a/src/index.ts': index.split('\n')[0] })).toEqual(B);
    expect(affectedBy(tree, { 'libs/a/src/index.ts': `${index}export * from './three.js';\n` })).toEqual([]);
    expect(affectedBy(tree, { 'libs/a/src/two.ts': null })).toEqual(B);
  });

  it('counts what a module does when it is loaded', () => {
    const text = "import './setup.js';\nexport const c = 1;\n";
    const tree = {
      'libs/a/src/c.ts': text,
      'libs/a/src/setup.ts': 'register(1);\n',
      ...spec("import { c } from '../../a/src/c.js';\nc;\n"),
    };
    expect(affectedBy(tree, { 'libs/a/src/setup.ts': 'register(2);\n' })).toEqual(B);
  });

  it.each([
    ['a file next to the module', "new URL('./prompts/a.md', import.meta.url)"],
    ['one of several files', 'new URL(`./prompts/${name}.md`, import.meta.url)'],
    ['a folder', "readdirSync(new URL('./prompts/', import.meta.url))"],
    ['a file of a folder that another module names', "readFileSync(join(FOLDER, 'a.md'))"],
    ['a folder that another module names', 'readdirSync(FOLDER)'],
  ])('follows the path of %s', (_, read) => {
    const tree = {
      'libs/b/src/place.ts':
        "export const FOLDER = join(dirname(fileURLToPath(import.meta.url)), 'prompts');\n",
      'libs/b/src/prompts/a.md': 'a',
      'libs/b/src/other/a.md': 'a',
      ...spec(`import { FOLDER } from './place.js';\nFOLDER;\nit('a', (name) => ${read});\n`),
    };
    expect(affectedBy(tree, { 'libs/b/src/prompts/a.md': 'b' })).toEqual(B);
    expect(affectedBy(tree, { 'libs/b/src/other/a.md': 'b' })).toEqual([]);
  });

  it('counts a new file of a folder that is read as a whole', () => {
    const tree = {
      'samples/eval/a.md': 'a',
      ...spec("readdirSync(new URL('../../../samples/eval', import.meta.url));\n"),
    };
    expect(affectedBy(tree, { 'samples/eval/b.md': 'b' })).toEqual(B);
  });

  it('follows a program that a spec starts from dist, and its build', () => {
    const tree = {
      'apps/c/package.json': JSON.stringify({ name: '@casefile/c' }),
      'apps/c/src/main.ts': "import { run } from './run.js';\nawait run();\n",
      'apps/c/src/run.ts': 'export const run = () => 1;\n',
      'libs/b/src/start.ts':
        "const ROOT = join(fileURLToPath(import.meta.url), '../../../..');\n" +
        "export const start = (name) => spawn(join(ROOT, 'apps', name, 'dist/main.js'));\n",
      ...spec("import { start } from './start.js';\nstart('c');\n"),
    };
    expect(affectedBy(tree, { 'apps/c/src/run.ts': 'export const run = () => 2;\n' })).toEqual(B);
    expect([...graphOf(tree).specsOf([BUILT]).keys()]).toEqual(B);
  });

  it('follows a module that runs built, in another process', () => {
    const tree = {
      'libs/a/package.json': PACKAGE,
      'libs/a/src/child.ts': 'run(1);\n',
      'libs/a/src/start.ts': "export const CHILD = builtModule('./child.js', import.meta.url);\n",
      ...spec("import { CHILD } from '../../a/src/start.js';\nCHILD;\n"),
    };
    expect(affectedBy(tree, { 'libs/a/src/child.ts': 'run(2);\n' })).toEqual(B);
    expect([...graphOf(tree).specsOf([BUILT]).keys()]).toEqual(B);
  });

  it('counts what imports depend on in a package.json, and nothing else in it', () => {
    const tree = { ...LIBRARY, ...spec("import { one } from '@casefile/a';\none;\n") };
    const graph = graphOf(tree);
    const before = JSON.stringify({ name: '@casefile/a', exports: JSON.parse(PACKAGE).exports });
    const specsFor = (text) =>
      graph.specsOf(changedNodes(graph, [{ file: 'libs/a/package.json', kind: 'changed', before: text }]))
        .size;
    expect([specsFor(before), specsFor('{"name":"@casefile/a"}')]).toEqual([0, 1]);
  });

  it('changes one place at a time for the check of the list', () => {
    const lines = mutations('libs/a/src/a.ts', 'if (a < 1 && !b) c(true);\n').map(({ text }) => text.trim());
    expect(lines).toEqual([
      'if (!(a < 1 && !b)) c(true);',
      'if (a < 1 || !b) c(true);',
      'if (a >= 1 && !b) c(true);',
      'if (a < 2 && !b) c(true);',
      'if (a < 1 && !b) c(false);',
    ]);
  });
});

describe('the specs that a change affects, in this repository', () => {
  const graph = readGraph(root);
  const affected = (file) => [
    ...graph.specsOf(changedNodes(graph, [{ file, kind: 'changed', before: null }])).keys(),
  ];

  it('lists the spec of its golden file for a prompt', () => {
    const listed = affected('libs/kinds/scam-verdict/src/prompts/answer@2.md');
    expect(listed).toContain('libs/kinds/scam-verdict/src/question.spec.ts');
    expect(listed.filter((file) => file.startsWith('libs/store/'))).toEqual([]);
  });

  it('lists the specs that kill processes for the write that hands a stage on', () => {
    const names = affected('libs/store/src/hot/commit.ts').map((file) => posix.basename(file));
    const killing = ['policy-crash.spec.ts', 'research-crash.spec.ts', 'worker-death.spec.ts'];
    expect(names).toEqual(expect.arrayContaining(['commit.spec.ts', ...killing]));
  });

  it('lists the specs in a browser for a page of the console, and none of a library', () => {
    const listed = affected('apps/dashboard/src/pages/inbox/inbox-page.tsx');
    const inBrowser = graph.specs.filter((file) => file.startsWith('apps/e2e/src/browser/'));
    expect(inBrowser.filter((file) => !listed.includes(file))).toEqual([]);
    expect(listed.filter((file) => file.startsWith('libs/'))).toEqual([]);
  });

  it.each([
    ['a sample', 'samples/policies/claims-handling.md', 'libs/evidence/src/policy/walk-by-model.spec.ts'],
    ['a statement', 'libs/store/src/hot/golden/claim.sql', 'libs/store/src/hot/hot-statements.spec.ts'],
    ['a deployment file', 'docker-compose.yml', 'tools/check-deploy/compose.spec.mjs'],
    ['a page', 'docs/reference/states.md', 'libs/contracts/src/units/state-diagrams.spec.ts'],
    ['the lock file', 'package-lock.json', 'libs/contracts/src/section-numbers.spec.ts'],
  ])('lists the spec that reads %s', (_, file, reader) => {
    expect(graph.files.has(file)).toBe(true);
    expect(affected(file)).toContain(reader);
  });

  it('resolves every import of a file or package of this repository', () => {
    const lost = [];
    for (const [file, { imports, exports, stars, units }] of graph.records) {
      const specifiers = [
        ...Object.values(imports).map(([from]) => from),
        ...Object.values(exports).flatMap((one) => (typeof one === 'string' ? [] : [one[0]])),
        ...Object.values(units).flatMap((unit) => unit.imports.map(([from]) => from)),
        ...stars,
      ];
      for (const one of specifiers)
        if (/^\.|^@casefile\//.test(one) && !one.includes('*') && graph.resolve(file, one) === null)
          lost.push(`${file}: ${one}`);
    }
    expect(lost).toEqual([]);
  });

  it('declares dependencies of modules and on files that exist', () => {
    const lists = ({ files = [], names = [], patterns = [], programs = [] }) =>
      [files, names, patterns, programs].flat();
    expect(DECLARED.map(({ at }) => at).filter((file) => !graph.records.has(file))).toEqual([]);
    const patterns = [...DECLARED, ...EVERY_SPEC].flatMap(lists);
    expect(patterns.filter((pattern) => graph.files.matching(pattern).length === 0)).toEqual([]);
  });
});
