import { nestsDeeper } from './nests-deeper.js';

describe('the depth of a YAML text', () => {
  it.each([
    ['a: { b: [1, [2], { c: [3] }] }', false],
    [`${'[1],'.repeat(100)}`, false],
    ['- - - - - a', false],
    [`${'- '.repeat(21)}a`, true],
    [`${'- \t '.repeat(21)}a`, true],
    [`${'? '.repeat(21)}a`, true],
    ['['.repeat(21), true],
    ['{a: '.repeat(21), true],
    [`${' '.repeat(41)}a: 1`, true],
    [`${' '.repeat(40)}a: 1`, false],
    [`a: ${'x-'.repeat(100)}`, false],
  ])('%j is more than 20: %s', (yaml, deeper) => {
    expect(nestsDeeper(yaml, 20)).toBe(deeper);
  });
});
