import { readFileSync } from 'node:fs';
import { kitApi, REPORT } from './kit-api.mjs';
import { kitProgram, librariesOf } from './kit-program.mjs';

describe('@casefile/kit and @casefile/kit/testing', () => {
  const program = kitProgram();

  // A kind from outside is written against them, so a change of one is a reviewed difference.
  it('export the names of the reviewed report; `npm run kit-api` rewrites it', async () => {
    expect(await kitApi(program)).toBe(readFileSync(REPORT, 'utf8'));
  });

  it('consist of pure libraries: no test runner, NestJS, store or queue', () => {
    expect(librariesOf(program)).toEqual(['contracts', 'kit', 'pipeline']);
  });
});
