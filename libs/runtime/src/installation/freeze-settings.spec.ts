import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { noTelemetry, runSettingsSchema, silentLogger } from '@casefile/contracts';
import { manualClock, temporaryFolder } from '@casefile/contracts/testing';
import { playbookNamed } from '@casefile/pipeline';
import { kinds, playbooks } from '@casefile/shipped/loaded';
import { ModelPool } from '../compose/model-pool.js';
import { readConfig } from '../config/read-config.js';
import { describeInstallation } from './describe-installation.js';
import { freezeSettings } from './freeze-settings.js';

const frozen = (env: Record<string, string>) =>
  freezeSettings(
    playbookNamed('policy-check', playbooks),
    describeInstallation(readConfig({ LLM_PROVIDER: 'none', ...env }, kinds)),
  );

describe('the settings a run is frozen with', () => {
  it('S4-33 hold a check to its limits in production, and let it pass them with a warning elsewhere', () => {
    expect(frozen({}).options['limitMode']).toBe('soft');
    expect(frozen({ NODE_ENV: 'development' }).options['limitMode']).toBe('soft');
    expect(frozen({ NODE_ENV: 'production' }).options).toMatchObject({
      limitMode: 'hard',
      tokenLimit: 6_000,
    });
  });

  it('S4-20 name the prompt of a controller', () => {
    expect(frozen({})).toMatchObject({
      strategy: 'react',
      promptIds: { controller: 'policy-check/react@2' },
    });
  });
});

describe('T-61 the tools that a data source brings', () => {
  const installation = describeInstallation(readConfig({ LLM_PROVIDER: 'none' }, kinds));
  const server = { timeline: [], required: [], forAlerts: {}, pins: {}, kinds: ['research'] };
  const toolServers = [
    { ...server, name: 'web', allow: ['find', 'health'], searches: ['find'] },
    { ...server, name: 'wiki', allow: ['search'], searches: [] },
    { ...server, name: 'logs', allow: ['search'], searches: ['search'], kinds: ['incident'] },
    { ...server, name: 'hub', allow: ['events', 'pages'], searches: [], timeline: ['events'] },
  ];

  it('are a search if the source declares it, whatever their names', () => {
    const settings = freezeSettings({ name: 'research' }, { ...installation, toolServers });
    expect(settings.tools).toEqual(expect.arrayContaining(['web__find', 'web__health', 'wiki__search']));
    expect(settings.searches).toEqual(['web__find']);
    expect(settings.timeline).toEqual(['hub__events']);
  });
});

/** Returns the shipped configuration, overridden by this YAML. */
function configOf(yaml: string, env: Record<string, string> = {}) {
  const path = join(temporaryFolder('config'), 'own.yaml');
  writeFileSync(path, yaml);
  return readConfig({ LLM_PROVIDER: 'none', CASEFILE_CONFIG: path, ...env }, kinds);
}
const KEYS = { OPENAI_API_KEY: 'k', GEMINI_API_KEY: 'k', XAI_API_KEY: 'k' };
const OPENAI = { ...KEYS, LLM_PROVIDER: 'openai', LLM_MODEL: 'gpt-of-mine', LLM_FALLBACK: 'gemini,grok' };

describe('S2-07 the settings of a playbook in the configuration', () => {
  const of = (name: string, yaml: string, env: Record<string, string> = OPENAI) =>
    freezeSettings(playbookNamed(name, playbooks), describeInstallation(configOf(yaml, env)));

  it('name its provider, models, strategy, reasoning, deadline and its own options, and are frozen in the run', () => {
    const yaml = `playbooks:
      policy-check: { provider: gemini, models: { high: big, low: small }, reasoning: { answer: false }, tokenLimit: 9000 }
      message-screening: { strategy: rules, deadlineMs: 4000 }`;
    const check = of('policy-check', yaml);
    expect(check).toMatchObject({
      provider: 'gemini',
      model: 'big',
      lowModel: 'small',
      cheaperModel: 'small',
      strategy: 'react',
      fallbackProviders: ['grok'],
      reasoning: { answer: false },
      options: { tokenLimit: 9_000 },
    });
    expect(check.options).not.toHaveProperty('models');
    expect(of('message-screening', yaml)).toMatchObject({
      provider: 'openai',
      model: 'gpt-of-mine',
      strategy: 'rules',
      fallbackProviders: ['gemini', 'grok'],
      options: { deadlineMs: 4_000 },
    });
    expect(runSettingsSchema.parse(check)).toEqual(check);
  });

  it('give a playbook a model where all others go without, and none where the others have one', () => {
    const yaml = 'playbooks: { policy-check: { provider: gemini }, scam-verdict: { provider: none } }';
    expect(of('policy-check', yaml, { ...KEYS, LLM_PROVIDER: 'none' })).toMatchObject({
      provider: 'gemini',
      model: 'gemini-flash-latest',
    });
    expect(of('scam-verdict', yaml)).toMatchObject({ provider: 'none', model: 'none' });
  });

  it('switch reasoning off for scam-verdict by default, and on again where that is wanted', () => {
    expect(of('scam-verdict', '{}').reasoning).toBe(false);
    expect(of('scam-verdict', 'playbooks: { scam-verdict: { reasoning: true } }').reasoning).toBe(true);
    expect(of('policy-check', '{}')).not.toHaveProperty('reasoning');
  });

  it.each([
    [
      '{ scam-verdict: { strategy: guess } }',
      /- playbooks\.scam-verdict\.strategy: expected one of single-shot, heuristic/,
    ],
    [
      '{ scam-verdict: { provider: nobody } }',
      /- playbooks\.scam-verdict\.provider: expected one of openai, gemini, .*none/,
    ],
    [
      '{ scam-verdict: { provider: anthropic } }',
      /- playbooks\.scam-verdict\.provider: .*set ANTHROPIC_API_KEY/,
    ],
    ['{ fraud: {} }', /- playbooks\.fraud: there is no such playbook; expected one of scam-verdict, /],
    ['{ scam-verdict: { models: { high: 5 } } }', /playbooks\.scam-verdict\.models\.high/],
    ['{ scam-verdict: { models: { medium: m } } }', /playbooks\.scam-verdict\.models/],
    ['{ scam-verdict: { reasoning: { answers: true } } }', /playbooks\.scam-verdict\.reasoning/],
    ['{ scam-verdict: { deadlineMs: soon } }', /playbooks\.scam-verdict\.deadlineMs/],
  ])('are refused by their path where they are wrong: %s', (playbooks, problem) => {
    expect(() => configOf(`playbooks: ${playbooks}`, OPENAI)).toThrow(problem);
  });

  it('are checked for prices where a budget counts money', () => {
    const yaml = 'budgets: { day: { usd: 5 } }\nplaybooks: { policy-check: { models: { low: unheard-of } } }';
    expect(() => configOf(yaml, OPENAI)).toThrow(/the price of openai\/unheard-of is not known/);
  });

  it('are served by the pool run by run, also several providers at once and where the first is none', () => {
    const yaml =
      'playbooks: { policy-check: { provider: gemini, models: { low: small } }, scam-verdict: { provider: grok } }';
    const config = configOf(yaml, { ...KEYS, LLM_PROVIDER: 'none' });
    const { providerNamed } = config;
    const pool = new ModelPool({
      providerNamed,
      clock: manualClock(),
      log: silentLogger,
      telemetry: noTelemetry,
    });
    const routeOf = (name: string) =>
      pool.routeOf(freezeSettings(playbookNamed(name, playbooks), describeInstallation(config)));
    expect(routeOf('policy-check')?.ways.map(({ model }) => model.provider)).toEqual(['gemini']);
    expect(routeOf('policy-check')?.low?.model).toMatchObject({ provider: 'gemini', model: 'small' });
    expect(routeOf('scam-verdict')?.ways.map(({ model }) => model.provider)).toEqual(['grok']);
    expect(routeOf('message-screening')).toBeNull();
  });
});
