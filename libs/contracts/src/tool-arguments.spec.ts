import { argumentsSchema } from './tool-arguments.js';

const areValid = (schema: object, ...args: unknown[]) => {
  const check = argumentsSchema(schema as Parameters<typeof argumentsSchema>[0]);
  return args.map((one) => check.safeParse(one).success);
};

describe('S2-42 the arguments of an outside tool', () => {
  it('are held to its own JSON Schema: types, enumerations, what must be there, what may not be', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1 },
        level: { enum: ['error', 'warn'] },
        hosts: { type: 'array', items: { $ref: '#/definitions/host' } },
      },
      definitions: { host: { type: 'string', maxLength: 5 } },
      required: ['query'],
      additionalProperties: false,
    };
    expect(
      areValid(
        schema,
        { query: 'up', level: 'error', hosts: ['web-1'] },
        { query: '' },
        { query: 'up', level: 'all' },
        { query: 'up', hosts: ['too-long'] },
        { level: 'warn' },
        { query: 'up', more: 1 },
        'up',
      ),
    ).toEqual([true, false, false, false, false, false, false]);
    expect(areValid({ type: 'object' }, {}, { any: 1 })).toEqual([true, true]);
  });

  it('meet no pattern of the server, which may take for ever, but an argument may be called `pattern`', () => {
    const hostile = { type: 'string', pattern: '^(a+)+$' };
    const schema = {
      type: 'object',
      properties: { pattern: hostile },
      patternProperties: { '^(x+)+$': hostile },
      additionalProperties: false,
    };
    expect(areValid(schema, { pattern: `${'a'.repeat(60)}!` }, { pattern: 5 }, { xx: 'a' })).toEqual([
      true,
      false,
      true,
    ]);
  });

  it.each([
    ['no schema of an object', { type: 'string' }],
    ['a keyword that is not known how to check', { type: 'object', if: { required: ['a'] }, then: {} }],
    ['a reference to elsewhere', { type: 'object', properties: { a: { $ref: 'https://host.example/a' } } }],
    ['too much of it', { type: 'object', description: 'x'.repeat(70_000) }],
    [
      'too deep',
      Array.from({ length: 40 }).reduce<object>((a) => ({ type: 'object', properties: { a } }), {}),
    ],
  ])('cannot be checked by %s', (_why, schema) => {
    expect(() => areValid(schema)).toThrow(/schema of its arguments cannot be used: \S/);
  });
});
