import { playbooks } from '@casefile/shipped/loaded';
import { alertIn } from './check-alert.js';

/** Alerts as three other systems post them. */
const OTHERS = {
  PagerDuty: {
    event: { event_type: 'incident.triggered', data: { title: 'Checkout is down', urgency: 'high' } },
  },
  Sentry: { action: 'triggered', data: { event: { title: 'TypeError', level: 'fatal' } } },
  'a script': { title: 'Backup failed', severity: 'high', host: 'backup-1' },
};

describe('a body without text, image and payload', () => {
  it.each(Object.entries(OTHERS))('T-10 of %s becomes the payload of an alert', (_sender, body) => {
    expect(alertIn(body, playbooks)).toEqual({ payload: body });
    expect(alertIn({ ...body, playbook: 'incident' }, playbooks)).toEqual({
      playbook: 'incident',
      payload: { ...body, playbook: 'incident' },
    });
  });

  it.each([{}, { source: { component: 'agent' } }, { labels: ['a'] }, { source: 7, receivedAt: {} }])(
    'T-10 is read whole, whatever names its fields share with those of Casefile: %j',
    (own) => {
      const event = {
        involvedObject: { kind: 'Pod', name: 'cart-5f' },
        reason: 'FailedScheduling',
        message: '0/3 nodes are available',
        type: 'Warning',
      };
      for (const body of [event, ...Object.values(OTHERS)])
        expect(alertIn({ ...own, ...body }, playbooks)).toEqual({ payload: { ...own, ...body } });
    },
  );

  it.each([
    ['an alert of our own', { text: 'hello' }],
    ['an alert with a payload', { payload: { title: 'x', severity: 'critical' } }],
    ['a body that no kind recognises', { hello: 'world' }],
    ['a body of a kind that cannot read it', { playbook: 'scam-verdict', tetx: 'hello' }],
    ['a body of a kind that does not exist', { playbook: 'nothing', title: 'x', severity: 'critical' }],
    ['an empty body', {}],
    ['a list', []],
    ['a text', 'x'],
  ])('T-10 stays as it is where it is %s', (_what, body) => {
    expect(alertIn(body, playbooks)).toBe(body);
  });
});
