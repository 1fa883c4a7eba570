import type { CaseListEntry, EventRecord } from '@casefile/contracts';
import { afterEvent } from './entry-after-event.js';

const entry: CaseListEntry = {
  caseId: 'c',
  playbook: 'scam-verdict',
  status: 'open',
  lane: 'live',
  runId: 'r',
  runStatus: 'due',
  stage: 'collect',
  round: 1,
  text: 'Pay',
  alertCount: 1,
  verdict: null,
  costUsd: 0.5,
  hasReasoning: false,
  correction: null,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
};
const event = (
  type: string,
  data: EventRecord['data'] = {},
  over: Partial<EventRecord> = {},
): EventRecord => ({
  id: '1',
  type,
  caseId: 'c',
  runId: 'r',
  data,
  at: '2026-01-01T00:00:09Z',
  ...over,
});

describe('S2-31 S2-32 a case in the list after an event', () => {
  it('is at its next stage', () => {
    const next = afterEvent(
      entry,
      event('stage.completed', { stage: 'collect', next: { stage: 'reason', round: 2 } }),
    );
    expect(next).toMatchObject({ stage: 'reason', round: 2, updatedAt: '2026-01-01T00:00:09Z' });
  });

  it('has reasoning, and costs more', () => {
    const next = afterEvent(entry, event('interaction.completed', { hasReasoning: true, costUsd: 0.25 }));
    expect(next).toMatchObject({ hasReasoning: true, costUsd: 0.75 });
    expect(afterEvent(entry, event('interaction.completed', { hasReasoning: false, costUsd: null }))).toEqual(
      entry,
    );
  });

  it('has its verdict', () => {
    const facts = {
      disposition: 'act',
      confidence: 0.9,
      method: 'heuristic',
      action: 'page',
      degraded: true,
      degradedBy: ['model_out'],
      degradedNote: 'model out',
    };
    expect(afterEvent(entry, event('verdict.decided', facts))).toMatchObject({
      status: 'decided',
      runStatus: 'decided',
      stage: null,
      verdict: { ...facts, confidenceSource: 'heuristic', decidedAt: '2026-01-01T00:00:09Z' },
    });
  });

  it.each([
    ['run.stopped', 'stopped'],
    ['run.quarantined', 'quarantined'],
  ])('shows %s as such', (type, runStatus) => {
    expect(afterEvent(entry, event(type))).toMatchObject({ runStatus });
  });

  it('is the same object when the event is of another case, another run, or says nothing new', () => {
    expect(afterEvent(entry, event('run.stopped', {}, { caseId: 'other' }))).toBe(entry);
    expect(afterEvent(entry, event('run.stopped', {}, { runId: 'other' }))).toBe(entry);
    expect(afterEvent(entry, event('tool-call.completed'))).toBe(entry);
  });
});
