import { InvalidInput } from '@casefile/contracts';
import { DEFAULT_TAGS } from './reasoning-tags.js';
import {
  encouragesReasoning,
  firstProviderWithKey,
  readProviderTable,
  resolveProvider,
} from './provider-table.js';

const table = readProviderTable();
const NAMES = [
  'openai',
  'gemini',
  'grok',
  'anthropic',
  'deepseek',
  'openai-responses',
  'groq',
  'openrouter',
  'vllm',
  'ollama',
  'simulator',
];
const own = {
  protocol: 'openai-chat',
  baseUrl: 'http://llm.internal:8000/v1',
  model: 'own-7b',
  keyVariable: null,
};

function problemsOf(overrides: unknown): string[] {
  try {
    readProviderTable(overrides);
  } catch (error) {
    if (error instanceof InvalidInput) return error.problems.map((problem) => problem.path);
    throw error;
  }
  return [];
}

describe('readProviderTable', () => {
  it('S2-02 ships its providers, each complete', () => {
    expect([...table.keys()]).toEqual(NAMES);
    expect(table.get('openai')).toMatchObject({
      name: 'openai',
      protocol: 'openai-chat',
      keyVariable: 'OPENAI_API_KEY',
    });
    expect(table.get('openai')?.reasoningParams).toBeUndefined();
    expect(table.get('grok')).toMatchObject({ enableReasoning: true });
    expect(table.get('grok')?.reasoningParams).toBeUndefined();
    expect(table.get('gemini')).toMatchObject({ enableReasoning: false });
    const thinkingConfig = { includeThoughts: true, thinkingBudget: 2000 };
    expect(table.get('gemini')).toMatchObject({ protocol: 'gemini', reasoningParams: { thinkingConfig } });
    expect(table.get('openai-responses')).toMatchObject({ protocol: 'openai-responses' });
    expect(table.get('anthropic')).toMatchObject({
      protocol: 'anthropic',
      reasoningParams: { thinking: { type: 'adaptive', display: 'summarized' } },
    });
  });

  it('S2-01 adds a server by configuration alone, with every default', () => {
    expect(readProviderTable({ 'own-server': own }).get('own-server')).toEqual({
      ...own,
      name: 'own-server',
      reasoningTags: DEFAULT_TAGS,
      stream: false,
      sendsBack: ['reasoning_content', 'reasoning_details', 'encrypted_content'],
      structuredOutput: 'none',
      strictTools: false,
      promptCache: false,
      maxTokensField: 'max_tokens',
      sendsTemperature: true,
      prices: {},
      priceList: null,
      timeoutMs: 60_000,
      limits: {
        concurrency: null,
        requestsPerMinute: null,
        tokensPerMinute: null,
        responseBytes: 2_000_000,
      },
    });
  });

  it('S2-01 lays configuration over a shipped provider key by key', () => {
    const changed = readProviderTable({
      simulator: { model: 'other', limits: { responseBytes: 5_000 } },
    }).get('simulator');
    expect(changed).toMatchObject({
      model: 'other',
      keyVariable: null,
      baseUrl: table.get('simulator')?.baseUrl,
    });
    expect(changed?.limits).toEqual({
      concurrency: null,
      requestsPerMinute: null,
      tokensPerMinute: null,
      responseBytes: 5_000,
    });
  });

  it.each([
    ['an unknown protocol', { own: { ...own, protocol: 'smtp' } }, 'providers.own.protocol'],
    ['a URL that is none', { own: { ...own, baseUrl: 'nowhere' } }, 'providers.own.baseUrl'],
    ['a file', { own: { ...own, baseUrl: 'file:///etc/passwd' } }, 'providers.own.baseUrl'],
    ['a missing model', { own: { ...own, model: undefined } }, 'providers.own.model'],
    [
      'a key in place of its variable',
      { own: { ...own, keyVariable: 'sk-123' } },
      'providers.own.keyVariable',
    ],
    [
      'a tag with brackets',
      { own: { ...own, reasoningTags: ['<think>'] } },
      'providers.own.reasoningTags[0]',
    ],
    ['no timeout', { own: { ...own, timeoutMs: 0 } }, 'providers.own.timeoutMs'],
    ['an unknown key', { openai: { modle: 'x' } }, 'providers.openai'],
    ['a wrong limit', { openai: { limits: { concurrency: 'many' } } }, 'providers.openai.limits.concurrency'],
    ['an entry that is a text', { openai: 'gpt' }, 'providers.openai'],
    ['the name none', { none: own }, 'providers.none'],
    ['a list', [], 'providers'],
  ])('S2-01 names the field: %s', (_what, overrides, path) => {
    expect(problemsOf(overrides)).toEqual([path]);
  });
});

describe('resolveProvider', () => {
  const openai = { OPENAI_API_KEY: 'sk-1' };

  it.each(['none', 'demonstration'])(
    'keeps the name %s, which means something else, from being a provider',
    (name) => {
      expect(() => readProviderTable({ [name]: { protocol: 'openai-chat' } })).toThrow(/not valid|provider/);
    },
  );

  it.each(['opnai', '', 'constructor', '__proto__', 'none'])(
    'S1-62 S2-05 refuses the unknown name "%s" and lists the known',
    (name) => {
      expect(() => resolveProvider({ table, name, env: {} })).toThrow(
        expect.objectContaining({
          reasonCode: 'unknown_provider',
          message: expect.stringContaining([...NAMES, 'none'].join(', ')),
        }),
      );
    },
  );

  it('S1-62 finds the key, and names the variable when it is not set', () => {
    expect(resolveProvider({ table, name: 'openai', env: openai })).toMatchObject({ apiKey: 'sk-1' });
    expect(resolveProvider({ table, name: 'gemini', env: { GEMINI_API_KEY: 'g' } })).toMatchObject({
      apiKey: 'g',
    });
    expect(() => resolveProvider({ table, name: 'grok', env: { XAI_API_KEY: ' ' } })).toThrow(/XAI_API_KEY/);
  });

  it.each([
    ['the entry', {}, undefined, 'https://api.openai.com/v1'],
    ["the provider's own variable", { OPENAI_BASE_URL: 'http://own:1/v1/' }, undefined, 'http://own:1/v1'],
    [
      'LLM_BASE_URL',
      { OPENAI_BASE_URL: 'http://own:1/v1', LLM_BASE_URL: 'http://any:2/v1' },
      undefined,
      'http://any:2/v1',
    ],
    ['the argument', { LLM_BASE_URL: 'http://any:2/v1' }, 'http://arg:3/v1', 'http://arg:3/v1'],
  ])('takes the base URL from %s', (_what, env, baseUrl, expected) => {
    expect(
      resolveProvider({ table, name: 'openai', env: { ...openai, ...env }, baseUrl }).entry.baseUrl,
    ).toBe(expected);
  });

  it('names a base URL that is none', () => {
    expect(() => resolveProvider({ table, name: 'openai', env: openai, baseUrl: 'nowhere' })).toThrow(
      /baseUrl/,
    );
  });

  it('lets an own server go without a key, with a warning', () => {
    const resolved = resolveProvider({ table, name: 'gemini', env: {}, baseUrl: 'http://127.0.0.1:1/v1' });
    expect(resolved.apiKey).toBeNull();
    expect(resolved.warnings).toEqual([expect.stringContaining('GEMINI_API_KEY')]);
  });

  it('takes the model from LLM_MODEL', () => {
    const env = { ...openai, LLM_MODEL: 'gpt-other' };
    expect(resolveProvider({ table, name: 'openai', env }).entry.model).toBe('gpt-other');
    expect(resolveProvider({ table, name: 'openai', env, model: 'gpt-named' }).entry.model).toBe('gpt-named');
  });

  it('S2-05 warns once about a provider without a reasoning entry, and of no other', () => {
    const { warnings } = resolveProvider({ table, name: 'openai', env: openai });
    expect(warnings).toEqual([expect.stringContaining('no reasoning configuration')]);
    expect(resolveProvider({ table, name: 'simulator', env: {} }).warnings).toEqual([]);
  });
});

describe('encouragesReasoning', () => {
  it.each([
    ['grok', true],
    ['gemini', false],
    ['openai', false],
  ])('S2-03 is for %s: %s', (name, expected) => {
    const { entry } = resolveProvider({ table, name, env: {}, baseUrl: 'http://127.0.0.1:1/v1' });
    expect(encouragesReasoning(entry)).toBe(expected);
  });
});

describe('what is said about wrong configuration', () => {
  const secret = 'sk-live-0123456789';

  it.each([
    ['a key as protocol', { own: { ...own, protocol: secret } }],
    ['a key as base URL', { own: { ...own, baseUrl: secret } }],
    ['a key as variable', { own: { ...own, keyVariable: secret } }],
    ['a key as tag', { own: { ...own, reasoningTags: [`<${secret}>`] } }],
    ['a key as limit', { own: { ...own, limits: { concurrency: secret } } }],
    ['a key as price', { own: { ...own, prices: { m: { input: secret, output: 1 } } } }],
    ['a key as entry', { own: secret }],
    ['a key as table', secret],
  ])('S2-01 prints no value: %s', (_what, overrides) => {
    let said = '';
    try {
      readProviderTable(overrides);
    } catch (thrown) {
      said = `${String(thrown)} ${JSON.stringify(thrown)}`;
    }
    expect(said).toContain('provider table');
    expect(said).not.toContain(secret);
  });

  it('S2-05 prints no value: a key as name of the provider', () => {
    expect(() => resolveProvider({ table, name: secret, env: {} })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining(secret) }),
    );
  });
});

describe('firstProviderWithKey', () => {
  it('takes the first whose key is set, never one that needs none', () => {
    expect(firstProviderWithKey(table, {})).toBe('none');
    expect(firstProviderWithKey(table, { OPENAI_API_KEY: '' })).toBe('none');
    expect(firstProviderWithKey(table, { XAI_API_KEY: 'x', DEEPSEEK_API_KEY: 'd' })).toBe('grok');
  });
});
