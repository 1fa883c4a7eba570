import { CasefileError, silentLogger } from '@casefile/contracts';
import { inProcessRunner, manualClock } from '@casefile/contracts/testing';
import { testRecord } from '@casefile/store/testing';
import { createRunbooks, NO_RUNBOOK_SETTINGS, type RunbookPorts } from './find-runbook.js';
import { readRunbook } from './read-runbook.js';
import { postgresRunbooks } from './runbook-base.js';

const record = testRecord();
const clock = manualClock();
const context = { clock, signal: new AbortController().signal };
const bytes = (text: string) => new TextEncoder().encode(text);
const file = (name: string, text: string) =>
  readRunbook({ name: `${name}.md`, bytes: bytes(text), source: `${name}.md`, address: null });
const alert = (url?: string) => ({
  labels: { a: '1' },
  alertType: 'Up',
  ...(url === undefined ? {} : { url }),
});

async function among(
  texts: Record<string, string>,
  over: { default?: string; rule?: string; page?: () => Promise<Uint8Array> } = {},
) {
  const base = postgresRunbooks(record().store.database);
  await base.importRunbooks('books', [Object.entries(texts).map(([name, text]) => file(name, text))]);
  const rules = over.rule === undefined ? [] : [{ runbook: over.rule, labels: { a: '1' }, alerts: [] }];
  const ports: RunbookPorts = {
    settings: { rules, default: over.default ?? null, sources: [] },
    reader: {
      ...NO_RUNBOOK_SETTINGS.reader,
      mayRead: ({ hostname }) => hostname === 'docs.example',
      pageOfAlert: over.page ?? (() => Promise.reject(new Error('not asked'))),
    },
  };
  return createRunbooks(base, { ...ports, runner: inProcessRunner }, silentLogger);
}

describe('S2-41 finding a runbook', () => {
  it('answers with its text, its pin and why', async () => {
    const runbooks = await among(
      { disk: '# Full disk\n\n1. Look.', other: '---\nlabels: { a: 1 }\n---\nx' },
      { rule: 'disk' },
    );
    expect(await runbooks.findRunbook(alert(), context)).toEqual({
      found: true,
      title: 'Full disk',
      text: '# Full disk\n\n1. Look.',
      source: 'disk.md',
      pin: `sha256:${file('disk', '# Full disk\n\n1. Look.').digest}`,
      why: 'A rule names it for the labels a=1. As well fit: other; it is the first by name.',
      ambiguous: ['other'],
      by: 'labels',
      name: 'disk',
    });
  });

  it('matches without reading anything: what is there, what a page would be, and what is not there', async () => {
    const page = () => Promise.reject(new Error('nothing is to be read'));
    const runbooks = await among({ disk: '# Full disk' }, { rule: 'disk', page });
    const missing = await among({ disk: '# Full disk' }, { rule: 'cpu' });
    const [found, atPage] = await runbooks.matchRunbooks([alert(), alert('https://docs.example/up')]);
    expect(found).toMatchObject({
      alertType: 'Up',
      found: true,
      name: 'disk',
      source: 'disk.md',
      by: 'labels',
    });
    expect(atPage).toMatchObject({ found: true, name: null, source: 'https://docs.example/up', by: 'url' });
    expect(atPage).not.toHaveProperty('pin');
    const [none] = await missing.matchRunbooks([alert()]);
    expect(none).toEqual({
      alertType: 'Up',
      found: false,
      why: expect.stringMatching(/A rule names it .* There is no runbook "cpu"/),
    });
  });

  it('answers that there is none', async () => {
    const answer = await (await among({ disk: '# D' })).findRunbook(alert(), context);
    expect(answer).toEqual({
      found: false,
      why: 'No rule fits this alert, and there is no default runbook.',
    });
  });

  it('takes the default for one that a rule names and that was not imported, and says so', async () => {
    const runbooks = await among({ usual: '# Usual' }, { rule: 'gone', default: 'usual' });
    const answer = await runbooks.findRunbook(alert(), context);
    expect(answer).toMatchObject({ found: true, title: 'Usual', by: 'default' });
    expect(answer.why).toMatch(
      /for the labels a=1.*gone, cannot be read: There is no runbook "gone".*the default/,
    );
  });

  it.each([
    { rule: 'gone' },
    { rule: 'gone', default: 'gone' },
    { rule: 'gone', default: 'no' },
    { default: 'no' },
  ])('fails where there is no default either: %j', async (over) => {
    const runbooks = await among({}, over);
    await expect(runbooks.findRunbook(alert(), context)).rejects.toMatchObject({
      reasonCode: 'unknown_runbook',
    });
  });

  it('reads the page that an allowed address leads to, pinned to what it read', async () => {
    const page = '# Page\n\nSteps.';
    const runbooks = await among({}, { page: async () => bytes(page) });
    expect(await runbooks.findRunbook(alert('https://docs.example/run/books/'), context)).toMatchObject({
      found: true,
      title: 'Page',
      text: page,
      source: 'https://docs.example/run/books/',
      pin: `sha256:${file('x', page).digest}`,
      name: null,
    });
  });

  it.each([
    [
      'cannot be reached',
      () => Promise.reject(new CasefileError('network', 'The connection to docs.example failed')),
    ],
    ['is no text', async () => new Uint8Array([0xff, 0xfe, 0])],
  ])('continues by rules when the address %s, and says so', async (_what, page) => {
    const runbooks = await among({ disk: '# Disk' }, { rule: 'disk', page });
    const answer = await runbooks.findRunbook(alert('https://docs.example/x'), context);
    expect(answer).toMatchObject({ found: true, name: 'disk', by: 'labels' });
    expect(answer.why).toContain('The runbook_url of the alert could not be read: ');
  });
});

describe('S2-41 a Markdown file', () => {
  it.each(['', ' \n', '---\ntitle: T\n---\n'])('without text is refused (%j)', (text) => {
    expect(() => file('a', text)).toThrow('expected a text');
  });

  it.each([
    ['# Head\ntext', { title: 'Head', text: '# Head\ntext' }],
    ['\ufeff---\r\ntitle: T\r\n---\r\nbody\r\n', { title: 'T', text: 'body' }],
    ['---\nowner: me\nalerts: [A, B]\n---\nbody', { title: 'a.md', alerts: ['A', 'B'], labels: {} }],
    ['---\n---\nbody', { text: 'body' }],
    ['---\nno end', { text: '---\nno end', alerts: [] }],
  ])('%j is read', (text, expected) => {
    expect(file('a', text)).toMatchObject(expected);
  });

  it.each([
    ['---\ntitle: [\n---\nbody', ['front matter']],
    ['---\n- a\n---\nbody', ['front matter']],
    ['---\ntitle: 7\nalerts: { a: b }\nlabels: [x]\n---\nbody', ['title', 'alerts', 'labels']],
    ['---\nlabels: { a: [1] }\n---\n', ['', 'labels.a']],
    [`---\nx: ${'y'.repeat(20_001)}\n---\nbody`, ['front matter']],
    [`---\n${'- '.repeat(9_500)}\n---\nbody`, ['front matter']],
    [`---\n${'{a: '.repeat(4_700)}\n---\nbody`, ['front matter']],
    ['z'.repeat(200_001), ['']],
  ])('%.40j names what is wrong', (text, paths) => {
    try {
      file('a', text);
      throw new Error('was taken');
    } catch (error) {
      expect((error as { problems?: { path: string }[] }).problems?.map(({ path }) => path)).toEqual(paths);
    }
  });
});
