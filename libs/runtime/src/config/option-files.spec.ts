import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import { kinds, playbooks } from '@casefile/shipped/loaded';
import { describeInstallation, ownInstallation } from '../installation/describe-installation.js';
import { freezeSettings } from '../installation/freeze-settings.js';
import { readConfig } from './read-config.js';

const folder = temporaryFolder('options');
const kind = playbooks.find(({ options }) => options.readFile !== null)!;
let files = 0;

function configured(own: string, more = '') {
  files += 1;
  const file = join(folder, `own-${files}.yaml`);
  writeFileSync(file, own);
  const config = join(folder, `config-${files}.yaml`);
  writeFileSync(config, `playbooks: { ${kind.name}: { settingsFile: '${file}'${more} } }`);
  return { file, read: () => readConfig({ CASEFILE_CONFIG: config, LLM_PROVIDER: 'none' }, kinds) };
}

/** Returns lists of aliases of lists of aliases. */
function bombOf(levels: number): string {
  const level = (i: number) =>
    `a${i}: &a${i} [${Array<string>(9)
      .fill(`*a${i - 1}`)
      .join(', ')}]`;
  return ['a0: &a0 x', ...Array.from({ length: levels }, (_, i) => level(i + 1))].join('\n');
}

describe('options of a kind of case in a file of its own', () => {
  const OWN = 'reasoning: { max_iterations: 2 }\nsource_tiers: { 1: [中央社] }\n';

  it('S5-01 are frozen in new runs, below what the configuration says itself', () => {
    const config = configured(OWN, ', maxRetries: 2').read();
    const { options } = freezeSettings(kind, describeInstallation(config));
    expect(options).toMatchObject({
      maxRounds: 2,
      maxRetries: 2,
      sourceTiers: [{ name: '中央社', tier: 1 }],
    });
  });

  it('S5-01 are read again when the file has changed, and stay where it is wrong; a run keeps those it began with', async () => {
    const { file, read } = configured(OWN);
    const config = read();
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const before = freezeSettings(kind, describeInstallation(config));
    const own = ownInstallation(config);
    const maxRounds = () => freezeSettings(kind, own.latest()).options['maxRounds'];
    const change = async (content: string) => {
      writeFileSync(file, content);
      // File times have a limited resolution.
      utimesSync(file, new Date(), new Date(Date.now() + (changes += 1_000)));
      await config.fileOptions?.refresh();
    };
    let changes = 0;
    try {
      await change('reasoning: { max_iterations: 3 }\nsource_tiers: { 1: [中央社], 5: [PTT] }\n');
      expect(freezeSettings(kind, describeInstallation(config)).options).toMatchObject({
        maxRounds: 3,
        sourceTiers: [{ name: '中央社' }, { name: 'PTT' }],
      });
      expect(before.options).toMatchObject({ maxRounds: 2, sourceTiers: [{ name: '中央社' }] });
      const wrong = [
        ['reasoning: { max_iterations: 0 }\n', /reasoning\.max_iterations: .*stays/],
        [`# ${'x'.repeat(1_000_000)}`, /has 1000002 bytes, and at most 1000000 can be read; .*stays/],
        ['['.repeat(300_000), /nests deeper than 200 .*stays/],
        [bombOf(20), /Excessive alias count.*stays/],
        ['reasoning: [', /expected a file that can be read as YAML: .*stays/],
      ] as const;
      for (const [content, why] of wrong) {
        await change(content);
        expect(warned.mock.calls.at(-1)?.[0]).toMatch(why);
        expect(maxRounds()).toBe(3);
      }
      await config.fileOptions?.refresh();
      expect(warned).toHaveBeenCalledTimes(wrong.length);
      rmSync(file);
      await config.fileOptions?.refresh();
      await config.fileOptions?.refresh();
      expect(warned.mock.calls.at(-1)?.[0]).toMatch(/ENOENT; .*stays/);
      expect(warned).toHaveBeenCalledTimes(wrong.length + 1);
      expect(maxRounds()).toBe(3);
    } finally {
      warned.mockRestore();
    }
  });

  it('S5-01 that are wrong keep a process from starting, by their key', () => {
    expect(configured('mode_configs: { loose: { max_tier: 2 } }').read).toThrow(
      /settingsFile: .*mode_configs\.loose: expected one of/,
    );
    expect(configured('a: [').read).toThrow(/expected a file that can be read as YAML/);
    expect(configured('x'.repeat(1_000_001)).read).toThrow(/at most 1000000 can be read/);
  });

  it('are the options by their names for a kind without a form of its own', () => {
    const other = playbooks.find(({ options }) => options.readFile === null)!;
    const settingsFile = join(folder, 'plain.yaml');
    // The path is relative to the file that names it.
    const named = 'plain.yaml';
    const config = join(folder, 'plain-config.yaml');
    writeFileSync(config, JSON.stringify({ playbooks: { [other.name]: { settingsFile: named } } }));
    const read = () => readConfig({ CASEFILE_CONFIG: config, LLM_PROVIDER: 'none' }, kinds);
    const [[name, value] = ['', 0]] = Object.entries(other.options.defaults).filter(
      ([, option]) => typeof option === 'number',
    );
    writeFileSync(settingsFile, JSON.stringify({ [name]: value }));
    expect(freezeSettings(other, describeInstallation(read())).options).toMatchObject({ [name]: value });
    writeFileSync(settingsFile, JSON.stringify({ [name]: 'many' }));
    expect(read).toThrow(new RegExp(`settingsFile: .*${name}`));
  });
});
