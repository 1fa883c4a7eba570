import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { playbooks } from '@casefile/pipeline';
import { describeInstallation } from '../installation/describe-installation.js';
import { freezeSettings } from '../installation/freeze-settings.js';
import { readConfig } from './read-config.js';

const folder = mkdtempSync(join(tmpdir(), 'casefile-options-'));
const kind = playbooks.find(({ readSettingsFile }) => readSettingsFile !== undefined)!;
let files = 0;

function configured(own: string, more = '') {
  files += 1;
  const file = join(folder, `own-${files}.yaml`);
  writeFileSync(file, own);
  const config = join(folder, `config-${files}.yaml`);
  writeFileSync(config, `playbooks: { ${kind.name}: { settingsFile: '${file}'${more} } }`);
  return { file, read: () => readConfig({ CASEFILE_CONFIG: config, LLM_PROVIDER: 'none' }) };
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

  it('S5-01 are read again when the file has changed, and stay where it is wrong; a run keeps those it began with', () => {
    const { file, read } = configured(OWN);
    const config = read();
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const before = freezeSettings(kind, describeInstallation(config));
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 10_000);
    try {
      writeFileSync(file, 'reasoning: { max_iterations: 3 }\nsource_tiers: { 1: [中央社], 5: [PTT] }\n');
      expect(freezeSettings(kind, describeInstallation(config)).options).toMatchObject({
        maxRounds: 3,
        sourceTiers: [{ name: '中央社' }, { name: 'PTT' }],
      });
      expect(before.options).toMatchObject({ maxRounds: 2, sourceTiers: [{ name: '中央社' }] });
      clock.mockReturnValue(performance.now() + 20_000);
      writeFileSync(file, 'reasoning: { max_iterations: 0 }\n');
      expect(freezeSettings(kind, describeInstallation(config)).options).toMatchObject({ maxRounds: 3 });
      expect(warned.mock.calls[0]?.[0]).toMatch(/reasoning\.max_iterations: .*stays/);
    } finally {
      clock.mockRestore();
      warned.mockRestore();
    }
  });

  it('S5-01 that are wrong keep a process from starting, by their key', () => {
    expect(configured('mode_configs: { loose: { max_tier: 2 } }').read).toThrow(
      /settingsFile: .*mode_configs\.loose: expected one of/,
    );
    expect(configured('a: [').read).toThrow(/expected a file that can be read as YAML/);
  });
});
