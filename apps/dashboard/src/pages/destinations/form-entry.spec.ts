import { EMPTY, fieldsEntry, problemsByField, shownFields, type DestinationFields } from './form-entry.js';

const FILLED: DestinationFields = {
  ...EMPTY,
  name: 'team',
  type: 'template',
  secret: '${DESTINATION_KEY}',
  headers: 'authorization: Bearer ${DESTINATION_TOKEN}\nx-team: a:b',
  body: '{ "text": "{{text}}" }',
  events: ['verdict', 'condition'],
  condition: 'provider_out, queue_out',
  conditionSeverity: ['error'],
  playbook: ['incident', 'research'],
  disposition: ['act'],
  severity: 'critical',
  confidence: '0.5',
  labels: 'team=checkout',
  escalateTo: 'oncall',
  afterSeconds: '60',
  acknowledgeWithinSeconds: '900',
  testCron: '0 9 * * 1',
  testTimezone: 'Europe/Berlin',
};

describe('the form of a destination', () => {
  it('sends only fields that are filled, and shows the same fields again', () => {
    expect(fieldsEntry({ ...EMPTY, url: ' https://a.example/in ' })).toEqual({
      type: 'webhook',
      url: 'https://a.example/in',
      when: {},
      allowPrivate: false,
    });
    const entry = fieldsEntry(FILLED);
    expect(entry).toMatchObject({
      escalateTo: 'oncall',
      afterSeconds: 60,
      acknowledgeWithinSeconds: 900,
      testCron: '0 9 * * 1',
      testTimezone: 'Europe/Berlin',
      headers: { authorization: 'Bearer ${DESTINATION_TOKEN}', 'x-team': 'a:b' },
      when: {
        events: ['verdict', 'condition'],
        condition: ['provider_out', 'queue_out'],
        conditionSeverity: ['error'],
        playbook: ['incident', 'research'],
        disposition: ['act'],
        severity: ['critical'],
        confidence: 0.5,
        labels: { team: 'checkout' },
      },
    });
    expect(shownFields({ name: 'team', entry })).toEqual(FILLED);
  });

  it('leaves out conditions that the chosen events do not have', () => {
    expect(fieldsEntry({ ...FILLED, events: ['review'] }).when).toEqual({
      events: ['review'],
      playbook: ['incident', 'research'],
      disposition: ['act'],
      severity: ['critical'],
      confidence: 0.5,
      labels: { team: 'checkout' },
    });
  });

  it('leaves out fields that the chosen type does not have', () => {
    expect(Object.keys(fieldsEntry({ ...FILLED, type: 'slack', channel: 'C1' })).sort()).toEqual([
      'acknowledgeWithinSeconds',
      'afterSeconds',
      'allowPrivate',
      'channel',
      'escalateTo',
      'secret',
      'testCron',
      'testTimezone',
      'type',
      'when',
    ]);
  });

  it('shows each problem of the API at its field, and all others at the form', () => {
    const problems = [
      { path: 'destination.url', message: 'expected a URL' },
      { path: 'destination.when.playbook', message: 'no such playbook' },
      { path: 'destination.headers.authorization', message: 'expected a variable' },
      { path: 'name', message: 'expected a name' },
      { path: 'actId', message: 'too long' },
    ];
    expect(problemsByField(problems)).toEqual({
      url: 'expected a URL',
      playbook: 'no such playbook',
      headers: 'authorization: expected a variable',
      name: 'expected a name',
      form: 'actId: too long',
    });
  });
});
