import { readFileSync } from 'node:fs';
import { kitApi, REPORT } from './kit-api.mjs';

describe('exports of @casefile/kit', () => {
  // A kind from outside is written against them, so a change of one is a reviewed difference.
  it('are those of the reviewed report; `npm run kit-api` rewrites it', async () => {
    expect(await kitApi()).toBe(readFileSync(REPORT, 'utf8'));
  });
});
