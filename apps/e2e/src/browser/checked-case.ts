import type {
  ArtifactRecord,
  CriterionResult,
  Interaction,
  JsonObject,
  ShownCase,
  ShownRun,
  ToolCall,
  Verdict,
} from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { playbookNamed, present } from '@casefile/pipeline';
import { playbooks } from '@casefile/shipped/loaded';

import { checkedResults, CRITERIA, REASONING, type CheckedPolicy } from './checked-results.js';

export const CHECKED_CASE = '01900000-0000-7000-8000-00000000c4ec';
const AT = '2026-01-05T10:00:00.000Z';

function call(id: string, tool: string, step: number, args: JsonObject, result: JsonObject): ToolCall {
  return {
    id,
    tool,
    step,
    args,
    result,
    runId: 'r',
    unit: 'notice',
    stage: 'reason',
    round: 1,
    seq: 0,
    state: 'succeeded',
    attempts: 1,
    source: 'policy',
    reasonCode: null,
    message: null,
    durationMs: 34,
    createdAt: AT,
    settledAt: AT,
  };
}

function interaction(id: string, unit: string, step: number, toolCallId: string | null = null): Interaction {
  return {
    id,
    runId: 'r',
    unit,
    stage: 'reason',
    round: 1,
    step,
    attempt: 1,
    toolCallId,
    provider: 'simulator',
    model: 'scripted',
    promptId: 'policy-check/turn@1',
    requestHash: '00',
    request: { messages: [{ role: 'system', content: 'You check one criterion.' }] },
    draw: { seed: '00', deadlineAt: null },
    state: 'completed',
    response: {},
    content: '',
    toolCalls: [],
    usage: { inputTokens: 1_200, outputTokens: 80, reasoningTokens: 20, cachedTokens: 0 },
    costUsd: 0.0009,
    latencyMs: 1_340,
    finishReason: 'tool_calls',
    errorCode: null,
    hasReasoning: true,
    reasoningContent: REASONING,
    reasoningSummary: null,
    reasoningSource: 'reasoning_content',
    createdAt: AT,
  };
}

const FACTS: JsonObject[] = [
  {
    id: 'notified_on#1',
    name: 'notified_on',
    value: '2026-05-02',
    confidence: 0.98,
    document: 'claim-form.pdf',
    page: 1,
  },
  { id: 'repair_estimate#1', name: 'repair_estimate', value: 2000, unit: 'GBP', confidence: 0.94 },
];

/** Returns the case, checked against a recorded policy. */
export function checkedCase(policy: CheckedPolicy): ShownCase {
  const results = checkedResults(policy);
  const verdict: Verdict = {
    outcome: { status: 'UNCERTAIN', combine: { rule: 'all' }, criteria: results as unknown as JsonObject[] },
    disposition: 'review',
    confidence: 0.3,
    confidenceSource: 'llm',
    method: 'llm',
    degraded: true,
    degradedBy: ['unfinished'],
    degradedNote: 'not finished',
    reasons: ['notice: met with 93 %'],
    citations: [],
    decidedAt: AT,
  };
  const { policyId, version, title } = policy;
  const input = {
    policy: { policyId, version, title },
    title: 'Burst hose',
    facts: FACTS,
    criteria: CRITERIA,
  };
  const brief: JsonObject = {
    text: 'Burst hose',
    textSource: 'payload',
    entities: {},
    given: [],
    collect: true,
    notes: [],
    receivedAt: AT,
    input: { ...input, combine: { rule: 'all' } },
  };
  const link = `/policies/${policyId}/versions/${version}?node=${policy.section('4.1').nodeId}`;
  const markdown = `# Uncertain\n\n[4.1 Notice](${link}) and [elsewhere](/queues) and [up](/policies/../queues)`;
  const artifacts = [
    artifact('brief', '', brief),
    ...results.map((result) => artifact('draft', result.id, draftOf(result))),
    artifact('report', '', { title: 'Uncertain', markdown, citations: [] }),
    artifact('verdict', '', verdict as unknown as JsonObject),
  ];
  return caseWith(runOf(verdict, artifacts, policy));
}

function runOf(verdict: Verdict, artifacts: ArtifactRecord[], policy: CheckedPolicy): ShownRun {
  const section = policy.section('4.1');
  const searchResult = {
    found: 1,
    nodes: [{ nodeId: section.nodeId, title: section.title, text: section.text }],
  };
  return {
    id: 'r',
    caseId: CHECKED_CASE,
    alertId: 'a',
    lane: 'live',
    status: 'decided',
    stage: null,
    round: 1,
    settings: aRunSettings({ playbook: 'policy-check', strategy: 'react', policy: 'combine-criteria' }),
    presentation: present(playbookNamed('policy-check', playbooks).presenting, verdict, aRunSettings()),
    view: 'criteria',
    reasonCode: null,
    message: null,
    createdAt: AT,
    decidedAt: '2026-01-05T10:00:07.000Z',
    units: [],
    trace: [],
    evidence: [],
    gaps: [],
    verdict,
    artifacts,
    cost: COST,
    toolCalls: [
      call('t1', 'pi_search', 1, { query: 'notice of a claim' }, searchResult),
      call('t2', 'facts_get', 1, { name: 'notified_on' }, { found: 1 }),
    ],
    interactions: [
      interaction('i1', 'notice', 1),
      interaction('i2', 'notice', 2),
      interaction('i3', 'excess', 1),
      interaction('i4', 'estimates', 11),
      interaction('i5', 'notice', 1, 't1'),
    ],
  };
}

const COST = {
  usd: 0.0135,
  interactions: 5,
  unpriced: 0,
  inputTokens: 9_600,
  outputTokens: 400,
  reasoningTokens: 100,
  cachedTokens: 0,
};

function caseWith(run: ShownRun): ShownCase {
  const payload = { title: 'Burst hose' };
  const displayTitle = payload.title;
  const alert = { id: 'a', playbook: 'policy-check', receivedAt: AT, payload, displayTitle };
  return {
    id: CHECKED_CASE,
    caseId: CHECKED_CASE,
    playbook: 'policy-check',
    status: 'decided',
    alertCount: 1,
    createdAt: AT,
    updatedAt: AT,
    title: displayTitle,
    alerts: [alert],
    runs: [run],
    cost: COST,
    correction: null,
  };
}

function artifact(name: ArtifactRecord['artifact'], unit: string, body: JsonObject): ArtifactRecord {
  return { runId: 'r', unit, round: 1, artifact: name, body, createdAt: AT };
}

function draftOf(result: CriterionResult): JsonObject {
  return {
    answer: result as unknown as JsonObject,
    explanation: result.rationale,
    claims: [],
    evidenceUsed: [],
    confidence: result.confidence,
    confidenceSource: 'llm',
    method: 'llm',
    strategy: 'react',
    remarks: [],
  };
}
