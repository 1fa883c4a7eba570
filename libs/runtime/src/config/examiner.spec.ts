import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import { kinds } from '@casefile/shipped/loaded';
import { describeInstallation } from '../installation/describe-installation.js';
import { effectiveSettings } from './effective-settings.js';
import { readConfig } from './read-config.js';

const ONE_KEY = { OPENAI_API_KEY: 'test-key-1' };
const TWO_KEYS = { ...ONE_KEY, ANTHROPIC_API_KEY: 'test-key-2' };

function configOf(env: Record<string, string>, incident: object = {}) {
  const file = join(temporaryFolder('examiner'), 'own.yaml');
  writeFileSync(file, JSON.stringify({ playbooks: { incident } }));
  return readConfig({ ...env, CASEFILE_CONFIG: file }, kinds);
}
const frozen = (config: ReturnType<typeof configOf>) => describeInstallation(config).playbooks['incident'];

describe('T-39 the provider that cross-examines', () => {
  it('is another one if two keys are set, in every kind, and the configuration names it', async () => {
    const config = configOf(TWO_KEYS);
    for (const { provider, examiner } of Object.values(describeInstallation(config).playbooks))
      expect([provider, examiner?.provider]).toEqual(['openai', 'anthropic']);
    expect(await effectiveSettings(config)).toMatchObject({
      playbooks: { incident: { examiner: 'anthropic' } },
    });
  });

  it('is that of the kind with one key, which two entries of the table may use', async () => {
    expect(frozen(configOf(ONE_KEY))?.examiner).toBeUndefined();
    expect(await effectiveSettings(configOf(ONE_KEY))).toMatchObject({
      playbooks: { incident: { examiner: 'same' } },
    });
  });

  it('is the one that the settings name', () => {
    expect(frozen(configOf(TWO_KEYS, { examiner: 'same' }))?.examiner).toBeUndefined();
    expect(
      frozen(configOf(TWO_KEYS, { provider: 'anthropic', examiner: 'openai' }))?.examiner?.provider,
    ).toBe('openai');
    expect(() => configOf(TWO_KEYS, { examiner: 'nobody' })).toThrow(
      /playbooks\.incident\.examiner: expected one of/,
    );
  });
});
