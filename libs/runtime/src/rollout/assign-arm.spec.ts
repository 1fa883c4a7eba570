import {
  experimentFlag,
  silentLogger,
  type FlagState,
  type RunningExperiment,
  type RunSettings,
} from '@casefile/contracts';
import { OpenFeature } from '@openfeature/server-sdk';
import { ArmAssignment } from './assign-arm.js';
import { FlagProvider } from './flag-provider.js';
import type { RolloutView } from './rollout-copy.js';

const ID = '01930000-0000-7000-8000-000000000036';
const FLAG = experimentFlag(ID);

const settings: RunSettings = {
  playbook: 'kind',
  playbookVersion: '1',
  strategy: 'model',
  policy: 'p',
  provider: 'first',
  model: 'm1',
  fallbackProviders: ['second'],
  cheaperModel: 'm0',
  lowModel: 'm0',
  promptIds: { answer: 'kind/answer@1', critique: 'kind/critique@1' },
  tools: [],
  maxRounds: 1,
  onOutage: 'fallback',
  options: { threshold: 0.5, deadlineMs: 1_000 },
};

const experiment: RunningExperiment = {
  id: ID,
  name: 'shorter prompt',
  playbook: 'kind',
  mode: 'ab',
  arms: [
    { name: 'control', settings: {} },
    { name: 'short', settings: { prompts: { answer: 2 }, options: { threshold: 0.6 } } },
  ],
  share: 0.5,
  limit: 0.05,
  salt: 'salt',
};

const flag: FlagState = {
  name: FLAG,
  variant: 'on',
  version: 3,
  by: 'ann',
  reason: 'start',
  latched: false,
  changedAt: '2026-01-05T10:00:00.000Z',
};

const view: RolloutView = {
  recalibrations: [],
  prompts: [
    {
      playbook: 'kind',
      name: 'answer',
      version: 2,
      id: 'kind/answer@2#ab',
      sha256: 'a',
      state: 'shadow',
      moved: false,
    },
  ],
  flags: [flag],
  experiments: [experiment],
  readAt: 1,
  stale: false,
};

const playbook = {
  name: 'kind',
  strategies: { model: {}, rules: {} } as never,
  options: {
    check: (options: object) => {
      if ((options as Record<string, unknown>)['threshold'] === 2) throw new Error('at most 1');
    },
  } as never,
};

let domains = 0;
function assignment(changes: Partial<RolloutView> = {}) {
  const state = { view: { ...view, ...changes } };
  domains += 1;
  const arms = new ArmAssignment({
    rollout: { current: () => state.view },
    providers: () => ['first', 'other'],
    log: silentLogger,
    domain: `test.${domains}`,
  });
  return {
    state,
    assign: (fingerprint: string, own: RunSettings = settings) => arms.assign(own, playbook, fingerprint),
  };
}
const withArmSettings = (own: RunningExperiment['arms'][number]['settings']) => ({
  experiments: [{ ...experiment, share: 1, arms: [experiment.arms[0]!, { name: 'short', settings: own }] }],
});

describe('the arm of a new run', () => {
  it('is split by fingerprint, and frozen with flag, variant, reason, version and bucket (S4-51, S4-56)', async () => {
    const { assign } = assignment();
    const runs = await Promise.all(Array.from({ length: 200 }, (_, i) => assign(`f${i}`)));
    const short = runs.filter((run) => run.experiment?.arm === 'short');
    expect(short.length).toBeGreaterThan(70);
    expect(short.length).toBeLessThan(130);
    for (const run of runs) {
      expect(run.flag).toMatchObject({
        flag: FLAG,
        variant: run.experiment?.arm,
        reason: 'SPLIT',
        version: 3,
      });
      expect(run.flag!.bucket! < 5_000).toBe(run.experiment?.arm === 'short');
    }
    expect(await Promise.all(Array.from({ length: 200 }, (_, i) => assignment().assign(`f${i}`)))).toEqual(
      runs,
    );
  });

  it('has the prompts and options of its arm, and the control those of today (S4-56)', async () => {
    const {
      flag: _a,
      experiment: _b,
      ...control
    } = await assignment({
      experiments: [{ ...experiment, share: 0 }],
    }).assign('f');
    expect(control).toEqual(settings);
    const {
      flag: _c,
      experiment: own,
      ...short
    } = await assignment({
      experiments: [{ ...experiment, share: 1 }],
    }).assign('f');
    expect(own).toEqual({ id: ID, arm: 'short' });
    expect(short).toEqual({
      ...settings,
      promptIds: { answer: 'kind/answer@2#ab', critique: 'kind/critique@1' },
      promptTexts: [{ id: 'kind/answer@2#ab', sha256: 'a' }],
      options: { threshold: 0.6, deadlineMs: 1_000 },
    });
  });

  it('of another model has no models that were chosen for the one of today', async () => {
    const { fallbackProviders: _a, cheaperModel: _b, lowModel: _c, ...plain } = settings;
    const other = await assignment(withArmSettings({ provider: 'other', model: 'm2' })).assign('f');
    expect(other).toMatchObject({ ...plain, provider: 'other', model: 'm2', experiment: { arm: 'short' } });
    expect(Object.keys(other)).not.toEqual(expect.arrayContaining(['fallbackProviders']));
    expect(Object.keys(other)).not.toEqual(expect.arrayContaining(['lowModel']));
    const rules = await assignment(withArmSettings({ strategy: 'rules', provider: 'none' })).assign('f');
    expect(rules).toMatchObject({ strategy: 'rules', provider: 'none', model: 'none' });
  });

  it.each([
    ['a strategy that this process lacks', { strategy: 'gone' }],
    ['a provider that is not installed', { provider: 'gone', model: 'm' }],
    ['another provider without a model', { provider: 'other' }],
    ['a prompt version that runs may not use', { prompts: { answer: 9 } }],
    ['options that the kind refuses', { options: { threshold: 2 } }],
  ])('is none for %s: the alert is accepted with the normal settings', async (_, own) => {
    const { flag: decision, ...rest } = await assignment(withArmSettings(own)).assign('f');
    expect(rest).toEqual(settings);
    expect(decision).toMatchObject({ variant: 'short', reason: 'ERROR' });
  });

  it('is none while the flag is off, unknown, or the copy is stale (S4-52, S4-57)', async () => {
    const off = await assignment({ flags: [{ ...flag, variant: 'off', version: 4 }] }).assign('f');
    expect(off).toEqual({
      ...settings,
      flag: { flag: FLAG, variant: 'control', reason: 'DISABLED', version: 4, bucket: null },
    });
    const unknown = await assignment({ flags: [] }).assign('f');
    expect(unknown.flag).toMatchObject({ variant: 'control', reason: 'ERROR', version: null });
    const stale = await assignment({ stale: true }).assign('f');
    expect(stale).toEqual({
      ...settings,
      flag: { flag: FLAG, variant: 'control', reason: 'STALE', version: null, bucket: null },
    });
  });

  it('follows a change of the flag for new runs, and leaves frozen settings alone (S4-57)', async () => {
    const { assign, state } = assignment({ experiments: [{ ...experiment, share: 1 }] });
    const before = await assign('f');
    state.view = { ...state.view, flags: [{ ...flag, variant: 'off', version: 4 }] };
    expect((await assign('f')).experiment).toBeUndefined();
    expect(before).toMatchObject({ experiment: { arm: 'short' }, flag: { version: 3 } });
  });

  it('is none where no A/B experiment of the kind runs, and no flag is evaluated', async () => {
    const shadow = assignment({ experiments: [{ ...experiment, mode: 'shadow' }] });
    expect(await shadow.assign('f')).toBe(settings);
    const otherKind = assignment({ experiments: [{ ...experiment, playbook: 'other' }] });
    expect(await otherKind.assign('f')).toBe(settings);
  });
});

describe('the provider of flags', () => {
  const client = async (changes: Partial<RolloutView>) => {
    domains += 1;
    const provider = new FlagProvider({ current: () => ({ ...view, ...changes }) });
    await OpenFeature.setProviderAndWait(`test.${domains}`, provider);
    return OpenFeature.getClient(`test.${domains}`);
  };

  it('answers a flag that is no experiment with its variant (S4-52)', async () => {
    const flags = await client({
      flags: [
        { ...flag, name: 'checks', variant: 'strict' },
        { ...flag, name: 'calm' },
      ],
    });
    expect(await flags.getStringDetails('checks', 'usual')).toMatchObject({
      value: 'strict',
      reason: 'STATIC',
    });
    expect(await flags.getBooleanDetails('calm', false)).toMatchObject({ value: true, reason: 'STATIC' });
    expect(await flags.getBooleanDetails('checks', false)).toMatchObject({
      value: false,
      errorCode: 'TYPE_MISMATCH',
    });
    expect(await flags.getNumberDetails('checks', 7)).toMatchObject({ value: 7, errorCode: 'TYPE_MISMATCH' });
    expect(await flags.getObjectDetails('checks', {})).toMatchObject({
      value: {},
      errorCode: 'TYPE_MISMATCH',
    });
  });

  it('answers the default with the reason for a stale copy, an unknown flag and a missing key', async () => {
    const stale = await client({ stale: true });
    expect(await stale.getBooleanDetails(FLAG, true)).toMatchObject({ value: true, reason: 'STALE' });
    const fresh = await client({});
    expect(await fresh.getStringDetails('none', 'x')).toMatchObject({
      value: 'x',
      errorCode: 'FLAG_NOT_FOUND',
    });
    expect(await fresh.getStringDetails(FLAG, 'x')).toMatchObject({
      value: 'x',
      errorCode: 'TARGETING_KEY_MISSING',
    });
  });
});
