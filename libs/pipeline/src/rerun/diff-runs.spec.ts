import fc from 'fast-check';
import type { Interaction, Json, JsonObject, ToolCall, Verdict } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { diffRuns, type ComparedRun, firstDifference } from './diff-runs.js';

const verdict = (over: Partial<Verdict> = {}): Verdict =>
  ({
    outcome: { action: 'block', parts: [{ name: 'a', share: 0.5 }] },
    disposition: 'act',
    confidence: 0.8,
    confidenceSource: 'model',
    method: 'llm',
    reasons: ['It asks for money.'],
    citations: ['E1', 'E2'],
    degraded: false,
    degradedBy: [],
    degradedNote: '',
    decidedAt: '2026-01-05T10:00:00.000Z',
    ...over,
  }) as unknown as Verdict;

const call = (over: Partial<ToolCall> = {}): ToolCall => ({
  runId: 'r',
  unit: '',
  stage: 'collect',
  round: 1,
  id: `call ${JSON.stringify(over)}`,
  step: 1,
  seq: 0,
  tool: 'look_up',
  args: { of: 'x' },
  state: 'succeeded',
  attempts: 1,
  result: { found: true },
  source: null,
  reasonCode: null,
  message: null,
  durationMs: 1,
  createdAt: '',
  settledAt: '',
  ...over,
});

const asked = (step: number, content: string, over: Partial<Interaction> = {}): Interaction =>
  ({
    runId: 'r',
    unit: '',
    stage: 'reason',
    round: 1,
    id: `asked ${step} ${content}`,
    step,
    attempt: 1,
    requestHash: `hash of ${content}`,
    request: { messages: [{ role: 'user', content }] },
    usage: { inputTokens: 10, outputTokens: 5, reasoningTokens: 0, cachedTokens: 0 },
    costUsd: 0.01,
    latencyMs: 100,
    ...over,
  }) as unknown as Interaction;

const run = (over: Partial<ComparedRun> = {}): ComparedRun => ({
  id: 'r',
  settings: aRunSettings(),
  status: 'decided',
  reasonCode: null,
  message: null,
  verdict: verdict(),
  toolCalls: [call(), call({ seq: 1, args: { of: 'y' } })],
  interactions: [asked(1, 'What is it?'), asked(2, 'Are you sure?')],
  createdAt: '2026-01-05T10:00:00.000Z',
  decidedAt: '2026-01-05T10:00:03.000Z',
  ...over,
});

const whats = (a: ComparedRun, b: ComparedRun) =>
  diffRuns(a, b)
    .differences.filter(({ counts }) => counts)
    .map(({ what }) => what);

describe('the difference of two runs', () => {
  it('S4-62 is none between a run and itself, at another time, cost and order of its record', () => {
    const later = run({
      id: 's',
      createdAt: '2026-02-01T10:00:00.000Z',
      decidedAt: '2026-02-01T10:00:01.000Z',
      verdict: verdict({ decidedAt: '2026-02-01T10:00:01.000Z' }),
      interactions: [asked(2, 'Are you sure?', { costUsd: 0 }), asked(1, 'What is it?', { latencyMs: 7 })],
      // Read from the record, where remote calls are made at the step of the local ones.
      toolCalls: [call({ seq: 1, args: { of: 'y' }, step: 2 }), call()],
    });
    const found = diffRuns(run(), later);
    expect(found).toMatchObject({ a: 'r', b: 's', same: true, flipped: false, firstDivergence: null });
    expect(found.differences).toEqual([
      { what: 'cost', a: '$0.020000', b: '$0.010000', counts: false },
      { what: 'latency of models', a: '200 ms', b: '107 ms', counts: false },
      { what: 'time taken', a: '3000 ms', b: '1000 ms', counts: false },
    ]);
  });

  it('S4-62 names what was decided otherwise, and says whether something else is to be done', () => {
    const other = (over: Partial<Verdict>) => run({ verdict: verdict(over) });
    expect(whats(run(), other({ confidence: 0.7 }))).toEqual(['confidence']);
    expect(whats(run(), other({ citations: ['E1', 'E3'] }))).toEqual(['citations[1]']);
    expect(whats(run(), other({ method: 'heuristic' }))).toEqual(['method']);
    const outcome = (action: string, share: number): JsonObject => ({
      action,
      parts: [{ name: 'a', share }],
    });
    expect(whats(run(), other({ outcome: outcome('block', 0.4) }))).toEqual(['outcome.parts[0].share']);
    expect(diffRuns(run(), other({ outcome: outcome('block', 0.4) })).flipped).toBe(false);
    expect(diffRuns(run(), other({ outcome: outcome('warn', 0.5) })).flipped).toBe(true);
    expect(diffRuns(run(), other({ disposition: 'review' })).flipped).toBe(true);
    const none = run({ verdict: null, status: 'stopped', reasonCode: 'evidence_miss', message: 'step 1' });
    expect(diffRuns(run(), none)).toMatchObject({ same: false, flipped: true });
    expect(diffRuns(run(), none).differences[0]).toMatchObject({ what: 'verdict', b: 'stopped: step 1' });
  });

  it('S4-62 shows the first thing that was asked or found otherwise', () => {
    const reworded = run({ interactions: [asked(1, 'What is it?'), asked(2, 'Are you very sure?')] });
    expect(diffRuns(run(), reworded).firstDivergence).toEqual({
      stage: 'reason',
      round: 1,
      unit: '',
      step: 2,
      what: 'request',
      path: 'messages[0].content:8',
      a: 'Are you sure?',
      b: 'Are you very sure?',
    });
    const found = run({
      toolCalls: [call({ result: { found: false } }), call({ seq: 1, args: { of: 'y' } })],
    });
    expect(diffRuns(found, reworded).firstDivergence).toMatchObject({
      stage: 'collect',
      what: 'tool result',
      path: 'result.found',
      a: 'false',
      b: 'true',
    });
    const fewer = run({ toolCalls: [call()] });
    expect(whats(run(), fewer)).toEqual(['tool path']);
    expect(diffRuns(run(), fewer).firstDivergence).toMatchObject({ what: 'tool call', b: '(none)' });
  });

  it('S4-62 is the same from either side, and finds what was planted and nothing else', () => {
    const plants: Record<string, (one: ComparedRun) => ComparedRun> = {
      disposition: (one) => ({ ...one, verdict: { ...one.verdict!, disposition: 'review' } }),
      confidence: (one) => ({ ...one, verdict: { ...one.verdict!, confidence: 0.25 } }),
      'citations[1]': (one) => ({ ...one, verdict: { ...one.verdict!, citations: ['E1'] } }),
      method: (one) => ({ ...one, verdict: { ...one.verdict!, method: 'heuristic' } }),
      'outcome.action': (one) => ({
        ...one,
        verdict: { ...one.verdict!, outcome: { ...one.verdict!.outcome, action: 'warn' } },
      }),
      'tool path': (one) => ({ ...one, toolCalls: [...one.toolCalls, call({ step: 3, args: { of: 'z' } })] }),
      requests: (one) => ({ ...one, interactions: [...one.interactions, asked(3, 'And now?')] }),
    };
    fc.assert(
      fc.property(fc.subarray(Object.keys(plants)), (planted) => {
        const other = planted.reduce((one, name) => plants[name]!(one), run());
        expect(whats(run(), other).sort()).toEqual([...planted].sort());
        const [there, back] = [diffRuns(run(), other), diffRuns(other, run())];
        expect(there.same).toBe(planted.length === 0);
        expect([back.same, back.flipped, back.differences.length]).toEqual([
          there.same,
          there.flipped,
          there.differences.length,
        ]);
        expect(back.firstDivergence?.step).toEqual(there.firstDivergence?.step);
      }),
    );
  });
});

describe('the first difference of two documents', () => {
  it('S4-62 is none exactly where they are equal, whatever the order of their keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        // As documents are stored: there is no negative zero in JSON.
        const [a, b] = [one, other].map((value) => JSON.parse(JSON.stringify(value)) as Json) as [Json, Json];
        expect(firstDifference(a, a)).toBeNull();
        expect(firstDifference(a, reversed(a))).toBeNull();
        const differ = firstDifference(a, b);
        expect(differ === null).toBe(firstDifference(b, a) === null);
        if (differ === null) expect(sorted(a)).toEqual(sorted(b));
        else expect(sorted(a)).not.toEqual(sorted(b));
      }),
    );
  });
});

function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, one]) => [key, reversed(one)]),
  );
}

const sorted = (value: Json): unknown => JSON.parse(JSON.stringify(value));
