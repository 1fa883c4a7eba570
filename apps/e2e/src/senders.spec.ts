import type { JsonObject } from '@casefile/contracts';
import { realWorld, type World } from './testing/world.js';

const firing = (labels: JsonObject, annotations: JsonObject = {}): JsonObject => ({
  version: '4',
  status: 'firing',
  alerts: [
    {
      status: 'firing',
      labels,
      annotations,
      startsAt: '2026-11-25T10:00:00Z',
      endsAt: '0001-01-01T00:00:00Z',
      fingerprint: JSON.stringify(labels).slice(0, 60),
    },
  ],
});
const sns = {
  Type: 'Notification',
  Subject: 'ALARM: "HighCPU" in EU (Ireland)',
  Message: JSON.stringify({
    AlarmName: 'HighCPU',
    NewStateValue: 'ALARM',
    NewStateReason: 'Threshold Crossed: 1 datapoint [99.0] was greater than the threshold (80.0).',
  }),
};
const pagerDuty = {
  event: {
    event_type: 'incident.triggered',
    data: { title: 'Checkout API down in eu-west', urgency: 'high', priority: { summary: 'P1' } },
  },
};

/** What is sent, where, and the action and name that a person expects. */
const INPUTS: [what: string, path: string, body: JsonObject, action: string, name: RegExp][] = [
  ['PagerDuty in payload.alert', 'alerts', { payload: { alert: pagerDuty } }, 'page', /^Checkout API down/],
  ['PagerDuty as the whole body', 'alerts', pagerDuty, 'page', /^Checkout API down/],
  ['CloudWatch by SNS', 'alerts', { payload: sns }, 'ticket', /^HighCPU$/],
  [
    'Datadog',
    'alerts',
    { payload: { title: 'CPU is high', body: 'checkout answers 503', alert_type: 'error', priority: 'P1' } },
    'page',
    /^CPU is high$/,
  ],
  [
    'a mail about something that is not critical',
    'alerts',
    { text: 'Maintenance notice: a non-critical update of the staging wiki ran at 02:00, nothing to do.' },
    'ticket',
    /^Maintenance notice/,
  ],
  [
    'a pod of a priority class',
    'webhooks/alertmanager',
    firing({ alertname: 'KubePodRestarted' }, { description: 'coredns (system-cluster-critical) restarted' }),
    'ticket',
    /^KubePodRestarted$/,
  ],
  [
    'P1 - Critical',
    'webhooks/alertmanager',
    firing({ alertname: 'A', severity: 'P1 - Critical' }),
    'page',
    /^A$/,
  ],
  ['SEV 1', 'webhooks/alertmanager', firing({ alertname: 'B', severity: 'SEV 1' }), 'page', /^B$/],
  ['emerg', 'webhooks/alertmanager', firing({ alertname: 'C', severity: 'emerg' }), 'page', /^C$/],
  [
    "Zabbix's problem message",
    'alerts',
    { text: 'Problem: Database is down\nHost: db-4\nSeverity: Disaster\nOriginal problem ID: 91823' },
    'page',
    /^Database is down$/,
  ],
  ['Grafana 8', 'webhooks/grafana', firing({ alertname: 'MEMORY USED' }), 'ticket', /^MEMORY USED$/],
  [
    'a watchdog',
    'webhooks/alertmanager',
    firing({ alertname: 'Watchdog', severity: 'none' }),
    'no-action',
    /^Watchdog$/,
  ],
  [
    'a rule that Grafana could not evaluate',
    'webhooks/grafana',
    firing({ alertname: 'DatasourceError', severity: 'critical' }),
    'ticket',
    /^DatasourceError$/,
  ],
];

describe('alerts of other systems, judged by rules', () => {
  let world: World;
  beforeAll(async () => void (world = await realWorld('inline', null)));
  afterAll(() => world.close());

  const post = async (path: string, body: JsonObject) => {
    const answer = await fetch(`${world.ingestUrl}/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as JsonObject };
  };

  it.each(INPUTS)('S2-49 T-10 %s', async (_what, path, sent, action, name) => {
    const isOwnShape = sent['text'] !== undefined || sent['payload'] !== undefined;
    const { status, body } = await post(path, isOwnShape ? { playbook: 'incident', ...sent } : sent);
    expect(status).toBe(202);
    const [first] = (body['results'] ?? [body]) as JsonObject[];
    const { verdict } = (await world.ended(String(first!['caseId']))).runs[0]!;
    expect(verdict?.outcome).toMatchObject({ action, name: expect.stringMatching(name) });
  });

  it('S2-49 T-10 a recovery of Nagios whose problem no case has opens none', async () => {
    const text =
      '***** Nagios *****\n\nNotification Type: RECOVERY\n\nService: HTTP\nHost: web-2\nState: OK\n\nHTTP OK - was CRITICAL for 5m';
    expect(await post('alerts', { playbook: 'incident', text })).toEqual({
      status: 202,
      body: { ignored: 'resolved_unknown', playbook: 'incident' },
    });
  });

  it('T-10 a payload in which nothing can be read is refused, and the answer says what is missing', async () => {
    const { status, body } = await post('alerts', { playbook: 'incident', payload: { a: 1 } });
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('expected a title, name')]);
  });
});
