import { z, type JsonObject, type Verdict } from '@casefile/contracts';
import { playbooks } from './loaded.js';
import { actedOnParts, verdictChange } from '@casefile/pipeline/verdict-change';

const verdict = (over: Partial<Verdict>): Verdict => ({
  outcome: {},
  disposition: 'review',
  confidence: 0.9,
  confidenceSource: 'llm',
  method: 'llm',
  reasons: ['It asks for money.'],
  citations: ['E1'],
  degraded: false,
  degradedBy: [],
  degradedNote: '',
  decidedAt: '2026-01-05T10:00:00.000Z',
  ...over,
});

/** Returns every value of the deciding fields of a kind, as outcomes. */
function outcomesOf(judged: z.ZodObject | undefined): JsonObject[] {
  const values = (schema: unknown): (string | boolean)[] =>
    schema instanceof z.ZodBoolean ? [true, false] : (schema as z.ZodEnum).options.map(String);
  return Object.entries(judged?.shape ?? {}).reduce<JsonObject[]>(
    (all, [field, schema]) =>
      all.flatMap((outcome) => values(schema).map((value) => ({ ...outcome, [field]: value }))),
    [{}],
  );
}

describe.each(playbooks)('the change of a verdict of $name', (kind) => {
  const { presenting } = kind;
  const verdicts = outcomesOf(presenting.judged).map((outcome) => {
    const disposition = presenting.impliedDisposition?.(outcome) ?? 'review';
    return verdict({
      outcome: { ...outcome, explanation: 'why', score: 40, severity: 'warning' },
      disposition,
    });
  });

  it('S4-62 is none if the judgement is the same, in other words and with other figures', () => {
    expect(verdicts.length).toBeGreaterThan(1);
    for (const one of verdicts) {
      expect(verdictChange(kind, one, structuredClone(one))).toBe('none');
      const outcome = { ...one.outcome, explanation: 'another reason', score: 60 };
      const reworded = {
        outcome,
        confidence: 0.4,
        reasons: ['Because.'],
        citations: [],
        method: 'heuristic',
      };
      const again = verdict({ ...one, ...reworded, decidedAt: '2026-02-05T10:00:00.000Z' } as Verdict);
      expect(verdictChange(kind, one, again)).toBe('none');
      // A verdict that lost its basis does not replace one that has it.
      expect(verdictChange(kind, one, { ...again, degraded: true })).toBe('none');
      expect(verdictChange(kind, { ...one, degraded: true }, again)).toBe('basis');
    }
  });

  it('S4-62 is a message if a deciding field, the disposition or the severity differs, or there was no verdict', () => {
    for (const [i, one] of verdicts.entries()) {
      for (const [j, other] of verdicts.entries())
        expect([i, j, verdictChange(kind, one, other)]).toEqual([i, j, i === j ? 'none' : 'message']);
      for (const disposition of (['act', 'review', 'dismiss'] as const).filter(
        (it) => it !== one.disposition,
      ))
        expect(verdictChange(kind, one, { ...one, disposition })).toBe('message');
      const worse = { ...one, outcome: { ...one.outcome, severity: 'critical' } };
      expect(verdictChange(kind, one, worse)).toBe('message');
      expect(verdictChange(kind, null, one)).toBe('message');
    }
  });
});

describe('the parts that receivers act on', () => {
  const changed = (name: string, before: JsonObject, after: JsonObject) =>
    verdictChange(
      playbooks.find((kind) => kind.name === name)!,
      verdict({ outcome: before }),
      verdict({ outcome: after }),
    );
  const criteria = (police: string, rationale: string) => ({
    status: 'NOT_MET',
    criteria: [{ id: 'police', status: police, rationale }],
  });
  const report = (description: string, score: number) => ({
    ruling: 'PASS',
    items: [{ url: 'u', description, score }],
  });
  const message = (stage: string, id: string) => ({
    action: 'engage',
    scamDetected: true,
    category: 'parcel',
    engagement: { id, stage },
  });

  it('S4-62 include the status of each criterion, but not its rationale', () => {
    expect(changed('policy-check', criteria('MET', 'a'), criteria('MET', 'b'))).toBe('none');
    expect(changed('policy-check', criteria('MET', 'a'), criteria('NOT_MET', 'a'))).toBe('message');
  });

  it('S4-62 include the report of a research, but not its score', () => {
    expect(changed('research', report('a', 50), report('a', 60))).toBe('none');
    expect(changed('research', report('a', 50), report('b', 50))).toBe('message');
  });

  it('S4-62 include the stage of an engagement, but not the id of the run that opened it', () => {
    expect(changed('message-screening', message('hook', 'r1'), message('hook', 'r2'))).toBe('none');
    expect(changed('message-screening', message('hook', 'r1'), message('build', 'r1'))).toBe('message');
  });

  it('are named for a reader', () => {
    const kind = playbooks.find(({ name }) => name === 'scam-verdict')!;
    expect(actedOnParts(kind, verdict({ outcome: { riskLevel: 'high' }, disposition: 'act' }))).toEqual({
      disposition: 'act',
      word: 'scam',
      deciding: { riskLevel: 'high' },
    });
  });
});
