import { readRunbookSettings, runbookSettingsSchema } from './runbook-settings.js';

const read = (settings: unknown, environment: Record<string, string> = {}) =>
  readRunbookSettings(runbookSettingsSchema.parse(settings), environment);

describe('S2-41 the settings of runbooks', () => {
  it('say which runbook is for which alert, and where they are read, with tokens of the environment', () => {
    const git = { git: 'https://git.example/books.git', ref: 'main', token: '${BOOKS_TOKEN}' };
    const { settings, problems } = read(
      {
        rules: [{ runbook: 'disk', labels: { team: 'storage' } }],
        default: 'usual',
        sources: [git, { folder: 'books' }],
      },
      { BOOKS_TOKEN: 't0ken' },
    );
    expect(problems).toEqual([]);
    expect(settings).toEqual({
      rules: [{ runbook: 'disk', labels: { team: 'storage' }, alerts: [] }],
      default: 'usual',
      sources: [{ ...git, token: 't0ken' }, { folder: 'books' }],
      allowedHosts: [],
    });
  });

  it('name what is wrong in them', () => {
    const wrong = [
      { git: 'ssh://git.example/books.git' },
      { url: 'https://me:secret@wiki.example/', token: '${NO}' },
    ];
    expect(read({ sources: wrong }).problems.map(({ path }) => path)).toEqual([
      'runbooks.sources.0.git',
      'runbooks.sources.1.token',
      'runbooks.sources.1.url',
    ]);
    const parsed = (given: unknown) =>
      runbookSettingsSchema.safeParse(given).error?.issues.map(({ path }) => path.join('.'));
    expect(parsed({ rules: [{ runbook: 'disk' }] })).toEqual(['rules.0']);
    expect(parsed({ sources: [{ folder: 'x', git: 'https://x' }] })).toEqual(['sources.0']);
  });
});
