import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { allRules, RECORDED, ruleOf, unversioned } from './kind-rules.mjs';

const FILES = {
  'playbook.ts': "export const kind = {\n  version: '1',\n};",
  'decide.ts': "import { limit } from './limit.js';\nexport const rule = (n: number) => n > limit;",
  'limit.ts':
    "import words from './words.json' with { type: 'json' };\nexport const limit: number = words.length;",
  'words.json': '["a"]',
  'sample.ts': 'export const sample = 1;',
};

describe('rules of kinds', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kind-rules-'));
  const write = (files) => {
    for (const [path, text] of Object.entries(files)) {
      const file = join(folder, 'src', path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    return ruleOf(folder);
  };
  afterAll(() => rmSync(folder, { recursive: true }));

  it('have a version that was raised with each change; `npm run kind-rules` records it', () => {
    const recorded = JSON.parse(readFileSync(RECORDED, 'utf8'));
    const now = allRules();
    expect(unversioned(recorded, now)).toEqual([]);
    expect(now).toEqual(recorded);
  });

  it('have a digest of what the rule imports, in which comments and layout do not count', () => {
    const first = write(FILES);
    expect(first.version).toBe('1');
    expect(write({ 'sample.ts': 'export const sample = 2;' })).toEqual(first);
    expect(write({ 'decide.ts': `// Why.\n${FILES['decide.ts'].replaceAll(' ', '  ')}` })).toEqual(first);
    for (const change of [
      { 'limit.ts': FILES['limit.ts'].replace('length', 'length + 1') },
      { 'words.json': '["a", "b"]' },
    ]) {
      expect(write({ ...FILES, ...change }).rules).not.toBe(first.rules);
      write(FILES);
    }
  });

  it('need another version when they change', () => {
    const before = { a: { version: '1', rules: 'x' }, b: { version: '1', rules: 'x' } };
    const now = {
      a: { version: '1', rules: 'y' },
      b: { version: '2', rules: 'y' },
      c: { version: '1', rules: 'z' },
    };
    expect(unversioned(before, now)).toEqual([
      expect.stringContaining("The rule of a changed: raise its version '1'"),
    ]);
  });
});
