import type {
  Alert,
  Draft,
  Json,
  JsonObject,
  Report,
  Review,
  RunSettings,
  ToolCall,
  Verdict,
} from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { incident } from '../playbook.js';
import { answeredDraft, type Analysis } from '../result.js';
import { judgeByRules } from '../rules/judge-by-rules.js';
import { fakePorts, type FakePorts, type FakePortsOptions } from '@casefile/pipeline/testing/fake-ports';
import { aLookUp, aMonitoredAlert, anIncidentBrief, incidentEvidence } from './incident-builders.js';

/** An investigation whose look-ups and conclusion are given. */
export interface Investigated {
  /** Labels and further fields of the alert. */
  labels?: Record<string, string>;
  alert?: JsonObject;
  /** The whole alert. Default: the alert of a monitoring system with these labels and fields. */
  sent?: Alert;
  /** Look-ups of the model in order: E2, E3, ... */
  lookUps: readonly (readonly [tool: string, args: JsonObject, result: Json])[];
  analysis: Partial<Analysis>;
  /** Answers of the examiner, one per call; null: there is no model. Default: no answer in time. */
  examiner?: FakePortsOptions['script'];
  options?: JsonObject;
}

export interface JudgedIncident {
  verdict: Verdict;
  review: Review;
  report: Report;
  draft: Draft;
  ports: FakePorts;
}

const AT = '2026-03-02T09:00:00.000Z';

/** Judges the conclusion of an investigation by the playbook's own critique, decision and report. */
export async function judgeInvestigation(one: Investigated): Promise<JudgedIncident> {
  const settings = aRunSettings({
    playbook: 'incident',
    playbookVersion: incident.version,
    strategy: 'react',
    provider: 'fake',
    model: 'fake-1',
    // Examiners of these tests answer by the ids of the claims, so nothing is planted among them.
    options: { ...incident.options.defaults, plantedClaims: 0, ...one.options },
  });
  const ports = fakePorts({ playbook: incident, settings, script: one.examiner ?? null });
  const brief = anIncidentBrief(one.sent ?? aMonitoredAlert(one.labels, one.alert));
  const evidence = incidentEvidence();
  const calls = one.lookUps.map(([tool, args, result], place): ToolCall => ({
    ...aLookUp(tool, result, args),
    id: `call-${place}`,
  }));
  const end = {
    calls,
    trace: [],
    iterations: calls.length,
    model: 'fake-1',
    reasonCode: null,
    finished: { reason: 'done' },
    notes: [],
    remarks: [],
  };
  const analysis: Analysis = {
    summary: 'It was looked into.',
    hypotheses: [],
    ruledOut: [],
    actions: [],
    impact: { now: false, what: 'not known' },
    falseAlarm: null,
    confidence: 0.9,
    ...one.analysis,
  };
  const parts = answeredDraft(analysis, end, { brief, evidence, previous: {} });
  const draft: Draft = { ...parts, strategy: 'react', promptId: 'incident/select-tools@2' };
  const outcome = await incident.critique({ brief, evidence, draft, previous: {} }, ports);
  if (outcome.kind !== 'done') throw new Error(`the critique ended in ${outcome.kind}`);
  const review = outcome.artifact;
  const unit = { unit: '', brief, evidence, draft, review };
  const report = await incident.write([unit], ports);
  const verdict = incident.decision.decide([{ ...unit, report }], settings, AT, 'run-1', 'case-1');
  return { verdict, review, report, draft, ports };
}

/** Returns the verdict on an alert by rules, without a model and without look-ups. */
export function judgeByRulesAlone(sent: Alert, over: Partial<RunSettings> = {}): Verdict {
  const settings = aRunSettings({
    playbook: 'incident',
    playbookVersion: incident.version,
    strategy: 'heuristic',
    provider: 'none',
    options: incident.options.defaults,
    ...over,
  });
  const [brief, evidence] = [anIncidentBrief(sent), incidentEvidence()];
  const parts = judgeByRules({ brief, evidence, previous: {} });
  const draft: Draft = { ...parts, strategy: 'heuristic' };
  const review: Review = { ruling: 'PASS', findings: [], reviewer: 'none' };
  const unit = { unit: '', brief, evidence, draft, review };
  return incident.decision.decide([unit as never], settings, AT, 'run-1', 'case-1');
}

/** An examiner's answer: each claim by its id. */
export const examinerSays = (
  claims: Record<string, readonly [answer: 'supports' | 'contradicts' | 'not_in_it', quote?: string]>,
): string =>
  JSON.stringify({
    claims: Object.entries(claims).map(([id, [answer, quote = '']]) => ({ id, answer, quote })),
  });
