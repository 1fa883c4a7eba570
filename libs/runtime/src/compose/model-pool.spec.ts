import { noTelemetry, silentLogger } from '@casefile/contracts';
import { kinds } from '@casefile/shipped/loaded';
import { aRunSettings, manualClock } from '@casefile/contracts/testing';
import { readConfig } from '../config/read-config.js';
import { aQuestion } from '@casefile/engine/testing';
import { ModelPool } from './model-pool.js';

function poolOf(env: Record<string, string>): ModelPool {
  const { providerNamed } = readConfig(env, kinds);
  return new ModelPool({ providerNamed, clock: manualClock(), log: silentLogger, telemetry: noTelemetry });
}
const KEYS = { LLM_PROVIDER: 'openai', OPENAI_API_KEY: 'k', XAI_API_KEY: 'k' };
const namesOf = (route: ReturnType<ModelPool['routeOf']>) =>
  route?.ways.map(({ model, route: how }) => [how, model.provider, model.model]);

describe('the models of a run', () => {
  it('are those of its frozen settings: its own, then its list, and a cheaper one', () => {
    const route = poolOf(KEYS).routeOf(
      aRunSettings({
        provider: 'openai',
        model: 'frozen-1',
        fallbackProviders: ['grok'],
        cheaperModel: 'small',
      }),
    );
    expect(namesOf(route)).toEqual([
      ['first', 'openai', 'frozen-1'],
      ['fallback', 'grok', 'grok-4-1-fast'],
    ]);
    expect(route?.cheaper?.model).toMatchObject({ provider: 'openai', model: 'small' });
  });

  it('leave out a provider that cannot be used here any more', () => {
    const settings = aRunSettings({ provider: 'gone', fallbackProviders: ['gemini', 'grok'] });
    expect(namesOf(poolOf(KEYS).routeOf(settings))?.map(([, provider]) => provider)).toEqual(['grok']);
    expect(poolOf(KEYS).routeOf(aRunSettings({ provider: 'gone' }))).toBeNull();
    expect(poolOf(KEYS).routeOf(aRunSettings({ provider: 'none' }))).toBeNull();
  });

  it('S2-03 S2-01 have limits, prices and the encouragement of their entry', () => {
    const grok = poolOf(KEYS).model('grok')!;
    expect(grok.enableReasoning).toBe(true);
    expect(poolOf(KEYS).model('openai')?.enableReasoning).toBe(false);
    expect(grok.limits).toEqual({ concurrency: null, requestsPerMinute: null, tokensPerMinute: null });
    const { tokens, usd } = grok.worstCase(aQuestion);
    expect(tokens).toBeGreaterThan(10);
    expect(usd).toBeGreaterThan(0);
  });

  it('S2-06 reserve room for thoughts in addition to the answer', () => {
    const pool = poolOf({ LLM_PROVIDER: 'gemini', GEMINI_API_KEY: 'k' });
    const worst = (request = aQuestion) => pool.model('gemini')!.worstCase(request);
    expect(worst().tokens - worst({ ...aQuestion, reasoning: false }).tokens).toBe(2_500 - 512);
    expect(worst().usd! - worst({ ...aQuestion, reasoning: false }).usd!).toBeCloseTo(1_988 * 7.5e-6, 9);
  });

  it('are made once', () => {
    const pool = poolOf(KEYS);
    expect(pool.model('grok')).toBe(pool.model('grok'));
  });
});
