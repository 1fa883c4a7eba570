import { createTelemetry, METRICS, startSdk } from './index.js';

const BUILD = { version: '9.8.7', instanceId: 'one' };

describe('telemetry', () => {
  it('shows what was counted, measured and asked for as Prometheus text', async () => {
    const sdk = await startSdk({ ...BUILD, service: 'test', otlpEndpoint: null });
    const telemetry = createTelemetry();
    telemetry.count(METRICS.verdicts, { disposition: 'act' }, 2);
    telemetry.measure(METRICS.stageDuration, 0.02, { stage: 'reason' });
    telemetry.gauge(METRICS.runsUnfinished, () => 7);
    const text = await sdk.prometheusText();
    expect(text).toMatch(/casefile_verdicts_total\{.*disposition="act".*\} 2/);
    expect(text).toMatch(/casefile_stage_duration_seconds_bucket\{.*stage="reason".*le="0.025".*\} 1/);
    expect(text).toMatch(/casefile_runs_unfinished\S* 7/);
    expect(text).toContain(
      '# HELP casefile_stage_duration_seconds Time that a worker took for a step of a stage.',
    );
    expect(text).toMatch(/target_info\{[^}]*service_name="test"/);
    for (const label of ['service_version="9.8.7"', 'service_instance_id="one"'])
      expect(/target_info\{[^}]*\}/.exec(text)?.[0]).toContain(label);
    await sdk.stop();
  });

  it('U14 shows a value for each of several labels, and the unit at the end of a name', async () => {
    const sdk = await startSdk({ ...BUILD, service: 'casefile', metricsOf: 'console', otlpEndpoint: null });
    const telemetry = createTelemetry();
    const read = () => ['a', 'b'].map((provider, value) => ({ value, labels: { provider } }));
    telemetry.gauge(METRICS.providerCircuit, read);
    telemetry.count(METRICS.modelCost, {}, 0.25);
    const text = await sdk.prometheusText('console');
    expect(text).toMatch(/casefile_provider_circuit\{provider="a".*\} 0\n/);
    expect(text).toMatch(/casefile_provider_circuit\{provider="b".*\} 1\n/);
    expect(text).toMatch(/casefile_model_cost_usd_total\S* 0.25\n/);
    expect(await sdk.prometheusText('ingest')).toMatch(/^# The metrics .* console\.\n$/);
    await sdk.stop();
  });

  it('marks a span by its exception and hands the exception on', async () => {
    const work = createTelemetry().span('x', {}, () => Promise.reject(new Error('boom')));
    await expect(work).rejects.toThrow('boom');
  });
});
