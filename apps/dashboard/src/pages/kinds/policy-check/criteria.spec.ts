import {
  CITATION_PROBLEMS,
  CITATION_STATES,
  type ArtifactRecord,
  type CriterionStatus,
  type Interaction,
  type JsonObject,
  type ToolCall,
} from '@casefile/contracts';
import { reasonInWords } from '@casefile/contracts/reason-codes';
import {
  callOfTurn,
  combinationText,
  countsText,
  runCriteriaInput,
  criterionRows,
  recordedCall,
  traceStepThought,
  type CriteriaInput,
} from './criteria.js';
import { claimText, PROBLEM_WORDS, STATE_WORDS, valueText } from './criteria-words.js';

const INPUT: CriteriaInput = {
  policy: { policyId: 'claims', version: 1, title: 'Claims' },
  title: null,
  facts: [],
  criteria: ['a', 'b', 'c'].map((id) => ({ id, text: `Is ${id} so?` })),
  combine: { rule: 'all' },
};
const artifact = (
  name: ArtifactRecord['artifact'],
  unit: string,
  body: JsonObject,
  round = 1,
): ArtifactRecord => ({ runId: 'r', unit, round, artifact: name, body, createdAt: '' });
const draft = (unit: string, status: CriterionStatus, round = 1): ArtifactRecord =>
  artifact('draft', unit, { answer: { id: unit, status, trace: [] } }, round);
const brief = (input: JsonObject | undefined) =>
  runCriteriaInput({ artifacts: [artifact('brief', '', input === undefined ? {} : { input })] });

describe('S4-20 the criteria of a run', () => {
  it('are those of a brief that has some', () => {
    expect(brief(INPUT as unknown as JsonObject)).toEqual(INPUT);
    expect(brief(undefined)).toBeNull();
    expect(brief({ criteria: 'a', facts: [] })).toBeNull();
    expect(brief({ criteria: [], facts: [], policy: null, combine: {} })).toBeNull();
  });

  it('come in the order of the case, each with its newest result, or with none yet', () => {
    const artifacts = [draft('b', 'MET', 2), draft('b', 'NOT_MET'), artifact('draft', 'a', { answer: {} })];
    const unit = {
      unit: 'c',
      status: 'suspended',
      stage: 'reason',
      round: 1,
      reasonCode: null,
      message: null,
    };
    const rows = criterionRows({ artifacts, units: [unit as never] }, INPUT);
    expect(rows.map(({ id, result, round }) => [id, result?.status, round])).toEqual([
      ['a', undefined, 1] as const,
      ['b', 'MET', 2] as const,
      ['c', undefined, 1] as const,
    ]);
    expect(rows[2]?.unit?.status).toBe('suspended');
    expect(countsText(rows)).toBe('1 met · 2 not decided yet');
  });

  it.each([
    [{ rule: 'all' }, 3, 'All 3 criteria have to be met'],
    [{ rule: 'any' }, 3, 'One of 3 criteria met is enough'],
    [{ rule: 'n-of-m', n: 2 }, 3, 'At least 2 of 3 criteria have to be met'],
    [{ rule: 'any' }, 1, 'The one criterion has to be met'],
  ])('S4-23 say how they combine: %j of %d', (combine, count, words) => {
    expect(combinationText({ ...INPUT, combine, criteria: INPUT.criteria.slice(0, count) })).toBe(words);
  });
});

describe('S4-24 a turn of a trace on the record', () => {
  const call = (id: string, over: Partial<Interaction>) =>
    ({
      id,
      stage: 'reason',
      unit: 'a',
      round: 1,
      step: 2,
      attempt: 1,
      state: 'completed',
      ...over,
    }) as Interaction;
  const interactions = [
    call('later-failure', { attempt: 3, state: 'failed' }),
    call('answered', { attempt: 2 }),
    call('first', { state: 'ambiguous' }),
    call('of-a-tool', { attempt: 9, toolCallId: 't' }),
    call('other-unit', { unit: 'b' }),
    call('other-round', { round: 2 }),
    call('other-step', { step: 3 }),
  ];

  it('is the attempt that was answered, and none that a tool made', () => {
    expect(callOfTurn({ interactions }, { id: 'a', round: 1 }, 2)?.id).toBe('answered');
    const failed = interactions.filter(({ id }) => id !== 'answered');
    expect(callOfTurn({ interactions: failed }, { id: 'a', round: 1 }, 2)?.id).toBe('later-failure');
    expect(callOfTurn({ interactions }, { id: 'a', round: 1 }, 7)).toBeUndefined();
  });

  it('S4-25 shows the thought of the trace, and of older runs the summary that the interaction has', () => {
    const reasoned = call('x', { reasoningContent: 'all', reasoningSummary: 'Short.' });
    expect(traceStepThought({ thought: 'Looking it up.' }, reasoned)).toBe('Looking it up.');
    expect(traceStepThought({ thought: '' }, reasoned)).toBe('Short.');
    expect(traceStepThought({ thought: '' }, undefined)).toBe('');
  });

  it('has its tool calls, with what they asked of a model', () => {
    const toolCalls = [{ id: 't' } as ToolCall];
    const { call: toolCall, interactions: modelCalls } = recordedCall({ toolCalls, interactions }, 't');
    expect([toolCall?.id, modelCalls.map(({ id }) => id)]).toEqual(['t', ['of-a-tool']]);
    expect(recordedCall({ toolCalls, interactions }, null)).toEqual({ call: undefined, interactions: [] });
  });
});

describe('S4-21 S4-32 what people read', () => {
  it('has words for every problem and state of a citation', () => {
    expect(Object.keys(PROBLEM_WORDS).sort()).toEqual([...CITATION_PROBLEMS].sort());
    expect(Object.keys(STATE_WORDS).sort()).toEqual([...CITATION_STATES].sort());
  });

  it.each([
    'max_iterations_reached',
    'rate_limit_exceeded',
    'tool_timeout',
    'missing_evidence',
    'low_confidence',
    'insufficient_policy_context',
    'no_relevant_nodes',
    'budget_exceeded',
    'llm_error',
    'invalid_schema',
    'refused',
    'llm_fallback',
  ])('has words for the reason %s', (code) => {
    expect(reasonInWords(code)).not.toBe(code.replaceAll('_', ' '));
  });

  it('spells out a reason that it does not know', () => expect(reasonInWords('odd_thing')).toBe('odd thing'));

  it('says what a citation claims', () => {
    expect(claimText({ kind: 'fact', fact: 'f', value: 3, unit: 'days' })).toBe('f = 3 days');
    expect(claimText({ kind: 'absence', of: 'fact', asked: 'x' })).toBe('The case has no fact “x”');
    expect(claimText({ kind: 'quote', nodeId: '1', quote: 'words' })).toBe('words');
    expect([valueText(true), valueText(false), valueText(0)]).toEqual(['yes', 'no', '0']);
  });
});
