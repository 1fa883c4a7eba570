import type { Verdict } from '@casefile/contracts';
import { aMonitoredAlert, anIncidentBrief } from './testing/incident-builders.js';
import { notice } from './notice.js';

const RUNBOOK = 'https://wiki.example/disk';
const PAGE = 'https://grafana.example/d/disk';
const step = { what: 'Delete old logs', risk: 'low', reversible: false, ofRunbook: true, citations: [] };

/** Returns what an alert with these annotations asks for first. */
function firstOf(annotations: Record<string, string>, more: object = {}, actions: object[] = []) {
  const alert = aMonitoredAlert(
    {},
    { annotations: { summary: 'The disk is full', ...annotations }, ...more },
  );
  const verdict = { outcome: { name: 'DiskAlmostFull', actions }, reasons: [] } as unknown as Verdict;
  return notice({ verdict, brief: anIncidentBrief(alert), evidence: null }).first;
}

describe('the first step for the person on call', () => {
  it('is the first one of the runbook, if it was read', () => {
    expect(firstOf({ runbook_url: RUNBOOK }, {}, [step])).toBe('Delete old logs');
  });

  it('is to open the runbook of the sender, else its page', () => {
    expect(firstOf({ runbook_url: RUNBOOK, dashboard_url: PAGE })).toBe(`Open the runbook: ${RUNBOOK}`);
    expect(firstOf({ dashboard_url: PAGE })).toBe(`Open the page of the alert: ${PAGE}`);
  });

  it('is unknown without an address that can be shown, and when the alert is over', () => {
    const long = `https://wiki.example/${'a'.repeat(200)}`;
    for (const address of [long, 'javascript:alert(1)', 'see the wiki', ''])
      expect([address, firstOf({ runbook_url: address })]).toEqual([address, null]);
    expect(
      firstOf({ runbook_url: RUNBOOK }, { status: 'resolved', endsAt: '2026-03-02T09:55:00Z' }),
    ).toBeNull();
  });
});
