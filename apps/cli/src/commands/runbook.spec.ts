import { questionsIn } from './runbook.js';

const labels = { alertname: 'DiskFull', team: 'storage' };
const annotations = { runbook_url: 'https://wiki.example/disk' };
const question = { labels, alertType: 'DiskFull', url: annotations.runbook_url };

describe('S2-41 casefile runbook match', () => {
  it.each<[string, unknown, unknown]>([
    ['an alert as it was sent', { labels, annotations, status: 'firing' }, [question]],
    [
      'what a webhook posts',
      { version: '4', alerts: [{ labels, annotations }, { labels: {} }] },
      [question, { labels: {}, alertType: '' }],
    ],
    [
      'an alert of Casefile',
      { payload: { alert: { labels, annotations } }, labels: { cell: 'a' } },
      [{ ...question, labels: { ...labels, cell: 'a' } }],
    ],
    [
      'several',
      [
        { labels, annotations },
        { labels, annotations },
      ],
      [question, question],
    ],
  ])('reads %s', (_what, json, questions) => {
    expect(questionsIn(json)).toEqual(questions);
  });

  it.each([[7], [[]], [{ alerts: [] }], [{ alerts: { labels: 7 } }], [{ labels: { a: 1 } }]])(
    'refuses %j',
    (json) => {
      expect(() => questionsIn(json)).toThrow('not valid');
    },
  );
});
