import { readdirSync } from 'node:fs';
import { PROTOCOLS } from '../provider-entry.js';
import { PROVIDERS } from './index.js';

describe('providers', () => {
  it('lists every file of the folder under the name of its protocol', () => {
    const files = readdirSync(new URL('.', import.meta.url))
      .filter((name) => !name.endsWith('.spec.ts') && name !== 'index.ts')
      .map((name) => name.replace(/\.ts$/, ''));
    expect(files.sort()).toEqual(Object.keys(PROVIDERS).sort());
    expect(files.sort()).toEqual([...PROTOCOLS].sort());
  });
});
