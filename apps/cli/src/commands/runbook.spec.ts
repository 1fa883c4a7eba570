import { alertsIn } from './runbook.js';

const labels = { alertname: 'DiskFull', team: 'storage' };
const annotations = { runbook_url: 'https://wiki.example/disk' };
const alert = { labels, annotations };

describe('S2-41 casefile runbook match', () => {
  it.each<[string, unknown, unknown]>([
    ['an alert as it was sent', { labels, annotations, status: 'firing' }, [alert]],
    [
      'what a webhook posts',
      { version: '4', alerts: [{ labels, annotations }, { labels: {} }] },
      [alert, { labels: {}, annotations: {} }],
    ],
    [
      'an alert of Casefile',
      { payload: { alert: { labels, annotations } }, labels: { cell: 'a' } },
      [{ annotations, labels: { ...labels, cell: 'a' } }],
    ],
    [
      'several',
      [
        { labels, annotations },
        { labels, annotations },
      ],
      [alert, alert],
    ],
  ])('reads %s', (_what, json, alerts) => {
    expect(alertsIn(json)).toEqual(alerts);
  });

  it.each([[7], [[]], [{ alerts: [] }], [{ alerts: { labels: 7 } }], [{ labels: { a: 1 } }]])(
    'refuses %j',
    (json) => {
      expect(() => alertsIn(json)).toThrow('not valid');
    },
  );
});
