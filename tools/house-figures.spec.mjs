import { filesThatNameAKind } from './house-figures.mjs';

describe('kinds of case', () => {
  it('are named in no file outside their folders, their knowledge bases, lists and views of their own', () => {
    expect(filesThatNameAKind()).toEqual([]);
  });

  it('would be found in any other file', () => {
    const naming = ['apps/e2e/src/screening.spec.ts', 'apps/e2e/src/policy-check.spec.ts'];
    expect(filesThatNameAKind(naming)).toEqual(naming);
    expect(filesThatNameAKind(['libs/pipeline/src/playbooks/index.ts'])).toEqual([]);
  });
});
