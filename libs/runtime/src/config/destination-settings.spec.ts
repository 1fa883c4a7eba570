import {
  destinationSettingsSchema,
  readDestinations,
  resolveDestinations,
  shownAddress,
} from './destination-settings.js';

const kinds = [{ name: 'one-kind' }];
const problemsOf = (destination: object): string[] => {
  const parsed = destinationSettingsSchema.safeParse({ x: destination });
  if (!parsed.success)
    return parsed.error.issues.map(({ path, message }) => `${path.slice(1).join('.')}: ${message}`);
  return readDestinations(parsed.data, kinds).problems.map(({ path, message }) => `${path}: ${message}`);
};
const hook = { type: 'webhook', url: 'https://example.com/hook' };

describe('the setting destinations', () => {
  it.each<[string, object, RegExp]>([
    [
      'an unknown type',
      { ...hook, type: 'email' },
      /^type: expected one of webhook, slack, pagerduty, template/,
    ],
    ['no URL', { type: 'webhook' }, /^url: expected a URL/],
    ['another protocol', { ...hook, url: 'ftp://example.com' }, /destinations\.x\.url: expected http/],
    ['a secret in the file', { ...hook, secret: 'whsec_abc' }, /^secret: expected \$\{NAME\}/],
    ['PagerDuty without its key', { type: 'pagerduty' }, /^secret: expected \$\{NAME\} with the routing key/],
    ['a channel of Slack without a token', { type: 'slack', channel: 'C1' }, /^secret: .*token of a bot/],
    ['a channel of another type', { ...hook, channel: 'C1' }, /^channel: expected only where type is slack/],
    [
      'an unknown kind',
      { ...hook, when: { playbook: 'other' } },
      /when\.playbook: there is no such playbook/,
    ],
    [
      'a header of two lines',
      { ...hook, headers: { 'X-Team': 'a\r\nX-Other: b' } },
      /^headers\.X-Team: expected one line/,
    ],
    ['an unknown disposition', { ...hook, when: { disposition: 'page' } }, /^when\.disposition\.0: /],
    ['an unknown event', { ...hook, when: { events: ['verdicts'] } }, /^when\.events\.0: /],
    [
      'an unknown condition',
      { ...hook, when: { events: ['condition'], condition: 'provider_down' } },
      /^when\.condition\.0: expected an id of a condition/,
    ],
    [
      'a condition without the event',
      { ...hook, when: { conditionSeverity: 'error' } },
      /when\.conditionSeverity: expected only if events names condition/,
    ],
    ['an escalation to itself', { ...hook, escalateTo: 'x' }, /x\.escalateTo: expected another destination/],
    ['an escalation to nothing', { ...hook, escalateTo: 'y' }, /x\.escalateTo: expected another destination/],
    ['a time without an escalation', { ...hook, afterSeconds: 60 }, /expected only with escalateTo/],
    [
      'an acknowledgement without an escalation',
      { ...hook, acknowledgeWithinSeconds: 900 },
      /x\.acknowledgeWithinSeconds: expected only with escalateTo/,
    ],
    ['a wrong time of tests', { ...hook, testCron: '99 9 * * 1' }, /x\.testCron: expected five cron fields/],
    [
      'a wrong time zone of tests',
      { ...hook, testCron: '0 9 * * 1', testTimezone: 'Berlin' },
      /x\.testTimezone: expected an IANA time zone/,
    ],
    [
      'a time zone without tests',
      { ...hook, testTimezone: 'UTC' },
      /x\.testTimezone: expected only with testCron/,
    ],
    ['an unknown field', { ...hook, urll: 1 }, /Unrecognized key/],
    ['a template without a body', { ...hook, type: 'template' }, /^body: expected the body to send/],
    [
      'a template with an unknown field',
      { ...hook, type: 'template', body: '{"a":"{{nope}}"}' },
      /^body: there is no field nope/,
    ],
    [
      'a template that is no JSON',
      { ...hook, type: 'template', body: '{"a":{{text}}}' },
      /^body: expected JSON/,
    ],
  ])('refuses %s with the field and what was expected', (_what, given, expected) => {
    expect(problemsOf(given).join('\n')).toMatch(expected);
  });

  it('takes one value or a list in when, and the URLs of services that have one', () => {
    const parsed = destinationSettingsSchema.parse({
      oncall: {
        type: 'pagerduty',
        secret: '${KEY}',
        when: { playbook: 'one-kind', disposition: ['act', 'review'] },
      },
    });
    const { destinations, problems } = readDestinations(parsed, kinds);
    expect(problems).toEqual([]);
    expect(destinations).toMatchObject([
      {
        name: 'oncall',
        url: 'https://events.pagerduty.com/v2/enqueue',
        when: { playbook: ['one-kind'], disposition: ['act', 'review'] },
        allowPrivate: false,
      },
    ]);
  });

  it('resolves ${NAME} for the process that sends, and names each variable that is unset or unusable', () => {
    const read = (given: object) =>
      readDestinations(destinationSettingsSchema.parse({ x: given }), kinds).destinations;
    const all = read({ ...hook, url: '${URL}', secret: '${KEY}', headers: { 'X-Team': '${TEAM}' } });
    const key = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
    const good = resolveDestinations(all, { URL: 'https://a.example/x', KEY: key, TEAM: 'sre' });
    expect(good).toMatchObject({
      problems: [],
      destinations: [{ url: 'https://a.example/x', secret: key, headers: { 'X-Team': 'sre' } }],
    });
    const bad = resolveDestinations(all, { URL: 'nothing', KEY: 'short' });
    expect(bad.problems.map(({ path }) => path)).toEqual([
      'destinations.x.url',
      'destinations.x.headers.X-Team',
    ]);
    const short = resolveDestinations(read({ ...hook, secret: '${KEY}' }), { KEY: 'short' });
    expect(short.problems).toMatchObject([{ path: 'destinations.x.secret' }]);
    expect(JSON.stringify(bad.problems)).not.toContain('nothing');
  });

  it('shows no path of a URL, which may be a secret', () => {
    expect(shownAddress('https://hooks.example.com/services/T0/B0/secret')).toBe('https://hooks.example.com');
    expect(shownAddress('${SLACK_URL}')).toBe('${SLACK_URL}');
  });
});
