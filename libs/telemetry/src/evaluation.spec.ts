import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { createTelemetry, emitEvaluation } from './index.js';

describe('gen_ai.evaluation.result', () => {
  const exporter = new InMemorySpanExporter();
  beforeAll(() => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
    );
  });
  afterAll(() => [trace, context].forEach((api) => api.disable()));

  it('is an event of the span of the stage, with name, label and score', async () => {
    await createTelemetry().span('stage critique', {}, async () =>
      emitEvaluation({ name: 'review', label: 'PASS', score: 1 }),
    );
    const [span] = exporter.getFinishedSpans();
    expect(span?.events.map(({ name, attributes }) => ({ name, attributes }))).toEqual([
      {
        name: 'gen_ai.evaluation.result',
        attributes: {
          'gen_ai.evaluation.name': 'review',
          'gen_ai.evaluation.score.label': 'PASS',
          'gen_ai.evaluation.score.value': 1,
        },
      },
    ]);
    expect(() => emitEvaluation({ name: 'review', label: 'PASS' })).not.toThrow();
  });
});
