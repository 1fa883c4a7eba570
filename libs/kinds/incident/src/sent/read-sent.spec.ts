import fc from 'fast-check';
import type { AlertInput, Json, JsonObject } from '@casefile/contracts';
import { alertProblems, readIncident, looksMonitored, occurrence, incidentText } from '../alert.js';
import { SENDER_BODIES } from '../testing/sender-bodies.js';
import { PRESETS } from './sender-shape.js';
import { SENDERS } from './senders.js';

/** Bodies of senders that have no shape of their own. */
const OTHERS: [string, JsonObject, object][] = [
  [
    'New Relic workflows',
    {
      title: 'Apdex is low',
      priority: 'CRITICAL',
      state: 'ACTIVATED',
      issueUrl: 'https://nr.example/i/1',
      issueId: 'i1',
    },
    { name: 'Apdex is low', severity: 'critical', state: 'firing', links: ['https://nr.example/i/1'] },
  ],
  [
    'Uptime Kuma',
    {
      heartbeat: { status: 0, msg: 'connect ECONNREFUSED' },
      monitor: { name: 'shop' },
      msg: '[shop] [Down] connect ECONNREFUSED',
    },
    { name: '[shop] [Down] connect ECONNREFUSED' },
  ],
  [
    'Dynatrace problem notifications',
    {
      ProblemTitle: 'High failure rate',
      ProblemSeverity: 'ERROR',
      State: 'RESOLVED',
      ProblemID: '999',
      ProblemURL: 'https://dt.example/p',
    },
    { name: 'High failure rate', severity: 'warning', state: 'resolved' },
  ],
  [
    'a script',
    { alert: { name: 'Backup failed', priority: 'high', host: 'backup-1', details: { exit: 3 } } },
    { name: 'Backup failed', severity: 'warning', labels: { host: 'backup-1' } },
  ],
  [
    'tags as a list',
    { title: 'Queue grows', tags: ['env:prod', 'team:shop'] },
    { labels: { env: 'prod', team: 'shop' } },
  ],
];

const placed: [string, (body: JsonObject) => AlertInput][] = [
  ['as payload', (body) => ({ payload: body })],
  ['as payload.alert', (body) => ({ payload: { alert: body } })],
];

describe('alerts of other systems', () => {
  it('T-10 has a body for every shape', () => {
    expect(Object.keys(SENDER_BODIES).sort()).toEqual(SENDERS.map(({ name }) => name).sort());
  });

  describe.each(placed)('%s', (_place, place) => {
    it.each(Object.entries(SENDER_BODIES))(
      'S2-40 T-10 of %s are read, and their words reach the prompt',
      (_name, { body, reads, words }) => {
        const alert = place(body);
        expect(alertProblems(alert)).toEqual([]);
        expect(looksMonitored(alert)).toBe(true);
        const incident = readIncident(alert);
        expect(incident).toMatchObject(reads);
        if (words !== undefined) expect(incidentText(incident)).toContain(words);
      },
    );

    it.each(OTHERS)('T-10 of %s are read by the usual names of their fields', (_name, body, reads) => {
      expect(alertProblems(place(body))).toEqual([]);
      expect(readIncident(place(body))).toMatchObject(reads);
    });
  });

  it('S2-40 join the case that the same id opened, and end it', () => {
    const { body } = SENDER_BODIES['pagerduty-v3']!;
    const event = body['event'] as JsonObject;
    const resolved = {
      event: { ...event, event_type: 'incident.resolved', occurred_at: '2026-01-05T11:00:00Z' },
    };
    const [first, last] = [body, resolved].map((one) => occurrence({ payload: one as JsonObject }));
    expect(first).toMatchObject({
      key: 'pagerduty-v3 PGR0VU2',
      startedAt: '2026-01-05T10:00:00.000Z',
      resolved: false,
    });
    expect(last).toMatchObject({ key: 'pagerduty-v3 PGR0VU2', startedAt: null, resolved: true });
  });

  it.each(Object.entries(SENDER_BODIES).filter(([shape]) => shape !== 'monitored-alert'))(
    'S2-40 T-10 of %s are read by a webhook that names their sender, and by no other',
    (shape, { body, reads }) => {
      const own = PRESETS.filter((preset) => shape.startsWith(preset));
      expect(own).toHaveLength(1);
      for (const preset of PRESETS) {
        const alert = { payload: { alert: body, webhook: { name: 'x', reads: preset } } };
        if (own.includes(preset)) expect(readIncident(alert)).toMatchObject(reads);
        if (preset === 'generic') continue;
        expect(alertProblems(alert).map(({ path }) => path)).toEqual(
          own.includes(preset) ? [] : ['payload.alert'],
        );
      }
    },
  );

  it('S2-40 are read by the fields of a mapping alone, and join by name and labels without an id', () => {
    const alert = {
      name: 'Backup failed',
      summary: 'No space left',
      severity: 'P1',
      status: 'closed',
      links: ['https://a.example/1'],
      labels: { alertname: 'other', severity: 'info' },
    };
    const sent = { title: 'another title', deep: { value: 97.31 }, severity: 'low' };
    const payload = { alert, sent, webhook: { name: 'x', reads: 'mapped' } };
    const incident = readIncident({ payload });
    expect(incident).toMatchObject({
      name: 'Backup failed',
      summary: 'No space left',
      severity: 'critical',
      state: 'resolved',
      links: ['https://a.example/1'],
    });
    expect(incidentText(incident)).toContain('deep.value: 97.31');
    expect(incidentText(incident).match(/No space left/g)).toHaveLength(1);
    const key = { key: 'mapped ["Backup failed",{"alertname":"other","severity":"info"}]', resolved: true };
    expect(occurrence({ payload })).toMatchObject(key);
    expect(occurrence({ payload: { ...payload, alert: { ...alert, key: 'b7' } } })?.key).toBe('mapped b7');
  });

  it.each([
    ['nothing', {}],
    ['figures alone', { a: 1, b: [2, 3] }],
    ['an empty alert', { alert: {} }],
    ['nulls', { title: null, message: '', labels: {} }],
  ])('T-10 that have %s are refused with what is missing', (_what, payload) => {
    expect(alertProblems({ payload: payload as JsonObject })).toEqual([
      {
        path: expect.stringContaining('payload'),
        message: expect.stringContaining('expected a title, name, summary'),
      },
    ]);
  });

  it('T-10 are named by the friendly names and details that uptime monitors send', () => {
    const payload = {
      monitorFriendlyName: 'help.shop.example',
      monitorURL: 'https://help.shop.example',
      alertType: '1',
      alertTypeFriendlyName: 'Down',
      alertDetails: 'HTTP 503 - Service Unavailable',
    };
    expect(alertProblems({ payload })).toEqual([]);
    expect(readIncident({ payload })).toMatchObject({
      name: 'help.shop.example',
      summary: 'HTTP 503 - Service Unavailable',
      state: 'firing',
    });
  });

  it('T-10 show the whole body, bounded', () => {
    const metrics = Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`m${i}`, 'x'.repeat(900)]));
    const text = incidentText(
      readIncident({
        payload: { title: 'Many', severity: 'critical', deep: { er: { value: 42 } }, metrics },
      }),
    );
    expect(text).toContain('deep.er.value: 42');
    expect(text.length).toBeLessThan(12_000);
  });

  it('T-10 are read whatever they hold', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 6 })), (payload) => {
        const alert = { payload: payload as Record<string, Json> };
        incidentText(readIncident(alert));
        alertProblems(alert);
        occurrence(alert);
      }),
    );
  });
});
