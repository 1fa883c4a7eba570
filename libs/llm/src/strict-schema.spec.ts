import { isStrictSchema } from './strict-schema.js';

const text = { type: 'string' };
const closed = { type: 'object', properties: { a: text }, required: ['a'], additionalProperties: false };

describe('isStrictSchema', () => {
  it.each([
    ['a closed object', closed, true],
    ['closed objects within', { ...closed, properties: { a: { type: 'array', items: closed } } }, true],
    ['alternatives', { ...closed, properties: { a: { anyOf: [text, { type: 'null' }] } } }, true],
    ['an open object', { ...closed, additionalProperties: true }, false],
    ['an optional property', { ...closed, required: [] }, false],
    ['an open object within', { ...closed, properties: { a: { type: 'object' } } }, false],
    [
      'a keyword that strict mode refuses',
      { ...closed, properties: { a: { type: 'string', minLength: 1 } } },
      false,
    ],
  ])('%s', (_what, schema, expected) => {
    expect(isStrictSchema(schema)).toBe(expected);
  });
});
