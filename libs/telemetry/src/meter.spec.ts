import { createTelemetry, METRICS, startSdk } from './index.js';

describe('telemetry', () => {
  it('shows what was counted, measured and asked for as Prometheus text', async () => {
    const sdk = await startSdk({ service: 'test', otlpEndpoint: null });
    const telemetry = createTelemetry();
    telemetry.count(METRICS.verdicts, { disposition: 'act' }, 2);
    telemetry.measure(METRICS.stageDuration, 0.02, { stage: 'reason' });
    telemetry.gauge(METRICS.runsUnfinished, () => 7);
    const text = await sdk.prometheusText();
    expect(text).toMatch(/casefile_verdicts_total\{.*disposition="act".*\} 2/);
    expect(text).toMatch(/casefile_stage_duration_bucket\{.*stage="reason".*le="0.025".*\} 1/);
    expect(text).toMatch(/casefile_runs_unfinished\S* 7/);
    await sdk.stop();
  });

  it('marks a span by its exception and hands the exception on', async () => {
    const work = createTelemetry().span('x', {}, () => Promise.reject(new Error('boom')));
    await expect(work).rejects.toThrow('boom');
  });
});
