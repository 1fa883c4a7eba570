import type { ArtifactRecord, EventRecord, Interaction, ShownRun, ToolCall } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { caseTab } from './case-tab.js';
import { evidenceLinks, newEvidence } from './evidence-places.js';
import { findingChanges } from './finding-changes.js';
import { runTimeline } from './timeline.js';

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

const artifact = (
  name: ArtifactRecord['artifact'],
  second: number,
  over: Partial<ArtifactRecord> = {},
): ArtifactRecord => ({
  runId: 'r',
  unit: '',
  round: 1,
  artifact: name,
  body: {},
  createdAt: at(second),
  ...over,
});

const event = (type: string, second: number, data: EventRecord['data'] = {}): EventRecord => ({
  id: String(second),
  type,
  caseId: 'c',
  runId: 'r',
  data,
  at: at(second),
});

function aRun(over: Partial<ShownRun>): ShownRun {
  return {
    id: 'r',
    caseId: 'c',
    alertId: 'a',
    lane: 'live',
    settings: aRunSettings(),
    status: 'decided',
    stage: null,
    presentation: null,
    view: null,
    round: 1,
    reasonCode: null,
    message: null,
    verdict: null,
    createdAt: at(0),
    decidedAt: at(9),
    units: [],
    artifacts: [],
    toolCalls: [],
    interactions: [],
    trace: [],
    evidence: [],
    gaps: [],
    cost: {
      usd: 0,
      interactions: 0,
      unpriced: 0,
      inputTokens: 0,
      outputTokens: 0,
      reasoningTokens: 0,
      cachedTokens: 0,
    },
    ...over,
  };
}

const interaction = (second: number, round: number) =>
  ({
    id: `i${second}`,
    stage: 'reason',
    round,
    unit: '',
    step: 1,
    attempt: 1,
    createdAt: at(second),
  }) as Interaction;
const toolCall = (second: number) =>
  ({ id: 't', stage: 'collect', round: 1, unit: '', createdAt: at(second) }) as ToolCall;
const items = (...ids: string[]) => ({ items: ids.map((id) => ({ id })) });

describe('S2-32 the timeline of a run', () => {
  it('goes stage by stage and round by round, each with what belongs to it', () => {
    const run = aRun({
      artifacts: [
        artifact('verdict', 9),
        artifact('brief', 1),
        artifact('evidence', 3),
        artifact('draft', 4),
        artifact('review', 5),
        artifact('draft', 7, { round: 2 }),
        artifact('review', 8, { round: 2 }),
      ],
      interactions: [interaction(6, 2), interaction(3, 1)],
      toolCalls: [toolCall(2)],
    });
    expect(
      runTimeline(run).map(({ id, interactions, toolCalls }) => [id, interactions.length, toolCalls.length]),
    ).toEqual([
      ['triage-1', 0, 0],
      ['collect-1', 0, 1],
      ['reason-1', 1, 0],
      ['critique-1', 0, 0],
      ['reason-2', 1, 0],
      ['critique-2', 0, 0],
      ['decide-1', 0, 0],
    ]);
  });

  it('ends where the run is now', () => {
    const run = aRun({
      status: 'running',
      stage: 'collect',
      artifacts: [artifact('brief', 1)],
      trace: [event('x', 1)],
    });
    expect(runTimeline(run).map(({ id, isCurrent, endedAt }) => [id, isCurrent, endedAt])).toEqual([
      ['triage-1', false, at(1)],
      ['collect-1', true, null],
    ]);
  });

  it('tells failures and waits where they happened, and not what went as it should', () => {
    const run = aRun({
      artifacts: [artifact('draft', 4)],
      trace: [
        event('stage.failed', 2, { stage: 'reason', round: 1, unit: '' }),
        event('stage.completed', 4, { stage: 'reason', round: 1, unit: '' }),
      ],
    });
    expect(runTimeline(run)[0]?.notes.map(({ type }) => type)).toEqual(['stage.failed']);
  });

  it('keeps units apart', () => {
    const run = aRun({
      artifacts: [artifact('draft', 4, { unit: 'a' }), artifact('draft', 4, { unit: 'b' })],
    });
    expect(runTimeline(run).map(({ id }) => id)).toEqual(['reason-1-a', 'reason-1-b']);
  });
});

describe('S2-32 citations on the page', () => {
  const run = aRun({
    artifacts: [
      artifact('evidence', 1, { body: items('E1', 'E2') }),
      artifact('evidence', 5, { round: 2, body: items('E1', 'E2', 'E3') }),
      artifact('evidence', 6, { unit: 'a', body: items('E1') }),
    ],
  });

  it('shows in a round only what that round brought', () => {
    expect(newEvidence(run, '', 2).map(({ id }) => id)).toEqual(['E3']);
  });

  it('leads to the evidence of the unit that cites it, or else to the run’s own', () => {
    expect([...evidenceLinks(run, 'a')]).toEqual([['E1', '#a.E1']]);
    expect(evidenceLinks(run, 'b').get('E3')).toBe('#E3');
  });
});

describe('S2-32 findings by round', () => {
  const findings = (...ids: string[]) => ({ findings: ids.map((id) => ({ id, code: id, message: id })) });

  it('are new, repeated or solved against the round before', () => {
    const second = artifact('review', 5, { round: 2, body: findings('b', 'c') });
    const changes = findingChanges([artifact('review', 2, { body: findings('a', 'b') }), second], second);
    expect(changes.map(({ finding, change }) => [finding.id, change])).toEqual([
      ['b', 'repeated'],
      ['c', 'new'],
      ['a', 'solved'],
    ]);
  });
});

describe('S2-32 the tab of a case', () => {
  const item = { id: 'E1', success: true };
  const run = aRun({
    artifacts: [
      artifact('evidence', 1, { body: { items: [item] } }),
      artifact('draft', 2, { body: { read: [{ id: 'E2', tool: 'logs', toolCallId: 't1' }] } }),
    ],
    toolCalls: ['t1', 't2'].map(
      (id) => ({ id, stage: 'reason', round: 1, unit: '', createdAt: at(2) }) as ToolCall,
    ),
  });

  it.each([
    ['of the address without a fragment', 'history', '', 'history'],
    ['Answer without any', null, '', 'answer'],
    ['Answer for a tab that does not exist', 'elsewhere', '', 'answer'],
    ['Answer for cited evidence, from any tab', 'trace', 'E1', 'answer'],
    ['Trace for a stage', null, 'collect-1', 'trace'],
    ['Trace for a look-up that no answer can cite', null, 'tool-t2', 'trace'],
    ['Answer for a look-up that can be cited', null, 'tool-t1', 'answer'],
    ['Trace for a look-up that was chosen there', 'trace', 'tool-t1', 'trace'],
    ['of the address for an element of no tab', 'raw', 'nothing', 'raw'],
  ])('is %s', (_, asked, target, tab) => {
    expect(caseTab(asked, target, run)).toBe(tab);
  });
});
