import { metrics, SpanStatusCode, trace, type Counter, type Histogram } from '@opentelemetry/api';
import type { Labels, Telemetry } from '@casefile/contracts';
import { BUCKETS, METRICS, TRACER } from './names.js';

/** The Telemetry port over the OpenTelemetry API: silent until an SDK is started. */
export function createTelemetry(): Telemetry {
  const meter = metrics.getMeter(TRACER);
  const tracer = trace.getTracer(TRACER);
  const counters = new Map<string, Counter>();
  const histograms = new Map<string, Histogram>();
  return {
    span: (name, attributes, work) =>
      tracer.startActiveSpan(name, { attributes }, async (span) => {
        try {
          return await work();
        } catch (error) {
          span.recordException(error instanceof Error ? error : String(error));
          span.setStatus({ code: SpanStatusCode.ERROR });
          throw error;
        } finally {
          span.end();
        }
      }),
    count: (name, labels, by = 1) => once(counters, name, () => meter.createCounter(name)).add(by, labels),
    measure: (name, value, labels) =>
      once(histograms, name, () =>
        meter.createHistogram(name, { advice: { explicitBucketBoundaries: bucketsOf(name) } }),
      ).record(value, labels),
    gauge: (name, read, labels?: Labels) => {
      const gauge = meter.createObservableGauge(name);
      const observe = async (result: { observe(value: number, labels?: Labels): void }) =>
        result.observe(await read(), labels);
      gauge.addCallback(observe);
      return () => gauge.removeCallback(observe);
    },
  };
}

function once<T>(made: Map<string, T>, name: string, make: () => T): T {
  const known = made.get(name) ?? make();
  made.set(name, known);
  return known;
}

function bucketsOf(name: string): number[] {
  return [...(name === METRICS.modelDuration ? BUCKETS.model : BUCKETS.fast)];
}
