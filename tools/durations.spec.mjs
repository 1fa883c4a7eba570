import { affectedTable } from './affected.mjs';
import { nextDurations } from './durations.mjs';

describe('the seconds of spec files', () => {
  it('are summed for each tier, and files that were not measured are counted', () => {
    const specs = ['libs/a/src/a.spec.ts', 'libs/a/src/b.spec.ts', 'apps/e2e/src/whole/c.spec.ts'].map(
      (file) => ({
        file,
        isWhole: file.includes('/whole/'),
        way: [file, 'libs/a/src/one.ts'],
      }),
    );
    const seconds = { 'libs/a/src/a.spec.ts': 1.5, 'apps/e2e/src/whole/c.spec.ts': 60 };
    expect(affectedTable({ changed: ['libs/a/src/one.ts'], specs }, { list: true, seconds })).toBe(
      [
        '    s steps  spec file',
        '  1.5     1  libs/a/src/a.spec.ts',
        '          1  libs/a/src/b.spec.ts',
        'npm test: 2 spec files, 2 s (1 take less than 1 s or were not measured)',
        '    s steps  spec file',
        '   60     1  apps/e2e/src/whole/c.spec.ts',
        'npm run test:whole: 1 spec files, 60 s',
        '1 changed files',
      ].join('\n'),
    );
  });

  it('are coarse, and stay while a file takes about as long', () => {
    const specs = ['a.spec.ts', 'b.spec.ts', 'c.spec.ts', 'd.spec.ts'];
    const before = { 'a.spec.ts': 10, 'b.spec.ts': 10, 'gone.spec.ts': 5 };
    const seconds = { 'a.spec.ts': 15, 'b.spec.ts': 17, 'c.spec.ts': 0.6, 'd.spec.ts': 33 };
    expect(nextDurations(before, seconds, specs)).toEqual({
      'a.spec.ts': 10,
      'b.spec.ts': 15,
      'd.spec.ts': 30,
    });
    expect(nextDurations(before, {}, specs)).toEqual({ 'a.spec.ts': 10, 'b.spec.ts': 10 });
  });
});
