// The fences between the libraries must bite: a planted violation of each kind is caught by the lint as it is run.
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
    'evidence',
    "import { getDocumentProxy } from 'unpdf';\nexport const x = getDocumentProxy;\n",
    'no-restricted-imports',
  ],
  ['store', "import { Queue } from 'bullmq';\nexport const x = Queue;\n", 'no-restricted-imports'],
  ['pipeline', 'export const x = () => Date.now();\n', 'no-restricted-properties'],
  ['contracts', 'export const x = () => new Date();\n', 'no-restricted-syntax'],
  ['evidence', 'export const x = process.env;\n', 'no-restricted-properties'],
  // E-06
  ['pipeline', 'export const x = /^[A-Za-z\\s]+={0,2}\\s*$/;\n', 'regexp/no-super-linear-backtracking'],
  ['llm', 'export const x = /\\s+$/;\n', 'regexp/no-super-linear-move'],
];

describe('the fences', () => {
  // One graph for all of them: made again, for a stale one lets the boundary rule skip itself.
  beforeAll(() => {
    const made = spawnSync(
      'node_modules/.bin/nx',
      ['graph', '--file', join(root, 'node_modules/.cache/graph.json')],
      { cwd: root, env: { ...process.env, ...NX } },
    );
    expect(made.status).toBe(0);
  }, 60_000);

  it.each(VIOLATIONS)(
    'in %s catch %j',
    (lib, code, rule) => {
      const dir = join(root, 'libs', lib, 'src', '__violation__');
      const file = join(dir, 'violation.ts');
      mkdirSync(dir, { recursive: true });
      try {
        writeFileSync(file, code);
        const run = spawnSync('node_modules/.bin/eslint', ['--format', 'json', file], {
          cwd: root,
          encoding: 'utf8',
          env: { ...process.env, ...NX },
        });
        const rules = JSON.parse(run.stdout)[0].messages.map((message) => message.ruleId);
        expect(rules).toContain(rule);
      } finally {
        rmSync(dir, { recursive: true, force: true });
      }
    },
    60_000,
  );
});
