import fc from 'fast-check';
import type { JsonObject } from '@casefile/contracts';
import { alertProblems, looksMonitored, readIncident } from '../alert.js';
import { chatCard } from './chat-card.js';
import { isNameOfRule } from './generic-names.js';
import { readSent } from './read-sent.js';
import { SEVERITY_SCALES, severityOfValue, type SeverityScale } from './severity.js';

/** Bodies of senders without a shape, in the form that each documents, with own names. */
const BODIES: [string, JsonObject, object][] = [
  [
    'Splunk, webhook action',
    {
      sid: 'scheduler__admin__search__1',
      search_name: 'Checkout errors over 20 in 5 min',
      app: 'search',
      owner: 'ops',
      results_link: 'https://splunk.example/app/search/1',
      result: { host: 'web-4', count: '31', severity: 'critical' },
    },
    { name: 'Checkout errors over 20 in 5 min', severity: 'critical', labels: { host: 'web-4' } },
  ],
  [
    'Kibana, rule action with all variables',
    {
      context: { title: 'rule CPU of hosts matched', message: 'web-4 is over 95 %' },
      alert: { id: 'web-4', actionGroup: 'metrics.threshold.fired', actionGroupName: 'Alert' },
      rule: { id: 'r-1', name: 'CPU of hosts', spaceId: 'default' },
      date: '2026-01-05T10:00:00Z',
    },
    { name: 'CPU of hosts', summary: 'web-4 is over 95 %', state: 'firing' },
  ],
  [
    'Kibana, recovered',
    {
      rule: { id: 'r-1', name: 'CPU of hosts' },
      alert: { id: 'web-4', actionGroup: 'recovered', actionGroupName: 'Recovered' },
      context: { reason: 'web-4 is at 40 %' },
    },
    { name: 'CPU of hosts', state: 'resolved' },
  ],
  [
    'PRTG, HTTP notification as JSON',
    {
      sensor: 'HTTP shop',
      sensorid: '2044',
      device: 'web-4',
      status: 'Down',
      message: 'Timeout after 30 s',
      lastvalue: '0 msec',
      link: 'https://prtg.example/sensor.htm?id=2044',
    },
    { name: 'HTTP shop', summary: 'Timeout after 30 s', state: 'firing', labels: { instance: 'web-4' } },
  ],
  [
    'PRTG, recovery',
    { sensor: 'HTTP shop', sensorid: '2044', device: 'web-4', status: 'Up', message: 'OK' },
    { name: 'HTTP shop', state: 'resolved' },
  ],
  [
    'Graylog, event notification',
    {
      event_definition_id: '5f1',
      event_definition_title: 'Failed logins of one account',
      event: { id: '01', message: 'Failed logins: 12', priority: 3, timestamp: '2026-01-05T10:00:00.000Z' },
      backlog: [],
    },
    { name: 'Failed logins of one account' },
  ],
  [
    'Pingdom',
    {
      check_id: 12345,
      check_name: 'Shop front page',
      current_state: 'DOWN',
      importance_level: 'HIGH',
      long_description: 'Timeout (> 30s)',
    },
    { name: 'Shop front page', severity: 'warning', state: 'firing' },
  ],
  [
    'Teams, MessageCard with facts',
    {
      '@type': 'MessageCard',
      title: 'Prometheus alert (firing)',
      sections: [
        {
          activityTitle: 'Queue of orders grows',
          facts: [
            { name: 'severity', value: 'critical' },
            { name: 'namespace', value: 'shop' },
          ],
        },
      ],
    },
    { severity: 'critical', labels: { namespace: 'shop' } },
  ],
  [
    'Teams, Adaptive Card',
    {
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            type: 'AdaptiveCard',
            version: '1.4',
            body: [
              { type: 'TextBlock', text: 'Queue of orders grows', weight: 'Bolder' },
              { type: 'TextBlock', text: '4,200 orders wait.', wrap: true },
              {
                type: 'Container',
                items: [
                  {
                    type: 'FactSet',
                    facts: [
                      { title: 'Severity', value: 'critical' },
                      { title: 'Namespace', value: 'shop' },
                    ],
                  },
                ],
              },
            ],
            actions: [{ type: 'Action.OpenUrl', title: 'Open', url: 'https://g.example/d/1' }],
          },
        },
      ],
    },
    {
      name: 'Queue of orders grows',
      summary: '4,200 orders wait.',
      severity: 'critical',
      labels: { namespace: 'shop' },
      links: ['https://g.example/d/1'],
    },
  ],
  [
    'Slack, blocks',
    {
      channel: '#ops',
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'Queue of orders grows' } },
        {
          type: 'section',
          fields: [
            { type: 'mrkdwn', text: '*Severity:*\ncritical' },
            { type: 'mrkdwn', text: '*Cluster:* eu-1' },
          ],
        },
        {
          type: 'actions',
          elements: [
            { type: 'button', text: { type: 'plain_text', text: 'Open' }, url: 'https://g.example/d/1' },
          ],
        },
      ],
    },
    {
      name: 'Queue of orders grows',
      severity: 'critical',
      labels: { cluster: 'eu-1' },
      links: ['https://g.example/d/1'],
    },
  ],
  [
    'Slack, attachment with fields',
    {
      attachments: [
        {
          title: '[FIRING:1] Queue of orders grows',
          fields: [{ title: 'Severity', value: 'critical', short: true }],
          color: 'danger',
        },
      ],
    },
    { name: '[FIRING:1] Queue of orders grows', severity: 'critical' },
  ],
];

describe('T-10 alerts of senders without a shape', () => {
  it.each(BODIES)('are read: %s', (_sender, body, reads) => {
    for (const payload of [body, { alert: body }]) {
      expect(alertProblems({ payload })).toEqual([]);
      expect(readIncident({ payload })).toMatchObject(reads);
    }
  });

  it('are recognised as alerts, if they have a name and a state or severity', () => {
    for (const [, body] of BODIES.filter(([sender]) => !sender.startsWith('Kibana, rule')))
      expect(looksMonitored({ payload: body })).toBe(true);
  });

  it('keep the whole payload if its object `alert` holds nothing readable', () => {
    const payload = { alert: { id: '7', ok: true }, rule: { name: 'Disk is full' } };
    expect(readIncident({ payload }).name).toBe('Disk is full');
    const own = { alert: { title: 'Disk is full' }, rule: { name: 'other' } };
    expect(readIncident({ payload: own }).name).toBe('Disk is full');
  });

  it.each(['savedsearchname', 'eventdefinitiontitle', 'myalertname', 'triggerrulename'])(
    'take %s for the name of a rule',
    (plain) => expect(isNameOfRule(plain)).toBe(true),
  );

  it.each(['username', 'hostname', 'servicename', 'actiongroupname', 'displayname', 'title', 'filename'])(
    'do not take %s for one',
    (plain) => expect(isNameOfRule(plain)).toBe(false),
  );

  it('take no number for a name', () => {
    expect(readSent({ sensor: 21.5, message: 'It is hot in rack 4' }).name).toBe('It is hot in rack 4');
  });
});

/** Scale, value and level. */
const VALUES: [SeverityScale, string, string][] = [
  ['guardduty', '1', 'info'],
  ['guardduty', '3.9', 'info'],
  ['guardduty', '5', 'warning'],
  ['guardduty', '8.0', 'warning'],
  ['guardduty', '9.5', 'critical'],
  ['guardduty', '10', 'critical'],
  ['guardduty', '11', 'unknown'],
  ['wazuh', '3', 'info'],
  ['wazuh', '7', 'warning'],
  ['wazuh', '12', 'warning'],
  ['wazuh', '15', 'critical'],
  ['wazuh', '16', 'unknown'],
  ['azure', '0', 'critical'],
  ['azure', '1', 'critical'],
  ['azure', '2', 'warning'],
  ['azure', '3', 'info'],
  ['azure', '4', 'info'],
  ['azure', 'Sev0', 'critical'],
  ['azure', 'Sev3', 'info'],
  ['rollbar', '10', 'info'],
  ['rollbar', '30', 'warning'],
  ['rollbar', '40', 'warning'],
  ['rollbar', '50', 'critical'],
  ['rollbar', 'error', 'warning'],
];

describe('T-10 scales of senders', () => {
  it.each(VALUES)('%s: %s is %s', (scale, value, level) => expect(severityOfValue(value, scale)).toBe(level));

  it('never read a number without a scale, and read words alike on each', () => {
    for (const value of ['8', '12', '40']) expect(severityOfValue(value)).toBe('unknown');
    for (const scale of SEVERITY_SCALES) expect(severityOfValue('critical', scale)).toBe('critical');
  });
});

describe('T-10 any body', () => {
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.string(),
      fc.double(),
      fc.constant(null),
      tie('list'),
      tie('object'),
    ),
    list: fc.array(tie('value'), { maxLength: 5 }),
    object: fc.dictionary(
      fc.constantFrom(
        'type',
        'text',
        'body',
        'facts',
        'fields',
        'items',
        'blocks',
        'attachments',
        'content',
        'rule',
        'alert',
        'name',
        'value',
        'source',
        '__proto__',
      ),
      tie('value'),
      { maxKeys: 6 },
    ),
  })).object;

  it('is read without an error, and the same twice', () => {
    fc.assert(
      fc.property(json, (body) => {
        const payload = body as JsonObject;
        expect(readIncident({ payload })).toEqual(readIncident({ payload }));
        expect(() => looksMonitored({ payload })).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });

  /** Counts reads of properties of a body while it is read. */
  const readsOf = (body: JsonObject): number => {
    let reads = 0;
    const counted = <T>(value: T): T =>
      typeof value !== 'object' || value === null
        ? value
        : (new Proxy(value, {
            get: (target, key, receiver) => ((reads += 1), counted(Reflect.get(target, key, receiver) as T)),
          }) as T);
    readSent(counted(body));
    return reads;
  };

  it('takes no more steps for more blocks, levels, facts and fields than a bound', () => {
    const card = (count: number): JsonObject => {
      let nested: JsonObject = { type: 'TextBlock', text: 'deep' };
      for (let i = 0; i < count; i += 1) nested = { type: 'Container', items: [nested] };
      const facts = Array.from({ length: count }, (_, i) => ({ title: `f${i}`, value: `v${i}` }));
      const blocks = Array.from({ length: count }, () => ({ type: 'FactSet', facts }));
      return { type: 'AdaptiveCard', body: [nested, ...blocks] };
    };
    const [some, more] = [readsOf(card(400)), readsOf(card(800))];
    expect(more).toBeLessThan(some * 2.5);
    expect(Object.keys(chatCard(card(5_000)) ?? {}).length).toBeLessThanOrEqual(203);
  });

  it('reads a field of a chat message in linear time', () => {
    for (const text of [
      '*'.repeat(50_000),
      `*${'a '.repeat(20_000)}`,
      `*a:*${' '.repeat(50_000)}`,
      '\n'.repeat(50_000),
    ]) {
      const blocks = Array.from({ length: 100 }, () => ({ type: 'section', text: { type: 'mrkdwn', text } }));
      expect(() => chatCard({ blocks })).not.toThrow();
    }
  });
});
