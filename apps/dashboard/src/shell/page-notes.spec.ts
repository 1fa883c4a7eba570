import type { Condition } from '@casefile/contracts';
import { outageBehind } from '../api/read-error.js';
import { ApiProblem } from '../api/request.js';
import { liveState } from './live-state.js';
import { isOlder, pageNotes, type NotedPage } from './page-notes.js';

const condition = (id: string, severity: Condition['severity'] = 'error'): Condition => ({
  id,
  severity,
  since: null,
  text: 'The database does not answer: no route.',
  effect: 'No case continues.',
  act: 'Start the database.',
  link: '/',
});
const SERVICES = ['ingest', 'console', 'evidence-collector', 'reasoner', 'critic-writer', 'decision'];
const OUT = [
  ['store_out', 'the database'],
  ['queue_out', 'the queue store'],
  ...SERVICES.map((name) => [`service_absent.${name}`, name]),
  ['provider_out.openai', 'openai'],
  ['model_slow.incident', 'incident'],
  ['destination_failing.oncall', 'oncall'],
] as const;
const PAGES: NotedPage[] = ['home', 'cases', 'inbox'];
const CELLS = OUT.flatMap(([id, what]) => PAGES.map((page) => [id, page, what] as const));

describe('T-20 a page during an outage', () => {
  it.each(CELLS)('states for %s what the page %s still shows', (id, page, what) => {
    const [note, ...others] = pageNotes(page, [condition(id)], true);
    expect(others).toEqual([]);
    expect(note).toMatch(/^While [^,]+, .*\.$/);
    expect(note?.split(', ')[0]).toContain(what);
    expect(note).not.toMatch(/undefined|NAME|null/);
    // What was read before an outage of the database is not current.
    expect(/current|are recorded/.test(note ?? '')).toBe(id !== 'store_out');
  });

  it('says nothing without an outage, and only that the content is old while the database is out', () => {
    expect(pageNotes('cases', [condition('dead_letters', 'warning')], true)).toEqual([]);
    const all = OUT.map(([id]) => condition(id));
    expect(pageNotes('cases', all, true)).toEqual(pageNotes('cases', [condition('store_out')], true));
    expect(pageNotes('home', all.slice(1), true)).toHaveLength(OUT.length - 1);
  });

  it.each(PAGES)(
    'says that the page %s is current while the database answers but takes no writes',
    (page) => {
      const since = '2026-01-05T10:00:00.000Z';
      const out = [{ ...condition('store_out'), since }];
      const readAt = Date.parse(since);
      expect([readAt, readAt + 1].map((at) => isOlder(at, out))).toEqual([true, false]);
      expect([isOlder(readAt, []), isOlder(readAt + 1, [condition('store_out')])]).toEqual([false, true]);
      expect(pageNotes(page, out, false)).toEqual([
        expect.stringMatching(/^While the database takes no writes, .* current\. (?:No|Answers)/),
      ]);
    },
  );
});

describe('T-20 a read that fails', () => {
  const out = [condition('queue_old', 'warning'), condition('store_out')];

  it.each([
    [new ApiProblem(500, 'Internal error; see the log.', [], 'unexpected')],
    [new ApiProblem(0, 'The console does not answer.')],
  ])('is explained by the open outage: %s', (error) => {
    expect(outageBehind(error, out)).toBe(
      'The database does not answer: no route. No case continues. Start the database.',
    );
    expect(outageBehind(error, [])).toBeNull();
  });

  it('keeps an error that explains itself', () => {
    const own = [
      new ApiProblem(404, 'There is no such case.', [], 'unknown_case'),
      new ApiProblem(503, 'The database does not answer. Start it.', [], 'store_unreachable'),
      new Error('another'),
    ];
    expect(own.map((error) => outageBehind(error, out))).toEqual([null, null, null]);
  });
});

describe('T-20 the mark in the header', () => {
  it('is green only if updates arrive and the conditions were read without an error among them', () => {
    const answers = [
      { data: undefined, isError: false },
      { data: undefined, isError: true },
      { data: { conditions: [] }, isError: false },
      { data: { conditions: [] }, isError: true },
      { data: { conditions: [condition('store_out')] }, isError: false },
      { data: { conditions: [condition('store_out')] }, isError: true },
    ];
    const rows = (['live', 'connecting', 'offline'] as const).map((stream) =>
      answers.map((answer) => liveState(stream, answer)),
    );
    expect(rows).toEqual([
      ['connecting', 'unknown', 'live', 'unknown', 'problem', 'unknown'],
      ['connecting', 'connecting', 'connecting', 'connecting', 'problem', 'connecting'],
      ['offline', 'offline', 'offline', 'offline', 'problem', 'offline'],
    ]);
  });
});
