import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { metricInfo } from '../../libs/telemetry/src/metric-info.js';
import { METRICS } from '../../libs/telemetry/src/names.js';
import { createTelemetry } from '../../libs/telemetry/src/meter.js';
import { startSdk } from '../../libs/telemetry/src/sdk.js';
import { root } from '../root.mjs';

const { groups } = parse(readFileSync(join(root, 'k8s/monitoring/alerts.yaml'), 'utf8'));
const rules = groups.flatMap((group) => group.rules);
const NAME = /\b(?:casefile|gen_ai)_[a-z_]+/g;

describe('S4-37 the alert rules', () => {
  it('name only metrics and labels that are emitted', async () => {
    const sdk = await startSdk({ service: 'spec', otlpEndpoint: null });
    const telemetry = createTelemetry();
    const counters = new Set(['drafts', 'draftFallbacks', 'unreadableAnswers']);
    for (const [key, name] of Object.entries(METRICS)) {
      if (counters.has(key)) telemetry.count(name);
      else if (/^(check|draft)/.test(key)) telemetry.measure(name, 1);
    }
    const emitted = new Set((await sdk.prometheusText()).match(NAME));
    await sdk.stop();
    const named = rules.flatMap(({ expr }) => expr.match(NAME));
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !emitted.has(name))).toEqual([]);
    expect(metricInfo(METRICS.checkTokens).unit).toBe('{token}');
  });

  it('have a name of their own, a severity, and say what it is about', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { labels, annotations, for: lasting } of rules) {
      expect(labels.severity).toMatch(/^(warning|critical)$/);
      expect([annotations.summary, annotations.description].every(Boolean)).toBe(true);
      expect(lasting).toMatch(/^\d+m$/);
    }
  });

  it('speak up where the mean of a criterion passes 6,000 tokens or $0.05', () => {
    const expr = Object.fromEntries(rules.map((rule) => [rule.alert, rule.expr]));
    expect(expr.CasefileCheckTokensHigh).toMatch(
      /casefile_check_tokens_sum[^]*casefile_check_tokens_count[^]*> 6000/,
    );
    expect(expr.CasefileCheckCostHigh).toMatch(
      /casefile_check_cost_usd_sum[^]*casefile_check_cost_usd_count[^]*> 0\.05/,
    );
  });
});
