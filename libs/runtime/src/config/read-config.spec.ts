import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import { kinds } from '@casefile/shipped/loaded';
import { accessOf } from '@casefile/evidence';
import { readAddresses, readConfig } from './read-config.js';

function fileWith(yaml: string): string {
  const path = join(temporaryFolder('config'), 'own.yaml');
  writeFileSync(path, yaml);
  return path;
}

describe('readConfig', () => {
  it('needs nothing: embedded database, heuristics, loopback', () => {
    const config = readConfig({}, kinds);
    expect(config).toMatchObject({
      databaseUrl: null,
      queueUrl: null,
      provider: null,
      host: '127.0.0.1',
      samples: true,
    });
    expect(config.ports).toMatchObject({ console: 3000, ingest: 3001 });
  });

  it('names every wrong variable and prints no value', () => {
    const wrong = { DATABASE_URL: 'secret-value', REASONER_PORT: 'x', LOG_LEVEL: 'loud' };
    expect(() => readConfig(wrong, kinds)).toThrow(
      /DATABASE_URL: expected postgres[\s\S]*REASONER_PORT[\s\S]*LOG_LEVEL/,
    );
    expect(() => readConfig(wrong, kinds)).not.toThrow(/secret-value/);
  });

  it('S1-13 asks the public RDAP service for the age of domains, another one, or none', () => {
    const rdapOf = (RDAP_BASE_URL: string) =>
      accessOf(readConfig({ RDAP_BASE_URL }, kinds).toolEnvironment).rdap;
    expect(rdapOf('')).toEqual({ baseUrl: 'https://rdap.org', byDefault: true });
    expect(rdapOf('http://rdap.internal.example')).toEqual({
      baseUrl: 'http://rdap.internal.example',
      byDefault: false,
    });
    expect(rdapOf('off')).toEqual({});
    expect(() => rdapOf('of')).toThrow(/RDAP_BASE_URL: expected a URL/);
  });

  it('S1-62 refuses an unsupported provider and lists the known ones', () => {
    expect(() => readConfig({ LLM_PROVIDER: 'nobody' }, kinds)).toThrow(/unknown provider.*openai.*gemini/);
  });

  it('S1-62 takes the provider that is named, or the first whose key is set', () => {
    expect(readConfig({ LLM_PROVIDER: 'openai', OPENAI_API_KEY: 'k' }, kinds).provider?.entry.name).toBe(
      'openai',
    );
    expect(readConfig({ GEMINI_API_KEY: 'k' }, kinds).provider?.entry.name).toBe('gemini');
    expect(readConfig({ OPENAI_API_KEY: 'k', LLM_PROVIDER: 'none' }, kinds).provider).toBeNull();
  });

  it('takes the providers to turn to from the file or LLM_FALLBACK, in their order, each with its own model', () => {
    const keys = { LLM_PROVIDER: 'openai', OPENAI_API_KEY: 'k', XAI_API_KEY: 'k', LLM_MODEL: 'mine' };
    const config = readConfig({ ...keys, LLM_FALLBACK: 'vllm, grok,openai' }, kinds);
    expect(config.provider?.entry).toMatchObject({ name: 'openai', model: 'mine' });
    expect(config.fallbackProviders.map(({ entry }) => entry.name)).toEqual(['vllm', 'grok']);
    expect(config.fallbackProviders.some(({ entry }) => entry.model === 'mine')).toBe(false);
    const file = fileWith('providers: { fallback: [grok] }\n');
    expect(readConfig({ ...keys, CASEFILE_CONFIG: file }, kinds).fallbackProviders).toHaveLength(1);
    expect(() => readConfig({ ...keys, LLM_FALLBACK: 'nobody' }, kinds)).toThrow(/unknown provider/);
  });

  it('refuses to start when a budget counts money and the price of a model is not known, naming it', () => {
    const file = fileWith('budgets: { day: { usd: 5 } }\n');
    expect(() =>
      readConfig({ LLM_PROVIDER: 'vllm', LLM_MODEL: 'my-model', CASEFILE_CONFIG: file }, kinds),
    ).toThrow(/vllm\/my-model/);
    expect(() => readConfig({ LLM_PROVIDER: 'simulator', CASEFILE_CONFIG: file }, kinds)).not.toThrow();
    const tokens = fileWith('budgets: { day: { tokens: 5000 } }\n');
    expect(() => readConfig({ LLM_PROVIDER: 'vllm', CASEFILE_CONFIG: tokens }, kinds)).not.toThrow();
    const cheaper = fileWith('budgets: { case: { usd: 1 }, cheaperModel: unpriced }\n');
    const paid = { LLM_PROVIDER: 'openai', OPENAI_API_KEY: 'k', CASEFILE_CONFIG: cheaper };
    expect(() => readConfig(paid, kinds)).toThrow(/openai\/unpriced/);
  });

  it('refuses a budget of nothing, and names it', () => {
    const file = fileWith('budgets: { lane: { batch: { soft: 0.5 } } }\n');
    expect(() => readConfig({ CASEFILE_CONFIG: file }, kinds)).toThrow(/budgets\.lane\.batch/);
    const misspelt = fileWith('budgets: { lane: { bacth: { usd: 5 } } }\n');
    expect(() => readConfig({ CASEFILE_CONFIG: misspelt }, kinds)).toThrow(/budgets\.lane/);
  });

  it('lays a file over the shipped figures key by key, and refuses keys that mean nothing', () => {
    const dir = temporaryFolder('config');
    const good = join(dir, 'good.yaml');
    writeFileSync(good, 'lease: { seconds: 9 }\n');
    const { settings } = readConfig({ CASEFILE_CONFIG: good }, kinds);
    expect(settings.lease).toEqual({
      seconds: 9,
      maxCrashes: 3,
      crashWindowHours: 72,
      deadlinePauseMs: 15_000,
    });
    const bad = join(dir, 'bad.yaml');
    writeFileSync(bad, 'lease: { secnods: 9 }\n');
    expect(() => readConfig({ CASEFILE_CONFIG: bad }, kinds)).toThrow(/lease/);
  });

  it.each([
    [
      'tools: { find_sections: { timeoutMs: 9 } }',
      /tools\.find_sections: there is no such tool; .*sections_search/,
    ],
    [
      'evidence: { allowedHosts: { web: [a.example] } }',
      /evidence\.allowedHosts\.web: there is no such tool/,
    ],
    [
      'concurrency: { reasoner: { live: 1, bulk: 1 } }',
      /concurrency\.reasoner: there is no such stage; .*reason/,
    ],
    ['retention: { scam: { prompts: 30 } }', /retention\.scam: there is no such playbook/],
    [
      'budgets: { playbook: { default: { usd: 1 } } }',
      /budgets\.playbook\.default: there is no such playbook/,
    ],
    [
      'reviews: { answerWithinHours: { scam: 1 } }',
      /reviews\.answerWithinHours\.scam: there is no such playbook/,
    ],
  ])('refuses a name without meaning, which would silently change nothing: %s', (yaml, problem) => {
    expect(() => readConfig({ CASEFILE_CONFIG: fileWith(yaml) }, kinds)).toThrow(problem);
  });

  it('requires names of hosts if the network is trusted', () => {
    const trusted = { HOST: '0.0.0.0', CASEFILE_TRUST_NETWORK: 'on' };
    expect(() => readConfig(trusted, kinds)).toThrow(/CASEFILE_HOSTS: expected the names/);
    const named = readConfig({ ...trusted, CASEFILE_HOSTS: 'Console.example, ingest' }, kinds);
    expect([named.host, named.hosts]).toEqual(['0.0.0.0', ['console.example', 'ingest']]);
    expect(() => readConfig({ CASEFILE_HOSTS: 'http://console.example' }, kinds)).toThrow(/CASEFILE_HOSTS/);
  });

  it('reads addresses without the rest: a command that asks a running Casefile needs no keys', () => {
    const env = { LLM_PROVIDER: 'openai', CASEFILE_CONFIG: '/nonesuch.yaml', CONSOLE_PORT: '4000', HOST: '' };
    expect(() => readConfig(env, kinds)).toThrow();
    expect(readAddresses(env)).toEqual({ host: '127.0.0.1', ports: { console: 4000, ingest: 3001 } });
    expect(() => readAddresses({ CONSOLE_PORT: 'x' })).toThrow(/CONSOLE_PORT: expected a port/);
  });
});
