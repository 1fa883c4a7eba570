import { playbookNamed } from './playbook-list.js';
import { toyKind } from './testing/toy-kind.js';

describe('playbookNamed', () => {
  it('returns the kind of this name', () => {
    expect(playbookNamed('toy', [toyKind])).toBe(toyKind);
  });

  it('names the installed kinds, and the version and digest that a run needs', () => {
    const needed = { playbookVersion: '3', kindDigest: 'abc' };
    expect(() => playbookNamed('parcel', [toyKind])).toThrow(
      /^There is no playbook "parcel"\. Known: toy\.$/,
    );
    expect(() => playbookNamed('parcel', [toyKind], needed)).toThrow(
      /Known: toy\. The run needs its version 3 \(SHA-256 abc\): install the kind by CASEFILE_KINDS/,
    );
  });
});
