import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from './read-config.js';

describe('readConfig', () => {
  it('needs nothing: embedded database, heuristics, loopback', () => {
    const config = readConfig({});
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
    expect(() => readConfig(wrong)).toThrow(
      /DATABASE_URL: expected postgres[\s\S]*REASONER_PORT[\s\S]*LOG_LEVEL/,
    );
    expect(() => readConfig(wrong)).not.toThrow(/secret-value/);
  });

  it('S1-62 refuses an unsupported provider and lists the known ones', () => {
    expect(() => readConfig({ LLM_PROVIDER: 'nobody' })).toThrow(/"nobody".*openai.*gemini/);
  });

  it('S1-62 takes the provider that is named, or the first whose key is set', () => {
    expect(readConfig({ LLM_PROVIDER: 'openai', OPENAI_API_KEY: 'k' }).provider?.entry.name).toBe('openai');
    expect(readConfig({ GEMINI_API_KEY: 'k' }).provider?.entry.name).toBe('gemini');
    expect(readConfig({ OPENAI_API_KEY: 'k', LLM_PROVIDER: 'none' }).provider).toBeNull();
  });

  it('lays a file over the shipped figures key by key, and refuses keys that mean nothing', () => {
    const dir = mkdtempSync(join(tmpdir(), 'casefile-config-'));
    const good = join(dir, 'good.yaml');
    writeFileSync(good, 'lease: { seconds: 9 }\n');
    const { settings } = readConfig({ CASEFILE_CONFIG: good });
    expect(settings.lease).toEqual({ seconds: 9, maxCrashes: 3, crashWindowHours: 72 });
    const bad = join(dir, 'bad.yaml');
    writeFileSync(bad, 'lease: { secnods: 9 }\n');
    expect(() => readConfig({ CASEFILE_CONFIG: bad })).toThrow(/lease/);
  });

  it('refuses to listen beyond loopback unless the network is trusted', () => {
    expect(() => readConfig({ HOST: '0.0.0.0' })).toThrow(/HOST: expected a loopback address/);
    expect(readConfig({ HOST: '0.0.0.0', CASEFILE_TRUST_NETWORK: 'on' }).host).toBe('0.0.0.0');
  });
});
