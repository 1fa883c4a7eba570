import { z } from 'zod';
import { personal, readByAll, reasoning, secret, withheldSchema } from './field-class.js';
import { projectionOf, project, refusedFields, refusedClass } from './project.js';
import { jsonObjectSchema, jsonSchema } from '../json.js';

const nested = z.object({ name: z.string(), note: personal(z.string().nullable()) });
const schema = z.object({
  withheld: withheldSchema,
  id: z.string(),
  text: personal(z.string()),
  prompt: reasoning(z.string()).optional(),
  list: z.array(nested),
  one: nested.nullable(),
  facts: personal(jsonObjectSchema, { keep: ['stage', 'codes', 'next'] }),
  settings: readByAll(jsonObjectSchema, 'Limits.'),
  kind: z.enum(['report', 'draft']),
  body: reasoning(jsonObjectSchema, { unless: { field: 'kind', is: ['report'] } }),
});
const value = {
  id: 'a',
  text: 'canary',
  prompt: 'canary',
  list: [{ name: 'n', note: 'canary', more: 'canary' }],
  one: { name: 'n', note: null },
  facts: {
    stage: 'reason',
    codes: ['a', { b: 'canary' }],
    next: { stage: 'x', message: 'canary' },
    message: 'canary',
  },
  settings: { limit: 3 },
  kind: 'draft',
  body: { answer: 'canary' },
  undeclared: 'canary',
} as const;

describe('project', () => {
  it('S2-21 leaves out what a viewer may not read, and what no schema names', () => {
    expect(project(schema, value, 'viewer')).toEqual({
      withheld: ['personal', 'reasoning'],
      id: 'a',
      text: '',
      list: [{ name: 'n', note: null }],
      one: { name: 'n', note: null },
      facts: { stage: 'reason', codes: ['a'], next: { stage: 'x' } },
      settings: { limit: 3 },
      kind: 'draft',
      body: {},
    });
  });

  it('S2-21 returns the value itself to a role that reads every class', () => {
    for (const role of ['reviewer', 'operator', 'admin'] as const)
      expect(project(schema, value, role)).toBe(value);
    expect(JSON.stringify(project(schema, value, null))).not.toContain('canary');
  });

  it('shows a field to every role if a field beside it allows this', () => {
    expect(project(schema, { ...value, kind: 'report' }, 'viewer')).toMatchObject({
      body: { answer: 'canary' },
    });
  });

  it('S2-21 shows of an outcome the numbers, booleans and known codes directly in it', () => {
    const verdict = z.object({
      withheld: withheldSchema,
      outcome: personal(jsonObjectSchema, { codes: true }),
    });
    const codes = new Set(['MET', 'high']);
    const facts = { status: 'MET', score: 3, notConverged: false, error: null };
    const outcome = {
      ...facts,
      name: 'canary',
      summary: 'MET canary',
      criteria: [{ id: 'canary', status: 'MET', trace: [{ thought: 'canary' }] }],
      by: { canary: 'high' },
    };
    expect(project(verdict, { outcome }, 'viewer', codes)).toEqual({
      withheld: ['personal'],
      outcome: facts,
    });
    expect(project(verdict, { outcome: facts }, 'viewer', codes)).toEqual({ outcome: facts });
    expect(project(verdict, { outcome }, 'reviewer', codes)).toEqual({ outcome });
    // A kind that declares no codes shows none.
    expect(project(verdict, { outcome }, 'viewer')).toEqual({
      withheld: ['personal'],
      outcome: { score: 3, notConverged: false, error: null },
    });
  });

  it('shows a secret to no role', () => {
    const withSecret = z.object({ key: secret(z.string()), name: z.string() });
    expect(project(withSecret, { key: 'k', name: 'n' }, 'admin')).toEqual({ key: '', name: 'n' });
  });

  it('gives no hint if nothing was there', () => {
    const empty = { ...value, text: '', prompt: undefined, list: [], facts: {}, body: {} };
    expect(project(schema, empty, 'viewer')).not.toHaveProperty('withheld');
  });

  it('answers in the documented form', () => {
    expect(schema.parse(project(schema, value, 'viewer'))).toEqual(project(schema, value, 'viewer'));
  });

  it('keeps the strictest projection of the alternatives of a union', () => {
    const union = z.union([
      z.object({ kind: z.literal('a'), text: z.string() }),
      z.object({ kind: z.literal('b'), text: personal(z.string()), more: z.number() }),
    ]);
    expect(project(union, { kind: 'a', text: 'canary' }, 'viewer')).toEqual({ kind: 'a', text: '' });
    expect(project(z.union([z.string(), z.object({ n: z.number() })]), 'x', 'viewer')).toBe('x');
  });

  it('withholds free JSON without a class, and reports it', () => {
    const free = z.object({
      data: jsonSchema,
      all: z.looseObject({ a: z.number() }),
      date: z.transform(String),
    });
    expect(projectionOf(free).undeclared).toEqual(['data', 'all.*', 'date']);
    expect(project(free, { data: 'canary', all: { a: 1, b: 'canary' }, date: 'canary' }, 'viewer')).toEqual({
      data: null,
      all: { a: 1, b: null },
      date: null,
    });
  });

  it('withholds a value of another type than its schema names', () => {
    const plain = z.object({
      name: z.string(),
      list: z.array(z.string()),
      inner: z.object({ a: z.number() }),
    });
    const odd = { name: { canary: 1 }, list: 'canary', inner: ['canary'] };
    expect(
      JSON.stringify(project(z.object({ plain, note: personal(z.string()) }), { plain: odd }, 'viewer')),
    ).toBe('{"plain":{}}');
  });

  it('keeps a class through descriptions, checks and wrappers, and leaves the schema that it was made of undeclared', () => {
    const base = z.string();
    const described = z.object({
      a: personal(base).describe('A').optional(),
      b: personal(base).nullable(),
      c: base,
    });
    expect(projectionOf(described).guarded.map(({ path }) => path)).toEqual(['a', 'b']);
    expect(project(described, { a: 'x', b: 'y', c: 'z' }, 'viewer')).toEqual({ b: null, c: 'z' });
  });

  it('follows schemas that refer to themselves, to a limited depth', () => {
    interface Tree {
      name: string;
      note: string;
      children: Tree[];
    }
    const tree: z.ZodType<Tree> = z.lazy(() =>
      z.object({ name: z.string(), note: personal(z.string()), children: z.array(tree) }),
    );
    const leaf = { name: 'leaf', note: 'canary', children: [] };
    const root = { name: 'root', note: 'canary', children: [leaf] };
    expect(project(tree, root, 'viewer')).toEqual({
      name: 'root',
      note: '',
      children: [{ name: 'leaf', note: '', children: [] }],
    });
    let deep: Tree = leaf;
    for (let i = 0; i < 10_000; i += 1) deep = { name: 'n', note: 'canary', children: [deep] };
    expect(JSON.stringify(project(tree, deep, 'viewer'))).not.toContain('canary');
  });

  it('does not follow keys of the prototype', () => {
    const record = z.object({
      all: readByAll(jsonSchema, 'x'),
      some: z.record(z.string(), z.string()),
      n: personal(z.string()),
    });
    const odd = JSON.parse('{"some":{"__proto__":"x","constructor":"y"},"n":""}') as unknown;
    expect(project(record, odd, 'viewer')).toEqual({ some: { constructor: 'y' }, n: '' });
  });
});

describe('refusedClass and refusedFields', () => {
  it('name answers and parameters that a role may not use', () => {
    expect(refusedClass(reasoning(z.object({ a: z.string() })), 'viewer')).toBe('reasoning');
    expect(refusedClass(reasoning(z.object({ a: z.string() })), 'reviewer')).toBeNull();
    const query = z.strictObject({ q: personal(z.string()).optional(), limit: z.number() });
    expect([...refusedFields(query, 'viewer')]).toEqual([['q', 'personal']]);
    expect([...refusedFields(query, 'reviewer')]).toEqual([]);
  });
});
