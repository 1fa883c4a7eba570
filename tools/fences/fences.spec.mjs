// The import rules between the libraries must work: lint catches a planted violation of each kind.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';

const NX = { NX_ISOLATE_PLUGINS: 'false', NX_LOAD_DOT_ENV_FILES: 'false', NX_DAEMON: 'false' };

const VIOLATIONS = [
  [
    'pipeline',
    "import { createPostgresStore } from '@casefile/store';\nexport const x = createPostgresStore;\n",
    '@nx/enforce-module-boundaries',
  ],
  [
    'llm',
    "import { jobIdOf } from '@casefile/queue';\nexport const x = jobIdOf;\n",
    '@nx/enforce-module-boundaries',
  ],
  [
    'knowledge',
    "import { createTools } from '@casefile/evidence';\nexport const x = createTools;\n",
    '@nx/enforce-module-boundaries',
  ],
  [
    'knowledge',
    "import { ask } from '@casefile/pipeline';\nexport const x = ask;\n",
    '@nx/enforce-module-boundaries',
  ],
  [
    'engine',
    "import { Intake } from '@casefile/runtime';\nexport const x = Intake;\n",
    '@nx/enforce-module-boundaries',
  ],
  [
    'engine',
    "import { createPostgresStore } from '@casefile/store';\nexport const x = createPostgresStore;\n",
    'no-restricted-imports',
  ],
  [
    'evidence',
    "import { getDocumentProxy } from 'unpdf';\nexport const x = getDocumentProxy;\n",
    'no-restricted-imports',
  ],
  ['store', "import { Queue } from 'bullmq';\nexport const x = Queue;\n", 'no-restricted-imports'],
  ['pipeline', 'export const x = () => Date.now();\n', 'no-restricted-properties'],
  ['contracts', 'export const x = () => new Date();\n', 'no-restricted-syntax'],
  [
    'kinds/incident',
    "import { research } from '@casefile/research/playbook';\nexport const x = research;\n",
    '@nx/enforce-module-boundaries',
  ],
  [
    'pipeline',
    "import { research } from '@casefile/research/playbook';\nexport const x = research;\n",
    '@nx/enforce-module-boundaries',
  ],
  ['evidence', 'export const x = process.env;\n', 'no-restricted-properties'],
  ['pipeline', 'export const x = /^[A-Za-z\\s]+={0,2}\\s*$/;\n', 'regexp/no-super-linear-backtracking'],
  ['llm', 'export const x = /\\s+$/;\n', 'regexp/no-super-linear-move'],
];

describe('the fences', () => {
  const planted = VIOLATIONS.map(([lib, code], i) => {
    const dir = join(root, 'libs', lib, 'src', '__violation__');
    return { dir, file: join(dir, `violation-${i}.ts`), code };
  });
  let messagesByFile;

  // One graph for all violations. It is built again, because the boundary rule skips itself with a stale
  // graph.
  beforeAll(() => {
    const graph = run('nx', ['graph', '--file', join(root, 'node_modules/.cache/graph.json')]);
    expect(graph.status).toBe(0);
    try {
      for (const { dir, file, code } of planted) {
        mkdirSync(dir, { recursive: true });
        writeFileSync(file, code);
      }
      const { stdout } = run('eslint', ['--format', 'json', ...planted.map(({ file }) => file)]);
      messagesByFile = new Map(JSON.parse(stdout).map(({ filePath, messages }) => [filePath, messages]));
    } finally {
      for (const { dir } of planted) rmSync(dir, { recursive: true, force: true });
    }
  });

  it.each(VIOLATIONS.map(([lib, code, rule], i) => [lib, code, rule, planted[i].file]))(
    'in %s catch %j',
    (_lib, _code, rule, file) => {
      expect(messagesByFile.get(file).map(({ ruleId }) => ruleId)).toContain(rule);
    },
  );
});

function run(program, args) {
  const env = { ...process.env, ...NX };
  return spawnSync(join('node_modules/.bin', program), args, { cwd: root, encoding: 'utf8', env });
}
