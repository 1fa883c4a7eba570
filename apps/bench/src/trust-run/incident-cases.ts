import type { JsonObject, ModelRequest } from '@casefile/contracts';
import type { Analysis, IncidentScenario, Quote } from './read-set.js';
import {
  replyWith,
  callsOf,
  promptTextOf,
  turnsOf,
  type LabelledClaim,
  type LiveResult,
  type Reply,
  type TrustCase,
} from './trust-case.js';

const BEGAN = '2026-03-02T09:00:00Z';
const FIRING_SEVERITIES = ['critical', 'warning', 'info'] as const;
const FALSE_ALARM_SEVERITIES = ['warning', 'info'] as const;

/** Returns one investigation per answer: every look-up of the scenario, then its conclusion. */
export function incidentCases(scenarios: readonly IncidentScenario[]): TrustCase[] {
  return scenarios.flatMap((scenario) => {
    const firing = scenario.honest.every(({ falseAlarm }) => falseAlarm === undefined);
    const severities = firing ? FIRING_SEVERITIES : FALSE_ALARM_SEVERITIES;
    const honest = severities.flatMap((severity) =>
      scenario.honest.map((analysis, at) =>
        caseOf(scenario, severity, analysis, {
          id: `${scenario.id}-h${at + 1}-${severity}`,
          honest: true,
          contradicted: false,
          expected: firing ? ['act', 'review'] : ['dismiss'],
          claims: claimsOf(scenario, analysis, 'supports'),
        }),
      ),
    );
    const wrong = scenario.wrong.map((analysis, at) => {
      const claims = claimsOf(scenario, analysis, 'contradicts', analysis.against[1]);
      const severity = at % 2 === 0 ? 'critical' : 'warning';
      const { contradicted } = analysis;
      const common = { id: `${scenario.id}-w${at + 1}`, honest: false, contradicted, expected: [], claims };
      return caseOf(scenario, severity, analysis, common);
    });
    return [...honest, ...wrong];
  });
}

function claimsOf(
  { alert: [name] }: IncidentScenario,
  { causes, falseAlarm, summary }: Analysis,
  label: LabelledClaim['label'],
  against = '',
): LabelledClaim[] {
  const ofCauses = causes.map(([text, , quotes]) => ({
    text,
    label,
    quote: against || quotes[0]![1],
    cited: quotes.map(([, words]) => words),
  }));
  if (falseAlarm === undefined) return ofCauses;
  const cited = falseAlarm.map(([, words]) => words);
  return [
    ...ofCauses,
    { text: `“${name}” is a false alarm`, label, quote: against || cited[0]!, cited },
    { text: summary, label, quote: against },
  ];
}

type Common = Pick<TrustCase, 'id' | 'honest' | 'contradicted' | 'expected' | 'claims'>;

function caseOf(scenario: IncidentScenario, severity: string, analysis: Analysis, common: Common): TrustCase {
  const { alert, labels, reads } = scenario;
  const [name, summary] = alert;
  const body = {
    status: 'firing',
    labels: { alertname: name, severity, ...labels },
    annotations: { summary },
    startsAt: BEGAN,
    endsAt: '0001-01-01T00:00:00Z',
    fingerprint: common.id,
  };
  const results: Record<string, LiveResult[]> = {};
  for (const [tool, subject, result] of reads) (results[tool] ??= []).push({ subject, result });
  const payload: JsonObject = { title: `${name}: ${summary}`, alert: body };
  return {
    ...common,
    kind: 'incident',
    wrongWay: analysis.falseAlarm === undefined ? 'act' : 'dismiss',
    printable: true,
    conclusion: analysis.causes[0]?.[0] ?? `False alarm: ${analysis.summary}`,
    alert: { playbook: 'incident', payload, labels: { case: common.id } },
    results,
    reply: (request) => replyTo(request, scenario, analysis),
  };
}

function replyTo(request: ModelRequest, { reads }: IncidentScenario, analysis: Analysis): Reply {
  if (request.kind === 'partial-analysis') return { content: 'The look-ups are done.' };
  if (request.tools !== undefined && request.tools.length > 0) {
    const turn = turnsOf(request);
    if (turn > 0) return callsOf(turn, [{ name: 'stop', args: { reason: 'Everything is settled.' } }]);
    return callsOf(
      turn,
      reads.map(([tool, subject]) => ({ name: tool, args: { subject } })),
    );
  }
  // The question lists items of the evidence before the model's look-ups, so the ids are read from the
  // question.
  const heads = [...promptTextOf(request).matchAll(/^\[(E\d+)\] (\S+) (\{.*\})$/gm)];
  const cited = (quotes: readonly Quote[]) =>
    quotes.map(([read, words]) => {
      const [tool, subject] = reads[Number(read.slice(1)) - 1]!;
      const head = heads.find(([, , name, args]) => name === tool && args?.includes(JSON.stringify(subject)));
      return { id: head?.[1] ?? read, quote: words };
    });
  const { falseAlarm, impact = [false, 'Nothing is affected.'] } = analysis;
  return replyWith({
    summary: analysis.summary,
    hypotheses: analysis.causes.map(([cause, probability, quotes]) => ({
      cause,
      probability,
      citations: cited(quotes),
    })),
    ruledOut: analysis.out.map(([cause, quotes]) => ({ cause, citations: cited(quotes) })),
    actions: analysis.actions.map(([what, risk, reversible]) => ({ what, risk, reversible })),
    impact: { now: impact[0], what: impact[1] },
    falseAlarm: falseAlarm === undefined ? null : { is: true, citations: cited(falseAlarm) },
    confidence: analysis.confidence,
  });
}
