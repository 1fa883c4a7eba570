import type { CriterionResult, PolicySection, TraceAction, TraceStep } from '@casefile/contracts';

/** A policy of a checked case, as the API returns it. */
export interface CheckedPolicy {
  policyId: string;
  version: number;
  title: string;
  /** Returns the section whose title begins with this text. */
  section(title: string): PolicySection;
}

export const REASONING = 'The period of notice turns on the kind of claim, so its section comes first.';
const NOTICE = 'A household claim must be notified to us within 30 days of the loss date.';
/** A quote of the policy, with other case and white space. */
export const QUOTE = 'a household claim\n must be NOTIFIED to us within 30 days';

/** Markup that would run a script if it were not shown as text. */
export const HOSTILE =
  '<img src=x onerror="window.ran = 1"> [press](javascript:window.ran=1) [go](/policies/%2e%2e/queues)';

const action = (over: Partial<TraceAction>): TraceAction => ({
  tool: 'pi_search',
  args: { query: 'notice of a claim', limit: 4 },
  observation: '',
  cut: false,
  cached: false,
  reasonCode: null,
  toolCallId: null,
  durationMs: null,
  ...over,
});
const turn = (iteration: number, thought: string, actions: TraceAction[], forced = false): TraceStep => ({
  iteration,
  step: iteration,
  forced,
  thought,
  actions,
  tokens: { input: 1_200 * iteration, output: 80 },
  costUsd: 0.0009 * iteration,
});

/** Criteria of the case. */
export const CRITERIA = [
  { id: 'notice', text: 'Was the claim notified within the period that applies to it?' },
  { id: 'excess', text: 'Is the excess in the settlement draft the right one for this member?' },
  { id: 'estimates', text: 'Are there enough written estimates for the repair?' },
];

/** Returns a criterion that is met, one with a false citation, and one whose check did not end. */
export function checkedResults(policy: CheckedPolicy): CriterionResult[] {
  return [noticeMet(policy), excessClaimed(policy), estimatesOpen(policy)];
}

const baseResult = ({ policyId, version }: CheckedPolicy, id: string) => ({
  id,
  text: CRITERIA.find((it) => it.id === id)?.text ?? '',
  policy: { policyId, version },
  strategy: 'react',
  promptId: 'policy-check/turn@1',
  model: 'scripted',
  tokens: { input: 3_600, output: 160 },
  costUsd: 0.0027,
  claimed: null,
  refuted: [],
  citations: [],
  reasonCode: null,
});

function noticeMet(policy: CheckedPolicy): CriterionResult {
  const { nodeId, title, pages, text } = policy.section('4.1');
  const observation =
    `[${nodeId}] ${title}\n  ${text}\n${'The whole of it is on the record. '.repeat(12)}`.slice(0, 500);
  return {
    ...baseResult(policy, 'notice'),
    status: 'MET',
    confidence: 0.93,
    iterations: 2,
    rationale: 'The loss was notified on the **last day** of the period.',
    citations: [
      { kind: 'quote', nodeId, quote: QUOTE, title, pages },
      { kind: 'fact', fact: 'notified_on', value: '2026-05-02', factIds: ['notified_on#1'] },
      { kind: 'absence', of: 'policy', asked: 'extension of the period' },
    ],
    trace: [
      turn(1, REASONING, [
        action({ observation, cut: true, toolCallId: 't1', durationMs: 34 }),
        action({
          tool: 'facts_get',
          args: { name: 'notified_on' },
          toolCallId: 't2',
          durationMs: 2,
          observation: 'fact notified_on#1: notified_on = 2026-05-02 (confidence 0.98, claim-form.pdf p. 1)',
        }),
      ]),
      turn(2, 'Both dates are known.', [
        action({ observation, cut: true, cached: true, toolCallId: 't1', durationMs: 0 }),
        action({ tool: 'finish', args: { status: 'MET', confidence: 0.93, rationale: NOTICE.repeat(8) } }),
      ]),
    ],
  };
}

function excessClaimed(policy: CheckedPolicy): CriterionResult {
  const node = policy.section('10.1').nodeId;
  return {
    ...baseResult(policy, 'excess'),
    status: 'UNCERTAIN',
    confidence: 0.25,
    iterations: 1,
    reasonCode: 'low_confidence',
    claimed: { status: 'NOT_MET', confidence: 0.9 },
    rationale: 'The draft deducts less than the policy asks for.',
    refuted: [
      {
        citation: { kind: 'quote', nodeId: node, quote: 'The excess for escape of water is £200.' },
        state: 'says_otherwise',
        problem: 'quote_altered',
        instead: ['Escape of water: £350.'],
      },
      {
        citation: { kind: 'quote', nodeId: node, quote: NOTICE },
        state: 'says_otherwise',
        problem: 'quote_elsewhere',
        instead: [policy.section('4.1').nodeId],
      },
      {
        citation: { kind: 'quote', nodeId: '9999', quote: 'This sentence is in no section.' },
        state: 'does_not_exist',
        problem: 'unknown_node',
        instead: [],
      },
      {
        citation: { kind: 'fact', fact: 'repair_estimate', value: 1500, unit: 'GBP' },
        state: 'says_otherwise',
        problem: 'other_value',
        instead: ['2000 GBP'],
      },
    ],
    trace: [turn(1, 'It looks too low.', [action({ tool: 'finish', args: { status: 'NOT_MET' } })])],
  };
}

function estimatesOpen(policy: CheckedPolicy): CriterionResult {
  const wrong = action({
    tool: `pi_serch ${HOSTILE}`,
    args: `{"query" ${HOSTILE}`,
    reasonCode: 'unknown_tool',
  });
  return {
    ...baseResult(policy, 'estimates'),
    status: 'UNCERTAIN',
    confidence: 0,
    iterations: 11,
    reasonCode: 'max_iterations_reached',
    rationale: `It did not come to an end. ${HOSTILE}`,
    trace: [turn(11, '', [{ ...wrong, observation: `error unknown_tool ${HOSTILE}` }], true)],
  };
}
