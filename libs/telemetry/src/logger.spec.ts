import fc from 'fast-check';
import { context, propagation, trace } from '@opentelemetry/api';
import { node } from '@opentelemetry/sdk-node';
import { createLogger } from './logger.js';
import { createTelemetry } from './meter.js';

function logged(facts: object, message: string): string {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  createLogger({ level: 'info', service: 'test', destination }).warn(facts, message);
  return lines.join('');
}

describe('a log line', () => {
  it('has no control, bidirectional, zero-width or tag character of what it logs, and the same value', () => {
    const text = 'a\u001b[2J\u0085\u009b31m\u202eb\u200b\u2066\ufeff\u{e0041}c';
    const line = logged({ error: new Error(text), [text]: text }, text);
    expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
    const read = JSON.parse(line) as Record<string, unknown>;
    expect([read['msg'], read[text]]).toEqual([text, text]);
    expect(read['error']).toMatchObject({ message: text });
  });

  it('is the JSON of what was logged, whatever that is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(JSON.parse(logged({ fact: text }, 'm'))).toMatchObject({ fact: text });
      }),
    );
  });

  it('S4-37 names the trace and the span within which it was logged, and neither outside of one', async () => {
    new node.NodeTracerProvider().register();
    let place: { traceId: string; spanId: string } | undefined;
    let line = '';
    await createTelemetry().span('stage reason', {}, async () => {
      place = trace.getActiveSpan()?.spanContext();
      line = logged({}, 'm');
    });
    for (const api of [trace, context, propagation]) api.disable();
    expect(JSON.parse(line)).toMatchObject({ trace_id: place?.traceId, span_id: place?.spanId });
    expect(place?.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(JSON.parse(logged({}, 'm'))).not.toHaveProperty('trace_id');
  });
});
