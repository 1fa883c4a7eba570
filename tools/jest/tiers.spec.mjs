// `npm test` runs the fast tier. Specs below folders named `whole` repeat its promises on other layouts, at
// other moments and at larger sizes, so none of them may be tested there alone.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { sourceOf } from './outside-programs.mjs';

/** Ids of requirements and of the promises R1 to R18. */
const ID = /\b(?:S[1-5]-\d\d|[TE]-\d\d|R(?:1[0-8]|[1-9]))\b/g;
const TESTS = /\.spec\.(?:ts|mjs)$/;
const COMMENT = /^\s*(?:\/\/|\*|\/\*).*$/gm;

const tests = ['libs', 'apps', 'tools']
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((file) => join(folder, file)))
  .filter((file) => TESTS.test(file) && !/(?:^|\/)(?:node_modules|dist)\//.test(file))
  .map((file) => ({ file, text: sourceOf(file).replace(COMMENT, '') }));
const isWhole = ({ file }) => file.includes('/whole/');

function onlyInWhole(namesIn) {
  const fast = new Set(tests.filter((test) => !isWhole(test)).flatMap(namesIn));
  return tests
    .filter(isWhole)
    .flatMap((test) => namesIn(test).map((name) => `${name}: ${test.file}`))
    .filter((line) => !fast.has(line.slice(0, line.indexOf(':'))));
}

describe('the tiers of the tests', () => {
  it('both have specs', () => {
    expect(tests.filter(isWhole).length).toBeGreaterThan(10);
    expect(tests.filter((test) => !isWhole(test)).length).toBeGreaterThan(500);
  });

  it('every requirement and promise that the whole tier tests is tested in the fast tier too', () => {
    expect(onlyInWhole(({ text }) => text.match(ID) ?? [])).toEqual([]);
  });

  it('the fast tier tests each of R1 to R18', () => {
    const fast = new Set(tests.filter((test) => !isWhole(test)).flatMap(({ text }) => text.match(ID) ?? []));
    const promises = Array.from({ length: 18 }, (_, at) => `R${at + 1}`);
    expect(promises.filter((id) => !fast.has(id))).toEqual([]);
  });

  it('every reason code that the whole tier expects is expected in the fast tier too', () => {
    const source = readFileSync(join(root, 'libs/contracts/src/errors/reason-codes.ts'), 'utf8');
    const codes = [...source.matchAll(/^ {2}(\w+): /gm)].map(([, code]) => code);
    expect(codes.length).toBeGreaterThan(100);
    const quoted = new RegExp(`(?<=['"\`])(?:${codes.join('|')})(?=['"\`])`, 'g');
    expect(onlyInWhole(({ text }) => text.match(quoted) ?? [])).toEqual([]);
  });
});
