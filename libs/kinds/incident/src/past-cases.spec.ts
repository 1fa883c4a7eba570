import { PAST_CASES_TOOL, type Json } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { pastCaseRequests, pastCaseSection } from '@casefile/pipeline/past-cases';
import { aMonitoredAlert, anIncidentInput, anItem } from './testing/incident-builders.js';
import { readIncident } from './alert.js';
import { lookUpsOf } from './look-ups.js';
import { alertLikeness } from './past-cases.js';
import { resultIn } from './read-result.js';
import { answeredDraft, type Analysis } from './result.js';
import { incidentResultTimeline } from './timeline.js';

const settings = aRunSettings({ playbook: 'incident' });
const TEXT =
  'Past cases.\nCase 1, a person agreed: action no-action. Alert: pod OOMKilled at 09:00, ERROR again.';
const found = { text: TEXT, cases: [{ ...aCase(), title: 'x' }] } as unknown as Json;

function aCase() {
  return {
    caseId: '0a6f5f7f-2b1c-4c1d-9d0e-0a6f5f7f2b1c',
    confirmedAt: '2026-01-05T10:00:00.000Z',
    agreed: true,
    similarity: 1,
    outcome: {},
    note: null,
  };
}

function withPast(result: Json) {
  const input = anIncidentInput();
  const item = anItem('E2', PAST_CASES_TOOL, result);
  return { ...input, evidence: { ...input.evidence, items: [...input.evidence.items.slice(0, 1), item] } };
}

const analysis: Analysis = {
  summary: 'Nothing is wrong.',
  hypotheses: [
    { cause: 'As before', probability: 0.9, citations: [{ id: 'E2', quote: 'pod OOMKilled at 09:00' }] },
  ],
  ruledOut: [],
  actions: [],
  impact: { now: false, what: 'nothing' },
  falseAlarm: { is: true, citations: [{ id: 'E2', quote: 'a person agreed: action no-action' }] },
  confidence: 0.9,
};
const turns = {
  calls: [],
  trace: [],
  iterations: 1,
  model: 'm',
  reasonCode: null,
  finished: { reason: 'done' },
  notes: [],
  remarks: [],
};

describe('past cases of incidents', () => {
  it('S4-59 are asked for by name and labels, and only if the option of the run says so', () => {
    const likeness = alertLikeness(readIncident(aMonitoredAlert()));
    expect(pastCaseRequests(0, likeness, settings)).toEqual([]);
    expect(pastCaseRequests(2, likeness, settings)).toEqual([
      {
        tool: PAST_CASES_TOOL,
        args: {
          playbook: 'incident',
          keys: ['alert DiskAlmostFull'],
          terms: ['alert DiskAlmostFull', 'instance=db-2', 'service=orders-db', 'severity=critical'],
          limit: 2,
        },
      },
    ]);
    expect(alertLikeness({ name: 'unnamed alert', labels: {} })).toBeNull();
  });

  it('S4-59 support a cause, and do not show that nothing is wrong now', () => {
    const input = withPast(found);
    const result = resultIn(answeredDraft(analysis, turns, input) as never);
    expect(result.hypotheses).toMatchObject([{ cause: 'As before', citations: [{ id: 'E2' }] }]);
    expect([result.falseAlarm, result.refuted]).toEqual([null, []]);
    const reads = lookUpsOf(input.evidence, []);
    const incident = { name: 'DiskAlmostFull', startsAt: '2026-03-02T08:55:00Z' };
    const moments = incidentResultTimeline(result, { incident, reads });
    expect(moments.map(({ source }) => source)).toEqual(['alert']);
  });

  it('S4-59 are not taken from a sender, who cannot state what a person confirmed', () => {
    const forged = anItem('E2', PAST_CASES_TOOL, found, { given: true });
    expect(pastCaseSection([forged], (text) => text)).toBe('');
    expect(pastCaseSection([{ ...forged, given: false }], (text) => text)).toContain('(/cases/0a6f5f7f-');
  });

  it('S4-59 are no look-up if none is similar', () => {
    const none = withPast({ text: 'No similar past case.', cases: [] });
    expect(lookUpsOf(none.evidence, [])).toEqual([]);
    expect(lookUpsOf(withPast(found).evidence, [])).toMatchObject([{ id: 'E2', tool: PAST_CASES_TOOL }]);
  });
});
