import {
  context,
  metrics,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Counter,
  type Histogram,
  type Link,
  isSpanContextValid,
  type SpanContext,
  type Tracer,
} from '@opentelemetry/api';
import { asCasefileError, type Labels, type Telemetry } from '@casefile/contracts';
import { metricInfo } from './metric-info.js';
import { ATTRIBUTES, BUCKETS, METRICS, SCHEMA_URL, TRACER } from './names.js';

/** Returns the tracer of Casefile, whose spans name the version of the conventions. */
export function casefileTracer(): Tracer {
  return trace.getTracerProvider().getTracer(TRACER, undefined, { schemaUrl: SCHEMA_URL });
}

/** Returns the Telemetry port over the OpenTelemetry API. It emits nothing until an SDK is started. */
export function createTelemetry(): Telemetry {
  const meter = metrics.getMeter(TRACER);
  const tracer = casefileTracer();
  const counters = new Map<string, Counter>();
  const histograms = new Map<string, Histogram>();
  return {
    span: (name, attributes, work, { kind, trace: own = null } = {}) => {
      const { parent, links } = placeOf(own);
      const options = { attributes, links, kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL };
      return tracer.startActiveSpan(name, options, parent, async (span) => {
        try {
          return await work({ set: (more) => void span.setAttributes(more) });
        } catch (error) {
          span.recordException(error instanceof Error ? error : String(error));
          span.setAttribute(ATTRIBUTES.errorType, asCasefileError(error).reasonCode);
          span.setStatus({ code: SpanStatusCode.ERROR });
          throw error;
        } finally {
          span.end();
        }
      });
    },
    here: () => spanTraceParent(trace.getActiveSpan()?.spanContext()),
    count: (name, labels, by = 1) =>
      once(counters, name, () => meter.createCounter(name, metricInfo(name))).add(by, labels),
    measure: (name, value, labels) =>
      once(histograms, name, () =>
        meter.createHistogram(name, {
          ...metricInfo(name),
          advice: { explicitBucketBoundaries: nameBuckets(name) },
        }),
      ).record(value, labels),
    gauge: (name, read, labels?: Labels) => {
      const gauge = meter.createObservableGauge(name, metricInfo(name));
      const observe = async (result: { observe(value: number, labels?: Labels): void }) => {
        const found = await read();
        if (typeof found === 'number') result.observe(found, labels);
        else for (const one of found) result.observe(one.value, { ...labels, ...one.labels });
      };
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

const OWN_BUCKETS: Record<string, readonly number[] | undefined> = {
  [METRICS.modelTokens]: BUCKETS.tokens,
  [METRICS.modelDuration]: BUCKETS.model,
  [METRICS.checkTokens]: BUCKETS.checkTokens,
  [METRICS.checkCost]: BUCKETS.checkCost,
  [METRICS.checkIterations]: BUCKETS.turns,
  [METRICS.draftConfidence]: BUCKETS.share,
};

function nameBuckets(name: string): number[] {
  return [...(OWN_BUCKETS[name] ?? BUCKETS.fast)];
}

/**
 * Returns the parent of a new span: the caller's span, or the span's own trace if the caller is in another
 * trace.
 */
function placeOf(own: string | null): { parent: Context; links: Link[] } {
  const parent = context.active();
  const span = own === null ? null : readTraceParent(own);
  if (span === null) return { parent, links: [] };
  const caller = trace.getSpanContext(parent);
  if (caller?.traceId === span.traceId) return { parent, links: [] };
  const links = caller === undefined ? [] : [{ context: caller }];
  return { parent: trace.setSpanContext(parent, span), links };
}

/** W3C Trace Context, level 1: version, trace, parent, flags. */
const FORM = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Returns a span's place as W3C `traceparent`; null: no trace. */
export function spanTraceParent(span: SpanContext | undefined): string | null {
  if (span === undefined || !isSpanContextValid(span)) return null;
  return `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`;
}

/** Reads the place of a `traceparent`; null: invalid. */
export function readTraceParent(text: string): SpanContext | null {
  const [, traceId = '', spanId = '', flags = ''] = FORM.exec(text) ?? [];
  const span = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(span) ? span : null;
}
