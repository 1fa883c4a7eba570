import { moves, type Move } from '../index.js';

const at = { runId: 'r', unit: '', stage: 'triage', round: 2 };
const artifact = { name: 'brief' as const, body: {} };
const here = { artifact, next: null, joinStage: null, units: [] };
const next = { stage: 'collect', round: 2 };
const verdict = { disposition: 'act', confidence: 0.9, method: 'llm', outcome: { action: 'block' } };

describe('the end of a stage', () => {
  it('hands on to the next stage, which its worker may go on with', () => {
    const move = moves.advanceUnit(at, { ...here, next });
    expect(move.unit).toMatchObject({ toStatus: 'due', toStage: 'collect', toRound: 2, nudged: true });
    expect(moves.moveNext(move)).toEqual(next);
    expect(move.events).toEqual([
      { type: 'stage.completed', data: { stage: 'triage', round: 2, unit: '', artifact: 'brief', next } },
    ]);
  });

  it('opens units and waits for them at the stage that joins them', () => {
    const move = moves.advanceUnit(at, { ...here, next, joinStage: 'decide', units: ['a', 'b'] });
    expect(move.unit).toEqual({ toStatus: 'joining', toStage: 'decide', openUnits: 2 });
    expect(move.opens).toEqual(['a', 'b'].map((unit) => ({ unit, ...next })));
    expect(move.events[0]?.data).toMatchObject({ units: ['a', 'b'] });
    expect(moves.moveNext(move)).toBeNull();
  });

  it('is the end of an opened unit, where the others are waited for', () => {
    const move = moves.advanceUnit({ ...at, unit: 'a' }, { ...here, joinStage: 'decide' });
    expect(move.unit).toEqual({ toStatus: 'finished', endsAt: 'decide' });
  });

  it.each([
    ['a name that is none', at, { next, joinStage: 'decide', units: ['no good'] }],
    ['a name that comes twice', at, { next, joinStage: 'decide', units: ['a', 'a'] }],
    ['the name of the run itself', at, { next, joinStage: 'decide', units: [''] }],
    ['units of a unit', { ...at, unit: 'a' }, { next, joinStage: 'decide', units: ['b'] }],
    ['units that nothing joins', at, { next, units: ['a'] }],
    ['units that begin nowhere', at, { joinStage: 'decide', units: ['a'] }],
    ['an end without a joining stage', { ...at, unit: 'a' }, {}],
  ])('refuses %s', (_what, from, onward) => {
    expect(() => moves.advanceUnit(from, { ...here, ...onward })).toThrow(
      expect.objectContaining({ reasonCode: 'bad_change' }),
    );
  });

  it('is a verdict, which does nothing outside where it is not handed out', () => {
    const effects = [{ sessionId: 's' }] as unknown as NonNullable<Move['effects']>;
    const decided = { artifact: { name: 'verdict' as const, body: verdict }, effects };
    const outward = moves.decideRun(at, { ...decided, deliveryId: 'd' });
    expect(outward).toMatchObject({ delivery: 'd', effects, unit: { toStatus: 'decided' } });
    expect(outward.end).toMatchObject({ status: 'decided', disposition: 'act', action: 'block' });
    const inward = moves.decideRun(at, { ...decided, deliveryId: null });
    expect([inward.delivery, inward.effects]).toEqual([undefined, undefined]);
    expect(inward.events.map(({ type }) => type)).toEqual(['stage.completed', 'verdict.decided']);
  });

  it('waits for tools, and for people with what they are asked', () => {
    const calls = [{ id: 'c', tool: 'rdap', args: {} }];
    const forTools = moves.suspendUnit(at, { step: 3, calls, timeoutMs: 50 });
    expect(forTools.unit).toEqual({ toStatus: 'suspended', waitStep: 3, resumeInMs: 50 });
    expect([forTools.calls, forTools.asks]).toEqual([calls, undefined]);
    const signal = { name: 'approved', question: 'Go on?', options: [], fallback: 'yes' };
    const forPeople = moves.suspendUnit(at, { step: 3, calls: [], signal, timeoutMs: 50 });
    expect(forPeople.unit.waitSignal).toBe('approved');
    expect(forPeople.asks).toEqual({ ...signal, step: 3, timeoutMs: 50 });
  });

  it('keeps the counts of a step that is tried again, and ends the run where it is not', () => {
    const why = { reasonCode: 'broke', message: 'it broke' };
    const again = moves.failStep(at, { ...why, retryInMs: 9 });
    expect(again.unit).toMatchObject({ toStatus: 'due', keepsCounts: true, failed: true, resumeInMs: 9 });
    expect(again.end).toBeUndefined();
    const out = moves.failStep(at, { ...why, retryInMs: null });
    expect(out.end).toEqual({ status: 'quarantined', ...why });
    expect(out.events[0]?.type).toBe('run.quarantined');
    expect(moves.parkRun(at, why).end).toEqual({ status: 'parked', ...why });
    expect(moves.stopRun(at, why).events[0]?.type).toBe('run.stopped');
    const wait = moves.postponeStep(at, { delayMs: 9, reasonCode: 'rate_limited' });
    expect(wait.unit).toMatchObject({ held: true, keepsCounts: true, resumeInMs: 9 });
  });
});
