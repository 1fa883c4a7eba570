import { isSpanContextValid, type SpanContext } from '@opentelemetry/api';

/** W3C Trace Context, level 1: version, trace, parent, flags. */
const FORM = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** A span's place as W3C `traceparent`; null: it is in no trace. */
export function traceParentOf(span: SpanContext | undefined): string | null {
  if (span === undefined || !isSpanContextValid(span)) return null;
  return `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`;
}

/** The place that a `traceparent` names; null: it is none. */
export function readTraceParent(text: string): SpanContext | null {
  const [, traceId = '', spanId = '', flags = ''] = FORM.exec(text) ?? [];
  const span = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(span) ? span : null;
}
