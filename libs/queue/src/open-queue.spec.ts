import { SpanKind } from 'bullmq';
import { bullTraces } from './open-queue.js';

describe('traces of the queue', () => {
  const traces = bullTraces('test')!;
  const started = (kind: SpanKind) => {
    const around = traces.contextManager.active();
    return { around, within: traces.tracer.startSpan('x', { kind }, around).setSpanOnContext(around) };
  };

  it('S4-37 have no span of housekeeping: what runs within belongs to the span around it', () => {
    const { around, within } = started(SpanKind.INTERNAL);
    expect(within).toBe(around);
  });

  it.each([SpanKind.PRODUCER, SpanKind.CONSUMER])('S4-37 have the spans of jobs, of kind %s', (kind) => {
    const { around, within } = started(kind);
    expect(within).not.toBe(around);
  });
});
