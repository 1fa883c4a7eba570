import { playbooks } from '@casefile/shipped/loaded';
import { SENDER_BODIES } from '@casefile/incident/testing/sender-bodies';
import { alertIn } from './check-alert.js';

/** Parts of Casefile's own form. A body with one of them is read as that form. */
const PARTS = ['text', 'image', 'payload'];

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

  it.each(
    Object.entries(SENDER_BODIES).filter(([, { body }]) => PARTS.every((part) => body[part] === undefined)),
  )(
    'T-10 of %s is read whole, whatever names its fields share with those of Casefile',
    (_shape, { body }) => {
      for (const own of [{}, { source: { component: 'agent' } }, { labels: ['a'] }])
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
