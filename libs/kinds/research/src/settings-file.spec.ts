import { InvalidInput } from '@casefile/contracts';
import { options } from './options.js';
import { readSettingsFile } from './settings-file.js';

const problems = (file: unknown) => {
  try {
    readSettingsFile(file);
    return [];
  } catch (error) {
    return (error as InvalidInput).problems.map(({ path }) => path);
  }
};

describe('the options of a research', () => {
  it('S5-01 are these where nothing is said', () => {
    expect(options.read(options.defaults)).toMatchObject({
      enabled: true,
      maxRounds: 3,
      analystTimeoutMs: 60_000,
      criticTimeoutMs: 30_000,
      writerTimeoutMs: 45_000,
    });
  });

  it('S5-03 take for each mode what it is to take', () => {
    expect(options.read(options.defaults).modes).toEqual({
      strict: { maxTier: 2 },
      discovery: { maxTier: 5 },
      monitor: { maxTier: 5, compareTiers: [1, 5] },
    });
  });
});

describe('a file of settings of the user', () => {
  const own = {
    reasoning: {
      enabled: '25%',
      max_iterations: 2,
      analyst_timeout: 90,
      critic_timeout: 20,
      writer_timeout: 30,
    },
    source_tiers: {
      1: ['中央社', { name: '公視', type: 'official', domain: 'pts.org.tw' }],
      5: ['PTT'],
      鏡週刊: { tier: 3, type: 'digital' },
    },
    mode_configs: { strict: { max_tier: 1 }, monitor: { compare_tiers: [1, 3] } },
    retrieval: { engines: ['exa'] },
  };

  it('S5-01 is taken as it is, in snake_case or camelCase', () => {
    const read = readSettingsFile(own);
    expect(options.read({ ...options.defaults, ...read })).toMatchObject({
      enabled: 25,
      maxRounds: 2,
      analystTimeoutMs: 90_000,
      modes: { strict: { maxTier: 1 }, discovery: { maxTier: 5 }, monitor: { compareTiers: [1, 3] } },
      sourceTiers: [
        { name: '中央社', tier: 1, type: 'official', domains: [] },
        { name: '公視', tier: 1, type: 'official', domains: ['pts.org.tw'] },
        { name: 'PTT', tier: 5, type: 'social', domains: [] },
        { name: '鏡週刊', tier: 3, type: 'digital', domains: [] },
      ],
    });
    const camel = {
      reasoning: { enabled: true, maxIterations: 2, analystTimeout: 90 },
      sourceTiers: own.source_tiers,
      modeConfigs: { strict: { maxTier: 1 } },
    };
    expect(readSettingsFile(camel)).toMatchObject({
      maxRounds: 2,
      analystTimeoutMs: 90_000,
      modes: { strict: { maxTier: 1 } },
    });
  });

  it.each([
    [
      'a tier that is none',
      { source_tiers: { 中央社: { tier: 6, type: 'official' } } },
      'source_tiers.中央社.tier',
    ],
    ['a name twice', { source_tiers: { 1: ['台視'], 2: ['臺視'] } }, 'source_tiers'],
    ['an unknown mode', { mode_configs: { loose: { max_tier: 2 } } }, 'mode_configs.loose'],
    [
      'one tier to compare',
      { mode_configs: { monitor: { compare_tiers: [1] } } },
      'mode_configs.monitor.compare_tiers',
    ],
    ['rounds that are none', { reasoning: { max_iterations: 0 } }, 'reasoning.max_iterations'],
    ['a time that is none', { reasoning: { analyst_timeout: 'long' } }, 'reasoning.analyst_timeout'],
  ])('S5-01 with %s is refused by its key', (_what, file, path) => {
    expect(problems(file)).toEqual(expect.arrayContaining([path]));
  });
});
