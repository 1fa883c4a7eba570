import { execFileSync, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../../root.mjs';
import { REPORT } from '../kit-api.mjs';
import { packKit } from '../pack-kit.mjs';

const KIND = 'invoice-check';

describe('the package of @casefile/kit, in a folder without the rest of this repository', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kit-package-'));
  const installed = join(folder, 'node_modules/@casefile/kit');
  const kind = join(folder, KIND);
  const manifest = () => JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  const run = (...command) => {
    const env = { ...process.env, NODE_OPTIONS: '' };
    const { status, stdout, stderr } = spawnSync(process.execPath, command, {
      cwd: kind,
      env,
      encoding: 'utf8',
    });
    return { status, output: stdout + stderr };
  };

  beforeAll(async () => {
    const archive = await packKit(join(folder, 'packed'));
    mkdirSync(installed, { recursive: true });
    execFileSync('tar', ['-xzf', archive, '--strip-components=1', '-C', installed]);
    // The packages of others, as an installation would fetch them.
    for (const name of [...Object.keys(manifest().dependencies), '@types/node']) {
      const link = join(folder, 'node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join(root, 'node_modules', name), link);
    }
    execFileSync(process.execPath, [
      join(root, 'apps/cli/dist/main.js'),
      'new',
      'kind',
      KIND,
      '--folder',
      kind,
      '--with',
      'model,tool,policy',
    ]);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('needs no other library of this repository, and no test runner, NestJS, store or queue', () => {
    const { dependencies } = manifest();
    expect(
      Object.keys(dependencies).filter((name) => /^@casefile|nest|jest|prisma|^pg$|bullmq/.test(name)),
    ).toEqual([]);
    expect(Object.values(dependencies)).toEqual(expect.not.arrayContaining([undefined]));
    expect(readdirSync(join(folder, 'node_modules/@casefile'))).toEqual(['kit']);
  });

  it.each(['@casefile/kit', '@casefile/kit/testing'])(
    'exports what the sources export: %s',
    async (module) => {
      const names = Object.keys(await import(module)).sort();
      const print = `console.log(Object.keys(await import('${module}')).sort().join())`;
      expect(run('--input-type=module', '-e', print)).toEqual({ status: 0, output: `${names.join()}\n` });
    },
  );

  it('has the types that a kind made by `casefile new kind` is written against, and each one of the report', () => {
    const [kit, testing] = readFileSync(REPORT, 'utf8').split('\n## ').slice(1);
    const exported = (section) =>
      [...new Set(section.match(/(?<=^(?:type|interface|class|function|const) )\w+/gm))].join(', ');
    const lines = [
      `{ ${exported(kit)} } from '@casefile/kit'`,
      `{ ${exported(testing)} } from '@casefile/kit/testing'`,
    ];
    writeFileSync(join(kind, 'all.ts'), lines.map((line) => `export type ${line};\n`).join(''));
    expect(run(join(root, 'node_modules/typescript/bin/tsc'), '-p', kind)).toEqual({ status: 0, output: '' });
  });

  it('runs the test of this kind', () => {
    const [, ...command] = JSON.parse(readFileSync(join(kind, 'package.json'), 'utf8')).scripts.test.split(
      ' ',
    );
    expect(run(...command)).toEqual({ status: 0, output: expect.stringMatching(/(?:# |ℹ )pass 8\n/) });
  });
});
