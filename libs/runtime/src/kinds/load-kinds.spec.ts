import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import { z } from '@casefile/contracts';
import { KIT_VERSION } from '@casefile/kit/version';
import { kinds as shipped } from '@casefile/shipped/loaded';
import { kindDigest } from './kind-digest.js';
import { loadInstalledKinds } from './load-kinds.js';

/** Writes files to a new folder outside of the repository, and returns its path. */
function folderWith(files: Record<string, string>): string {
  const folder = temporaryFolder('kinds');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const load = (...environment: string[]) => loadInstalledKinds({ environment, settings: [], file: null });
const problemOf = (...environment: string[]) =>
  load(...environment).then(
    () => 'loaded',
    (error: Error) => error.message,
  );

/** Source of a kind, in TypeScript or as a plain module. */
const kindNamed = (name: string, change = '') => `
import { decisionRule, defineKind, definePlaybook, defineOptions, byRules, fromText, lookUps, matching, mechanical, neverRepeated, asRecorded, z } from '@casefile/kit';
import { z as schemas } from 'zod';
import { REVIEW } from './words.js';
const rules = { answer: () => ({ answer: {}, explanation: '', claims: [], evidenceUsed: [], confidence: 1, remarks: [], confidenceSource: 'heuristic', method: 'heuristic' }) };
const playbook = definePlaybook({
  name: '${name}', version: '1',
  intake: { claims: matching('It has a text.', ({ text }) => text !== undefined), problems: () => [], repeats: neverRepeated, entrances: [] },
  triage: fromText(() => ({ entities: {}, notes: [] })),
  tools: [], collect: lookUps({ plan: () => [], waitMs: () => 1_000 }),
  strategies: { rules: byRules('rules', rules) }, strategy: 'rules',
  thinking: false, maxRounds: 1, onOutage: 'fallback',
  critique: mechanical(() => ''), write: () => ({ title: '', markdown: '', citations: [] }),
  decision: decisionRule({ name: 'always', decide: () => ({ outcome: { word: REVIEW }, disposition: 'review', reasons: [] }) }),
  outward: asRecorded,
  presenting: { word: () => REVIEW, answer: () => '', rule: 'A person decides.', labels: {}, scales: () => [] },
  options: defineOptions('${name}', schemas.object({ limit: z.number().default(3) })),
});
${change}
export const schemaLibraries = [z, schemas];
export default defineKind({ playbook });
`;
const needing = (kit: string) =>
  JSON.stringify({ type: 'module', peerDependencies: { '@casefile/kit': kit } });
const WORDS = { 'words.js': "export const REVIEW = 'review';" };

describe('kinds of case from outside', () => {
  it('a fault where alerts and pages of all kinds pass does not reach other kinds, and elsewhere names the kind', async () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const fails = (what: string) => `${what} = () => { throw new TypeError('no such field'); };`;
    const functions = ['claims', 'problems', 'repeats'].map((name) => `playbook.intake.${name}`);
    const shown = ['word', 'answer', 'scales', 'ladder'].map((name) => `playbook.presenting.${name}`);
    const change = [...functions, ...shown].map(fails).join('\n');
    const folder = folderWith({
      'index.mjs': kindNamed('faulty', change),
      ...WORDS,
      'package.json': needing('*'),
    });
    const kind = (await load(folder)).find(({ playbook }) => playbook.name === 'faulty')!;
    const { intake, presenting } = kind.playbook;
    const alert = { text: 'An alert without a kind' };
    expect(intake.claims(alert, () => ({}))).toBeNull();
    expect(() => intake.problems(alert)).toThrow('kind faulty: intake.problems failed: no such field');
    expect(() => intake.repeats(alert)).toThrow('kind faulty: intake.repeats failed: no such field');
    expect(presenting.word({ outcome: {}, disposition: 'review' })).toBe('review');
    expect([
      presenting.answer({}),
      presenting.ladder?.({}),
      presenting.scales({} as never, {} as never),
    ]).toEqual(['-', null, []]);
    presenting.answer({});
    const problems = warned.mock.calls.map(([problem]) => String(problem));
    expect(problems.filter((problem) => problem.includes('presenting.answer'))).toEqual([
      'kind faulty: presenting.answer failed: no such field',
    ]);
    warned.mockRestore();
  });

  it('are loaded as TypeScript and as plain modules, from folders, files and packages', async () => {
    const typed = folderWith({
      'index.ts': kindNamed('typed').replace('const rules =', 'const rules: { answer: unknown } ='),
      'words.ts': "export const REVIEW: string = 'review';",
    });
    const plain = folderWith({ 'main.mjs': kindNamed('plain'), ...WORDS });
    writeFileSync(join(plain, 'package.json'), '{"type":"module","exports":{".":{"import":"./main.mjs"}}}');
    const file = folderWith({
      'one.mjs': kindNamed('one-file'),
      ...WORDS,
      'package.json': '{"type":"module"}',
    });
    const packages = folderWith({
      'node_modules/@acme/parcel/package.json': '{"type":"module","main":"index.js"}',
      'node_modules/@acme/parcel/index.js': kindNamed('packaged'),
      'node_modules/@acme/parcel/words.js': WORDS['words.js'],
      'kinds/near/index.mjs': kindNamed('near'),
      'kinds/near/words.js': WORDS['words.js'],
      'package.json': '{"type":"module"}',
      'settings.yaml': '',
    });
    const found = await loadInstalledKinds({
      environment: [typed, plain, join(file, 'one.mjs')],
      settings: ['@acme/parcel', 'kinds/near'],
      file: join(packages, 'settings.yaml'),
    });
    const settings = found.flatMap(({ outside }) => outside?.setting ?? []);
    expect(settings).toEqual(['CASEFILE_KINDS', 'CASEFILE_KINDS', 'CASEFILE_KINDS', 'kinds', 'kinds']);
    const names = found.map(({ playbook }) => playbook.name);
    expect(names).toEqual([
      ...shipped.map(({ playbook }) => playbook.name),
      'typed',
      'plain',
      'one-file',
      'packaged',
      'near',
    ]);
    expect(found.map(({ outside }) => outside === null)).toEqual([
      ...shipped.map(() => true),
      ...Array(5).fill(false),
    ]);
  });

  it('have the kit and the schema library of the program, and a digest of their files', async () => {
    const folder = folderWith({
      'index.mjs': kindNamed('same-copy'),
      ...WORDS,
      'package.json': '{"type":"module"}',
    });
    const [kind] = (await load(folder)).filter(({ playbook }) => playbook.name === 'same-copy');
    const module = (await import(join(folder, 'index.mjs'))) as { schemaLibraries: unknown[] };
    expect(module.schemaLibraries).toEqual([z, z]);
    expect(module.schemaLibraries[0]).toBe(z);
    expect(kind!.playbook.options.read({ limit: 4 })).toEqual({ limit: 4 });
    expect(kind!.outside).toEqual({
      entry: join(folder, 'index.mjs'),
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      setting: 'CASEFILE_KINDS',
    });
    const other = folderWith({
      'index.mjs': kindNamed('other-copy'),
      ...WORDS,
      'package.json': '{"type":"module"}',
    });
    const digests = (await load(folder, other)).flatMap(({ outside }) => outside?.digest ?? []);
    expect(new Set(digests).size).toBe(2);
  });

  it('have a digest that covers files behind links, as a mounted folder has them', () => {
    const files = folderWith({ 'index.mjs': 'export default 1;' });
    const mounted = folderWith({});
    symlinkSync(join(files, 'index.mjs'), join(mounted, 'index.mjs'));
    expect(kindDigest(mounted)).toBe(kindDigest(files));
    writeFileSync(join(files, 'index.mjs'), 'export default 2;');
    const fresh = folderWith({ 'index.mjs': 'export default 2;' });
    expect(kindDigest(mounted)).toBe(kindDigest(fresh));
  });

  it.each(['^0.1.0', '~0.1.0', '0.1', '>=0.1 <0.3', '*'])(
    'are loaded if they were written for a kit that fits: %s',
    async (kit) => {
      const name = `fits${kit.replaceAll(/\W/g, '-')}`;
      const folder = folderWith({ 'index.ts': kindNamed(name), ...WORDS, 'package.json': needing(kit) });
      expect(await problemOf(folder)).toBe('loaded');
    },
  );

  it.each(['^0.2.0', '1.1.0', '~0.1.7', 'newest'])(
    'are refused before they are loaded if they need another kit: %s',
    async (kit) => {
      const folder = folderWith({ 'index.ts': "throw new Error('loaded');", 'package.json': needing(kit) });
      const field = `${join(folder, 'package.json')}: peerDependencies["@casefile/kit"]: `;
      const expected = `expected a range of versions that includes ${KIT_VERSION}, the kit of this program, such as ^${KIT_VERSION}; found "${kit}"`;
      expect(await problemOf(folder)).toContain(`CASEFILE_KINDS: ${folder}: ${field}${expected}`);
      expect(await problemOf(join(folder, 'index.ts'))).toContain(expected);
    },
  );

  it('have the version of the kit in its package and in the template of a new kind', () => {
    const read = (path: string) =>
      JSON.parse(readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8'));
    expect(read('libs/kit/package.json').version).toBe(KIT_VERSION);
    const { peerDependencies } = read('apps/cli/template/kind/package.json');
    expect(peerDependencies).toEqual({ '@casefile/kit': `^${KIT_VERSION}` });
  });

  it.each([
    ['no folder', () => '/nowhere/kind', /CASEFILE_KINDS: \/nowhere\/kind: expected a folder or a module/],
    ['no package', () => '@acme/none', /@acme\/none: expected a path, or a package installed at or above/],
    ['no module', () => folderWith({ 'a.txt': '' }), /expected kind\.yaml, index\.ts, index\.mjs.* in /],
    [
      'a broken package.json',
      () => folderWith({ 'package.json': '{' }),
      /expected JSON in .*package\.json: /,
    ],
    [
      'no declared module',
      () => folderWith({ 'package.json': '{"main":"gone.js"}', 'index.mjs': 'export default 1;' }),
      /expected the file that "exports" or "main" names; there is no .*gone\.js/,
    ],
    [
      'no export',
      () => folderWith({ 'index.mjs': 'export const a = 1;' }),
      /index\.mjs: default: expected `export default defineKind/,
    ],
    [
      'an error',
      () => folderWith({ 'index.mjs': "throw new Error('no key');" }),
      /index\.mjs: cannot be loaded: no key/,
    ],
    ['wrong syntax', () => folderWith({ 'index.mjs': 'export default {' }), /index\.mjs: cannot be loaded: /],
    [
      'a wrong field',
      () => folderWith({ 'index.ts': kindNamed('Wrong Name', 'playbook.maxRounds = 0;'), ...WORDS }),
      /index\.ts: default\.playbook\.name: expected a lower-case letter.*index\.ts: default\.playbook\.maxRounds: /s,
    ],
    [
      'a rule that may forget what was missing',
      () =>
        folderWith({
          'index.ts': kindNamed('k', 'playbook.decision = { name: "a", decide: () => ({}) } as never;'),
          ...WORDS,
        }),
      /default\.playbook\.decision: expected the result of `decisionRule\(\{ \.\.\. \}\)`/,
    ],
    [
      'a wrong field of a YAML file',
      () => folderWith({ 'kind.yaml': 'name: a\nversion: 1\ntitle: A' }),
      /kind\.yaml: input: .*kind\.yaml: text: .*kind\.yaml: decision: /s,
    ],
    [
      'a title that names no field',
      () =>
        folderWith({
          'index.ts': kindNamed(
            'k',
            "Object.assign(playbook.presenting, { payload: z.object({ subject: z.string() }), display: { title: 'payload.subjct' } });",
          ),
          ...WORDS,
        }),
      /index\.ts: default\.playbook\.presenting\.display\.title: expected a field of the payload \(subject\), found subjct/,
    ],
    [
      'a section of no known form',
      () =>
        folderWith({
          'index.ts': kindNamed(
            'k',
            "Object.assign(playbook.presenting, { display: { sections: [{ show: 'facts', title: 'A', of: ['subject'] }] } });",
          ),
          ...WORDS,
        }),
      /index\.ts: default\.playbook\.presenting\.display\.sections\[0\]\.of\[0\]: expected text, payload\.FIELD/,
    ],
    [
      'an unknown strategy',
      () => folderWith({ 'index.ts': kindNamed('no-such', "playbook.strategy = 'guess';"), ...WORDS }),
      /default\.playbook\.strategy: expected one of rules, found guess/,
    ],
    [
      'a taken name',
      () => folderWith({ 'index.ts': kindNamed('incident'), ...WORDS }),
      /default\.playbook\.name: incident is the name of another installed kind/,
    ],
  ])('stop the start if there is %s, with file, field and expectation', async (_what, kind, problem) => {
    expect(await problemOf(kind())).toMatch(problem);
  });
});
