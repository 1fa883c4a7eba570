import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import { kinds } from '@casefile/shipped/loaded';
import { describeInstallation } from '../installation/describe-installation.js';
import { effectiveSettings } from './effective-settings.js';
import { readConfig } from './read-config.js';

function configWith(masking?: object) {
  const file = join(temporaryFolder('masking'), 'own.yaml');
  writeFileSync(file, JSON.stringify({ playbooks: { incident: { ...(masking && { masking }) } } }));
  return readConfig({ LLM_PROVIDER: 'none', CASEFILE_CONFIG: file }, kinds);
}
const own = { personalData: ['email', 'ip'], patterns: { customer: String.raw`KD-\d{8}` } };

describe('S2-21 masking of a kind', () => {
  it('is part of the settings of its runs, and of no other kind', async () => {
    const { playbooks } = describeInstallation(configWith(own));
    expect(playbooks['incident']?.masking).toEqual({
      rules: 1,
      personalData: ['email', 'ip'],
      patterns: [{ name: 'customer', pattern: String.raw`KD-\d{8}` }],
    });
    expect(playbooks['incident']?.options).not.toHaveProperty('masking');
    expect(playbooks['scam-verdict']).not.toHaveProperty('masking');
  });

  it.each([[undefined], [{}], [{ personalData: [], patterns: {} }]])('is off with %j', (masking) => {
    expect(describeInstallation(configWith(masking)).playbooks['incident']).not.toHaveProperty('masking');
  });

  it('is shown with the other settings, also where it is off', async () => {
    expect(await effectiveSettings(configWith(own))).toMatchObject({
      playbooks: { incident: { masking: own }, research: { masking: { personalData: [], patterns: {} } } },
    });
  });

  it.each([
    [{ personalData: ['name'] }, /playbooks\.incident\.masking\.personalData\[0\]/],
    [
      { patterns: { bad: '(?=x)' } },
      /playbooks\.incident\.masking\.patterns\.bad: expected a pattern in RE2/,
    ],
    [
      { patterns: { empty: 'x*' } },
      /playbooks\.incident\.masking\.patterns\.empty: .*does not match an empty/,
    ],
    [
      { patterns: { long: 'x'.repeat(201) } },
      /playbooks\.incident\.masking\.patterns\.long: .*200 characters/,
    ],
    [{ patterns: { 'Bad Name': 'x' } }, /playbooks\.incident\.masking\.patterns.*lower-case/],
    [{ patterns: { big: '.{900}x.{900}y.{900}' } }, /playbooks\.incident\.masking\.patterns: .*2000/],
    [
      { patterns: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`p${i}`, `x${i}`])) },
      /playbooks\.incident\.masking\.patterns: expected at most 20/,
    ],
    [{ clases: [] }, /playbooks\.incident\.masking/],
  ])('%j is refused, with the field', (masking, message) => {
    expect(() => configWith(masking)).toThrow(message);
  });
});
