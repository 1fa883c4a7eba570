import { DEMONSTRATION, type RolledOutPrompt } from '@casefile/contracts';
import { kinds, playbooks } from '@casefile/shipped/loaded';
import { readConfig } from '../config/read-config.js';
import { describeInstallation } from '../installation/describe-installation.js';
import { freezeSettings } from '../installation/freeze-settings.js';
import { applyRollout, withPrompts } from './apply-rollout.js';
import { splitName } from '../config/installed-prompts.js';

const config = readConfig({ LLM_PROVIDER: 'none' }, kinds);
const [kind] = playbooks;
const settings = freezeSettings(kind!, describeInstallation(config));
const [use, ownId] = Object.entries(settings.promptIds)[0]!;
const version = (over: Partial<RolledOutPrompt> = {}): RolledOutPrompt => ({
  ...splitName({ id: ownId }),
  version: 7,
  id: `${ownId}#abc`,
  sha256: 'f'.repeat(64),
  state: 'live',
  moved: true,
  ...over,
});
const applied = (...prompts: RolledOutPrompt[]) => applyRollout(settings, { prompts, recalibrations: [] });

describe('S4-58 the settings of a new run', () => {
  it('name id and digest of the version that a person made live', () => {
    expect(applied(version())).toEqual({
      ...settings,
      promptIds: { ...settings.promptIds, [use]: `${ownId}#abc` },
      promptTexts: [{ id: `${ownId}#abc`, sha256: 'f'.repeat(64) }],
    });
  });

  it.each([
    ['nothing is rolled out', []],
    ['no person moved the live version', [version({ moved: false })]],
    ['the version is a candidate of an experiment', [version({ state: 'shadow' })]],
    ['the version is of another kind', [version({ playbook: 'another' })]],
    ['the live version is the text of the installation', [version({ id: ownId })]],
  ])('are unchanged if %s', (_why, prompts) => expect(applied(...prompts)).toEqual(settings));

  it('are unchanged for a demonstration, whose answers were written for the shipped texts', () => {
    const demonstrated = { ...settings, provider: DEMONSTRATION };
    expect(applyRollout(demonstrated, { prompts: [version()], recalibrations: [] })).toBe(demonstrated);
  });

  it('have one text per prompt: another version replaces the first', () => {
    const one = applied(version());
    expect(withPrompts(one, [version()])).toEqual(one);
    expect(withPrompts(one, [version({ id: `${ownId}#def` })]).promptTexts).toEqual([
      { id: `${ownId}#def`, sha256: 'f'.repeat(64) },
    ]);
  });

  it('name the text of a prompt that is not asked by its own id, such as an encouragement', () => {
    const aloud = version({ name: 'think-aloud', id: 'think-aloud@1#abc' });
    expect(applied(aloud)).toEqual({
      ...settings,
      promptTexts: [{ id: 'think-aloud@1#abc', sha256: 'f'.repeat(64) }],
    });
  });
});
