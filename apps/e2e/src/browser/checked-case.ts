import type {
  ArtifactRecord,
  CriterionResult,
  Interaction,
  JsonObject,
  PolicySection,
  ShownCase,
  ShownRun,
  ToolCall,
  TraceAction,
  TraceStep,
  Verdict,
} from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { playbookNamed, present } from '@casefile/pipeline';

/** A document of a case that was checked, with everything a check can come to: as the API answers it. */
export interface CheckedPolicy {
  policyId: string;
  version: number;
  title: string;
  /** The section whose title begins so. */
  section(title: string): PolicySection;
}

export const CHECKED_CASE = '01900000-0000-7000-8000-00000000c4ec';
const AT = '2026-01-05T10:00:00.000Z';
export const REASONING = 'The period of notice turns on the kind of claim, so its section comes first.';
const NOTICE = 'A household claim must be notified to us within 30 days of the loss date.';
/** Of the policy, but for case and white space. */
export const QUOTE = 'a household claim\n must be NOTIFIED to us within 30 days';

/** Would run if it were more than text. */
export const HOSTILE =
  '<img src=x onerror="window.ran = 1"> [press](javascript:window.ran=1) [go](/policies/%2e%2e/queues)';

const action = (over: Partial<TraceAction>): TraceAction => ({
  ...{ tool: 'pi_search', args: { query: 'notice of a claim', limit: 4 }, observation: '', cut: false },
  ...{ cached: false, reasonCode: null, toolCallId: null, durationMs: null },
  ...over,
});
const turn = (iteration: number, thought: string, actions: TraceAction[], forced = false): TraceStep => ({
  ...{ iteration, step: iteration, forced, thought, actions },
  ...{ tokens: { input: 1_200 * iteration, output: 80 }, costUsd: 0.0009 * iteration },
});

function call(id: string, tool: string, step: number, args: JsonObject, result: JsonObject): ToolCall {
  return {
    ...{ id, tool, step, args, result, runId: 'r', unit: 'notice', stage: 'reason', round: 1, seq: 0 },
    ...{ state: 'succeeded', attempts: 1, source: 'policy', reasonCode: null, message: null },
    ...{ durationMs: 34, createdAt: AT, settledAt: AT },
  };
}

function interaction(id: string, unit: string, step: number, toolCallId: string | null = null): Interaction {
  return {
    ...{ id, runId: 'r', unit, stage: 'reason', round: 1, step, attempt: 1, toolCallId },
    ...{ provider: 'simulator', model: 'scripted', promptId: 'policy-check/turn@1', requestHash: '00' },
    request: { messages: [{ role: 'system', content: 'You check one criterion.' }] },
    ...{
      draw: { seed: '00', deadlineAt: null },
      state: 'completed',
      response: {},
      content: '',
      toolCalls: [],
    },
    usage: { inputTokens: 1_200, outputTokens: 80, reasoningTokens: 20, cachedTokens: 0 },
    ...{ costUsd: 0.0009, latencyMs: 1_340, finishReason: 'tool_calls', errorCode: null, hasReasoning: true },
    ...{ reasoningContent: REASONING, reasoningSummary: null, reasoningSource: 'reasoning_content' },
    createdAt: AT,
  };
}

const CRITERIA = [
  { id: 'notice', text: 'Was the claim notified within the period that applies to it?' },
  { id: 'excess', text: 'Is the excess in the settlement draft the right one for this member?' },
  { id: 'estimates', text: 'Are there enough written estimates for the repair?' },
];
const FACTS: JsonObject[] = [
  {
    ...{ id: 'notified_on#1', name: 'notified_on', value: '2026-05-02', confidence: 0.98 },
    ...{ document: 'claim-form.pdf', page: 1 },
  },
  { id: 'repair_estimate#1', name: 'repair_estimate', value: 2000, unit: 'GBP', confidence: 0.94 },
];

/** The case, checked against a policy that is on the record. */
export function checkedCase(policy: CheckedPolicy): ShownCase {
  const results = [noticeMet(policy), excessClaimed(policy), estimatesOpen(policy)];
  const verdict: Verdict = {
    outcome: { status: 'UNCERTAIN', combine: { rule: 'all' }, criteria: results as unknown as JsonObject[] },
    ...{
      disposition: 'review',
      confidence: 0.3,
      confidenceSource: 'llm',
      method: 'llm',
      ...{ degraded: true, degradedBy: ['unfinished'], degradedNote: 'not finished' },
    },
    ...{ reasons: ['notice: met with 93 %'], citations: [], decidedAt: AT },
  };
  const { policyId, version, title } = policy;
  const input = {
    policy: { policyId, version, title },
    title: 'Burst hose',
    facts: FACTS,
    criteria: CRITERIA,
  };
  const brief: JsonObject = {
    ...{ text: 'Burst hose', textSource: 'payload', entities: {}, given: [], collect: true, notes: [] },
    ...{ receivedAt: AT, input: { ...input, combine: { rule: 'all' } } },
  };
  const link = `/policies/${policyId}/versions/${version}?node=${policy.section('4.1').nodeId}`;
  const markdown = `# Uncertain\n\n[4.1 Notice](${link}) and [elsewhere](/queues) and [up](/policies/../queues)`;
  const artifacts = [
    artifact('brief', '', brief),
    ...results.map((result) => artifact('draft', result.id, draftOf(result))),
    artifact('report', '', { title: 'Uncertain', markdown, citations: [] }),
    artifact('verdict', '', verdict as unknown as JsonObject),
  ];
  return shown(runOf(verdict, artifacts, policy));
}

function runOf(verdict: Verdict, artifacts: ArtifactRecord[], policy: CheckedPolicy): ShownRun {
  const section = policy.section('4.1');
  const found = { found: 1, nodes: [{ nodeId: section.nodeId, title: section.title, text: section.text }] };
  return {
    ...{
      id: 'r',
      caseId: CHECKED_CASE,
      alertId: 'a',
      lane: 'live',
      status: 'decided',
      stage: null,
      round: 1,
    },
    settings: aRunSettings({ playbook: 'policy-check', strategy: 'react', policy: 'combine-criteria' }),
    presentation: present(playbookNamed('policy-check').presenting, verdict, aRunSettings()),
    ...{ reasonCode: null, message: null, createdAt: AT, decidedAt: '2026-01-05T10:00:07.000Z' },
    ...{ units: [], trace: [], evidence: [], gaps: [], verdict, artifacts, cost: COST },
    toolCalls: [
      call('t1', 'pi_search', 1, { query: 'notice of a claim' }, found),
      call('t2', 'facts_get', 1, { name: 'notified_on' }, { found: 1 }),
    ],
    interactions: [
      ...[interaction('i1', 'notice', 1), interaction('i2', 'notice', 2), interaction('i3', 'excess', 1)],
      ...[interaction('i4', 'estimates', 11), interaction('i5', 'notice', 1, 't1')],
    ],
  };
}

const COST = {
  ...{ usd: 0.0135, interactions: 5, unpriced: 0 },
  ...{ inputTokens: 9_600, outputTokens: 400, reasoningTokens: 100, cachedTokens: 0 },
};

function shown(run: ShownRun): ShownCase {
  const alert = { id: 'a', playbook: 'policy-check', receivedAt: AT, payload: { title: 'Burst hose' } };
  return {
    ...{ id: CHECKED_CASE, caseId: CHECKED_CASE, playbook: 'policy-check', status: 'decided', alertCount: 1 },
    ...{ createdAt: AT, updatedAt: AT, alerts: [alert], runs: [run], cost: COST },
  };
}

function artifact(name: ArtifactRecord['artifact'], unit: string, body: JsonObject): ArtifactRecord {
  return { runId: 'r', unit, round: 1, artifact: name, body, createdAt: AT };
}

function draftOf(result: CriterionResult): JsonObject {
  return {
    ...{
      answer: result as unknown as JsonObject,
      explanation: result.rationale,
      claims: [],
      evidenceUsed: [],
    },
    ...{
      confidence: result.confidence,
      confidenceSource: 'llm',
      method: 'llm',
      strategy: 'react',
      remarks: [],
    },
  };
}

const made = ({ policyId, version }: CheckedPolicy, id: string) => ({
  ...{ id, text: CRITERIA.find((it) => it.id === id)?.text ?? '', policy: { policyId, version } },
  ...{
    strategy: 'react',
    promptId: 'policy-check/turn@1',
    model: 'scripted',
    tokens: { input: 3_600, output: 160 },
  },
  ...{ costUsd: 0.0027, claimed: null, refuted: [], citations: [], reasonCode: null },
});

function noticeMet(policy: CheckedPolicy): CriterionResult {
  const { nodeId, title, pages, text } = policy.section('4.1');
  const told = `[${nodeId}] ${title}\n  ${text}\n${'The whole of it is on the record. '.repeat(12)}`.slice(
    0,
    500,
  );
  return {
    ...{ ...made(policy, 'notice'), status: 'MET', confidence: 0.93, iterations: 2 },
    rationale: 'The loss was notified on the **last day** of the period.',
    citations: [
      { kind: 'quote', nodeId, quote: QUOTE, title, pages },
      { kind: 'fact', fact: 'notified_on', value: '2026-05-02', factIds: ['notified_on#1'] },
      { kind: 'absence', of: 'policy', asked: 'extension of the period' },
    ],
    trace: [
      turn(1, REASONING, [
        action({ observation: told, cut: true, toolCallId: 't1', durationMs: 34 }),
        action({
          ...{ tool: 'facts_get', args: { name: 'notified_on' }, toolCallId: 't2', durationMs: 2 },
          observation: 'fact notified_on#1: notified_on = 2026-05-02 (confidence 0.98, claim-form.pdf p. 1)',
        }),
      ]),
      turn(2, 'Both dates are known.', [
        action({ observation: told, cut: true, cached: true, toolCallId: 't1', durationMs: 0 }),
        action({ tool: 'finish', args: { status: 'MET', confidence: 0.93, rationale: NOTICE.repeat(8) } }),
      ]),
    ],
  };
}

function excessClaimed(policy: CheckedPolicy): CriterionResult {
  const node = policy.section('10.1').nodeId;
  return {
    ...{ ...made(policy, 'excess'), status: 'UNCERTAIN', confidence: 0.25, iterations: 1 },
    ...{ reasonCode: 'low_confidence', claimed: { status: 'NOT_MET', confidence: 0.9 } },
    rationale: 'The draft deducts less than the policy asks for.',
    refuted: [
      {
        citation: { kind: 'quote', nodeId: node, quote: 'The excess for escape of water is £200.' },
        ...{ state: 'says_otherwise', problem: 'quote_altered', instead: ['Escape of water: £350.'] },
      },
      {
        citation: { kind: 'quote', nodeId: node, quote: NOTICE },
        ...{ state: 'says_otherwise', problem: 'quote_elsewhere', instead: [policy.section('4.1').nodeId] },
      },
      {
        citation: { kind: 'quote', nodeId: '9999', quote: 'Nobody wrote this anywhere.' },
        ...{ state: 'does_not_exist', problem: 'unknown_node', instead: [] },
      },
      {
        citation: { kind: 'fact', fact: 'repair_estimate', value: 1500, unit: 'GBP' },
        ...{ state: 'says_otherwise', problem: 'other_value', instead: ['2000 GBP'] },
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
    ...{ ...made(policy, 'estimates'), status: 'UNCERTAIN', confidence: 0, iterations: 11 },
    ...{ reasonCode: 'max_iterations_reached', rationale: `It did not come to an end. ${HOSTILE}` },
    trace: [turn(11, '', [{ ...wrong, observation: `error unknown_tool ${HOSTILE}` }], true)],
  };
}
