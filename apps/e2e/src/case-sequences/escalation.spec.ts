import { pagedWorld, type PagedWorld } from './paged-world.js';

let world: PagedWorld;
beforeAll(async () => void (world = await pagedWorld()));
afterAll(() => world?.close());

const incident = (payload: object) => ({ playbook: 'incident', payload });
const pagerDuty = (event_type: string, status: string, priority: string, id: string) => ({
  event: { event_type, data: { id, title: 'Checkout is slow', status, priority: { summary: priority } } },
});
/** Escalations under one id, as senders report them: a warning, then the same alert with a higher severity. */
const SENDERS: Record<string, [object, object]> = {
  zabbix: [
    {
      trigger_id: 't1',
      event_id: 'e1',
      event_name: 'Free space on / below 10 %',
      event_severity: 'Warning',
      event_status: 'PROBLEM',
      host_name: 'db-2',
    },
    { event_severity: 'Disaster' },
  ],
  servicenow: [
    {
      number: 'INC1',
      short_description: 'Mail queue is stuck',
      priority: '4 - Low',
      state: 'New',
      opened_at: '2026-11-28 20:30:00',
    },
    { priority: '1 - Critical' },
  ],
  'pagerduty, of an incident that a person acknowledged': [
    pagerDuty('incident.triggered', 'triggered', 'P4', 'p1'),
    pagerDuty('incident.priority_updated', 'acknowledged', 'P1', 'p1'),
  ],
  'pagerduty, in the acknowledgement itself': [
    pagerDuty('incident.triggered', 'triggered', 'P4', 'p2'),
    pagerDuty('incident.acknowledged', 'acknowledged', 'P1', 'p2'),
  ],
  datadog: [
    {
      title: '[Warn] p99 of checkout',
      alert_type: 'warning',
      alert_transition: 'Warn',
      alert_id: 'd1',
      aggreg_key: 'k1',
      body: 'p99 is 2 s',
    },
    {
      title: '[Triggered] p99 of checkout',
      alert_type: 'error',
      alert_transition: 'Triggered',
      priority: 'P1',
    },
  ],
  'google cloud': [
    {
      incident: {
        incident_id: 'g1',
        state: 'open',
        policy_name: 'Disk of the ledger',
        severity: 'Warning',
        started_at: 1_764_361_800,
      },
    },
    {
      incident: {
        incident_id: 'g1',
        state: 'open',
        policy_name: 'Disk of the ledger',
        severity: 'Critical',
        started_at: 1_764_361_800,
      },
    },
  ],
};

it.each(Object.entries(SENDERS))(
  'an escalation of %s under the same id is judged again in its case, and pages',
  async (_name, [first, rise]) => {
    const [opened] = await world.send(incident(first));
    const caseId = opened?.caseId ?? '';
    await world.settled(caseId);
    expect(world.pages(caseId)).toEqual([]);
    expect(await world.send(incident({ ...first, ...rise }))).toMatchObject([{ caseId, joined: true }]);
    const shown = await world.settled(caseId);
    expect(shown.verdict).toMatchObject({ disposition: 'act', outcome: { severity: 'critical' } });
    expect(world.pages(caseId)).toHaveLength(1);
    // A lower severity, and the same one again, change nothing by themselves.
    await world.send(incident(first));
    await world.send(incident({ ...first, ...rise }));
    expect((await world.settled(caseId)).runs).toHaveLength(2);
    expect(world.pages(caseId)).toHaveLength(1);
  },
);

it('a page leaves once if the severity rises by two steps, and in the order of the verdicts', async () => {
  const alert = (severity: string) => ({
    version: '4',
    status: 'firing',
    alerts: [
      {
        status: 'firing',
        labels: { alertname: 'QueueLag', severity, service: 'orders' },
        annotations: { summary: 'The queue is behind' },
        startsAt: '2026-11-28T20:30:00Z',
        fingerprint: 'f-rise',
      },
    ],
  });
  let caseId = '';
  for (const severity of ['info', 'warning', 'critical', 'warning', 'critical']) {
    const [answer] = await world.send(alert(severity), '/v1/webhooks/alertmanager');
    caseId = answer?.caseId ?? '';
    await world.settled(caseId);
  }
  expect((await world.settled(caseId)).runs).toHaveLength(3);
  expect(world.pages(caseId)).toHaveLength(1);
  expect(
    world.messages(caseId).map(({ data }) => (data as { verdict: { outcome: object } }).verdict.outcome),
  ).toMatchObject([{ severity: 'info' }, { severity: 'warning' }, { severity: 'critical' }]);
});

it('a rerun of an acknowledgement that escalated its case judges the escalation too, and pages no one', async () => {
  const [opened] = await world.send(incident(pagerDuty('incident.triggered', 'triggered', 'P4', 'p3')));
  const caseId = opened?.caseId ?? '';
  await world.settled(caseId);
  await world.send(incident(pagerDuty('incident.acknowledged', 'acknowledged', 'P1', 'p3')));
  await world.settled(caseId);
  const asked = await world.ask(`/cases/${caseId}/runs`, { lane: 'batch', evidence: 'fresh' });
  expect(asked).toMatchObject({ status: 202 });
  const { runs } = await world.settled(caseId);
  expect(runs.map(({ verdict }) => verdict?.disposition)).toEqual(['review', 'act', 'act']);
  expect(world.pages(caseId)).toHaveLength(1);
});
