import type { Telemetry } from 'bullmq';
import { BullMQOtel } from 'bullmq-otel';

/** BullMQ's link to OpenTelemetry, or nothing. */
export function bullTraces(tracerName: string | undefined): Telemetry | undefined {
  return tracerName === undefined ? undefined : new BullMQOtel({ tracerName });
}

/**
 * Where the caller is in its trace, to be sent with its jobs. Jobs of several callers leave in one
 * `addBulk`: without this they would all belong to the trace of whoever sent it.
 */
export function traceHere(traces: Telemetry | undefined): { telemetry?: { metadata: string } } {
  if (traces === undefined) return {};
  return { telemetry: { metadata: traces.contextManager.getMetadata(traces.contextManager.active()) } };
}
