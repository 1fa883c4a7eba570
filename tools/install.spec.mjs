import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import { installedPackages } from './install.mjs';

describe('S2-31 the progress of an installation', () => {
  it('counts the packages that the lock file requires and those that are there', () => {
    const folder = temporaryFolder('install');
    const packages = {
      '': {},
      'libs/contracts': {},
      'node_modules/a': { version: '1.0.0' },
      'node_modules/a/node_modules/b': { version: '1.0.0' },
      'node_modules/for-another-system': { version: '1.0.0', optional: true },
      'node_modules/@casefile/contracts': { resolved: 'libs/contracts', link: true },
    };
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
    expect(installedPackages(folder)).toEqual({ count: 2, present: 0 });
    mkdirSync(join(folder, 'node_modules/a'), { recursive: true });
    writeFileSync(join(folder, 'node_modules/a/package.json'), '{}');
    expect(installedPackages(folder)).toEqual({ count: 2, present: 1 });
  });
});
