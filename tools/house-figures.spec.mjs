import {
  featureFiles,
  filesThatNameAKind,
  filesThatReadPayloadFields,
  importCycles,
  importsBetweenKinds,
  playbookMembers,
  sourceFiles,
} from './house-figures.mjs';

describe('kinds of case', () => {
  it('are named in no file outside their folders, their knowledge bases, lists and views of their own', () => {
    expect(filesThatNameAKind()).toEqual([]);
  });

  it('would be found in any other file', () => {
    const naming = ['apps/e2e/src/kinds/policy-check/policy-check.spec.ts', 'apps/e2e/src/masking.spec.ts'];
    expect(filesThatNameAKind(naming)).toEqual(naming);
    expect(filesThatNameAKind(['libs/kinds/shipped/src/index.ts'])).toEqual([]);
  });

  it('have no field of their alerts read by name in the console, or in any other file that kinds share', () => {
    expect(filesThatReadPayloadFields()).toEqual([]);
  });

  it('would be found if a shared file read a field of theirs', () => {
    const reading = ['tools/testing/kinds/reading/case-title.ts'];
    expect(filesThatReadPayloadFields([...reading, 'tools/testing/kinds/one/index.ts'])).toEqual(reading);
  });

  it('import no file of one another', () => {
    expect(importsBetweenKinds()).toEqual([]);
  });

  it('that import one another would be found', () => {
    const [one, other] = ['tools/testing/kinds/one/index.ts', 'tools/testing/kinds/other/index.ts'];
    expect(importsBetweenKinds([one, other])).toEqual([`${one} imports ${other}`]);
  });
});

describe('imports', () => {
  it('lead back to their file nowhere', () => {
    expect(importCycles()).toEqual([]);
  });

  it('that lead back would be found', () => {
    const cycle = ['tools/testing/cycle/one.ts', 'tools/testing/cycle/other.ts'];
    expect(importCycles([...sourceFiles(), ...cycle])).toEqual([cycle]);
  });
});

describe('a playbook', () => {
  it('has few members, and none that only some kinds have', () => {
    const { own, all, optional } = playbookMembers();
    expect(own).toBeGreaterThan(10);
    expect(own).toBeLessThanOrEqual(18);
    expect(all).toBeLessThanOrEqual(24);
    expect(optional).toBe(0);
  });
});

describe('features', () => {
  it('have files by each of their patterns', () => {
    expect(featureFiles().filter(([, files]) => files.length === 0)).toEqual([]);
  });
});
