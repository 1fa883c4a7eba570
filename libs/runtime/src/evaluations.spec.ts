import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import type { NewReviewAct } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { createTelemetry } from '@casefile/telemetry';
import { measureAppended } from '@casefile/engine';
import { recordAnswer } from './feedback/record-answer.js';

describe('gen_ai.evaluation.result', () => {
  const exporter = new InMemorySpanExporter();
  const telemetry = createTelemetry();
  beforeAll(() => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
    );
  });
  beforeEach(() => exporter.reset());
  afterAll(() => [trace, context].forEach((api) => api.disable()));
  const emitted = () =>
    exporter.getFinishedSpans().flatMap((span) =>
      span.events.map(({ name, attributes }) => {
        const of = (key: string) => attributes?.[`gen_ai.evaluation.${key}`];
        return [span.name, name, of('name'), of('score.label'), of('score.value')];
      }),
    );
  const event = 'gen_ai.evaluation.result';

  /** Ends the stage that decides, with a draft that cites E1 and E2. */
  const decided = (citations: string[], artifacts: object = { draft: { evidenceUsed: ['E1', 'E2'] } }) =>
    telemetry.span('stage decide', {}, async () =>
      measureAppended(
        telemetry,
        { artifacts: artifacts as never, settings: aRunSettings() },
        { strategies: {} },
        { artifact: { name: 'verdict', body: { citations } } } as never,
      ),
    );

  it.each([
    [['E1', 'E2'], 'verified', 1],
    [['E2', 'E9'], 'partly_verified', 0.5],
    [[], 'not_verified', 0],
  ])('of a verdict that keeps the citations %j is %s', async (citations, label, score) => {
    await decided(citations);
    expect(emitted()).toEqual([['stage decide', event, 'verification', label, score]]);
  });

  it('is not emitted for a draft without citations, or for an answer of another run', async () => {
    await decided([], { draft: { evidenceUsed: [] } });
    await decided(['E1'], { draft: { evidenceUsed: ['E1'] }, evidence: { reused: {} } });
    expect(emitted()).toEqual([]);
  });

  it('of a review is its ruling', async () => {
    await telemetry.span('stage critique', {}, async () =>
      measureAppended(telemetry, { artifacts: {}, settings: aRunSettings() }, { strategies: {} }, {
        artifact: { name: 'review', body: { ruling: 'WARN', reviewer: 'critic', findings: [] } },
      } as never),
    );
    expect(emitted()).toEqual([['stage critique', event, 'review', 'WARN', undefined]]);
  });

  it('of a label has its own span, which names the run; a repeated act and an undo emit nothing', async () => {
    const act = async (name: NewReviewAct['act'], repeated = false) => {
      const given = { act: name, caseId: 'case', runId: 'run' } as NewReviewAct;
      expect(await recordAnswer({ act: async () => ({ repeated }) }, given)).toEqual({ repeated });
    };
    await act('agree');
    await act('correct');
    await act('correct', true);
    await act('undo');
    expect(emitted()).toEqual([
      ['label', event, 'label', 'right', 1],
      ['label', event, 'label', 'wrong', 0],
    ]);
    const [span] = exporter.getFinishedSpans();
    expect(span?.attributes).toEqual({ 'casefile.case_id': 'case', 'casefile.run_id': 'run' });
  });
});
