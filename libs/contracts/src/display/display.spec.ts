import { z } from 'zod';
import type { JsonObject } from '../json.js';
import { alertLine, alertTitle } from './case-title.js';
import { displayProblems } from './check-display.js';
import { displaySchema, type DeclaredDisplay, type DeclaredSection } from './display-schema.js';
import { firstTextPath, formFields, payloadJsonSchema } from './payload-schema.js';
import { nameInWords, valueAt, valueText, type DisplayedCase } from './read-path.js';
import { shownParts, shownSections } from './shown-sections.js';

const schema = payloadJsonSchema(
  z.strictObject({
    vendor: z
      .string()
      .max(200)
      .meta({ title: 'Vendor', description: 'Who asks.', examples: ['Desks Ltd'] }),
    currency: z.enum(['EUR', 'USD']),
    amount: z.number().min(0),
    count: z.int().optional(),
    isUrgent: z.boolean().optional(),
    message: z.string().max(5_000).nullish(),
    tags: z.array(z.string()).optional(),
    address: z.object({ city: z.string(), street: z.string().optional() }).optional(),
    lines: z.array(z.object({ at: z.string(), price: z.number() })).optional(),
  }),
);
const aCase = (
  payload: JsonObject,
  over: Partial<DisplayedCase & { hasImage: boolean }> = {},
): DisplayedCase & { hasImage: boolean } => ({
  alert: { payload },
  evidence: [],
  answer: {},
  outcome: {},
  hasImage: false,
  ...over,
});
const looked = { toolName: 'check_vendor', success: true, result: { known: true } };

describe('a path of a display', () => {
  it('reads the alert, the look-ups, the answer and the outcome', () => {
    const of = aCase(
      { a: { b: 1 } },
      {
        alert: { text: 'T', payload: { a: { b: 1 } } },
        evidence: [looked],
        answer: { c: 2 },
        outcome: { d: 3 },
      },
    );
    const paths = ['text', 'payload.a.b', 'answer.c', 'outcome.d', 'evidence.check_vendor.known'];
    expect(paths.map((path) => valueAt(of, path))).toEqual(['T', 1, 2, 3, true]);
  });

  it('takes no evidence of the sender for a look-up, and no member of Object for a field', () => {
    const evidence = [
      looked,
      { ...looked, given: true, result: { known: false } },
      { ...looked, success: false, result: null },
    ];
    expect(valueAt(aCase({}, { evidence }), 'evidence.check_vendor.known')).toBe(true);
    expect(valueAt(aCase({}), 'payload.constructor.name')).toBeUndefined();
    expect(valueAt(aCase(JSON.parse('{"__proto__":{"a":1}}') as JsonObject), 'payload.a')).toBeUndefined();
  });

  it('is a value in words', () => {
    expect([' a ', 7, true, null, ['a', 2], '', { a: 1 }].map(valueText)).toEqual([
      'a',
      '7',
      'yes',
      null,
      'a, 2',
      null,
      '{"a":1}',
    ]);
    expect(
      ['knownDomain', 'due_date', 'a-b', 'generatorURL', 'httpURLOf', 'planB', 'URL'].map(nameInWords),
    ).toEqual(['Known domain', 'Due date', 'A b', 'Generator URL', 'Http URL of', 'Plan b', 'URL']);
  });
});

describe('S2-32 what a case is called', () => {
  const display = { title: ['payload.vendor', 'text'], line: ['payload.vendor', 'payload.amount'] };

  it('is the first declared value that there is, and in lists all of the line', () => {
    const alert = { text: 'Pay', payload: { vendor: ' Desks ', amount: 5 } };
    expect([alertTitle(alert, display), alertLine(alert, display)]).toEqual(['Desks', 'Desks · 5']);
    expect(alertTitle({ text: 'Pay', payload: { vendor: ' ' } }, display)).toBe('Pay');
  });

  it('is the text, else the first text of the payload, if no declared value is there', () => {
    expect(alertTitle({ text: ' Pay now ' }, { title: ['payload.gone'] })).toBe('Pay now');
    expect(alertTitle({ payload: { n: 1, a: { b: [{ c: 'deep' }] } } }, { title: [] })).toBe('deep');
    expect(alertTitle({ payload: { n: 1 } }, { title: ['text'] })).toBe('');
    expect(alertLine({ text: 'Pay' }, { title: ['text'], line: ['payload.gone'] })).toBe('Pay');
    const both = { text: 'Pay', payload: { vendor: 'Desks' } };
    expect(alertLine(both, { title: ['payload.vendor', 'text'], line: null })).toBe('Desks');
  });

  it('has at most 280 characters', () => {
    expect(alertTitle({ text: 'x'.repeat(1_000) }, { title: ['text'] })).toHaveLength(280);
  });
});

describe('the form of a payload', () => {
  const form = formFields(schema);
  const field = (name: string) => form.find(({ path }) => path.join('.') === name);

  it('has the fields of the schema in their order, those of objects too', () => {
    expect(form.map(({ path, input, isRequired }) => [path.join('.'), input, isRequired])).toEqual([
      ['vendor', 'text', true],
      ['currency', 'choice', true],
      ['amount', 'number', true],
      ['count', 'number', false],
      ['isUrgent', 'switch', false],
      ['message', 'lines', false],
      ['tags', 'list', false],
      ['address.city', 'text', false],
      ['address.street', 'text', false],
      ['lines', 'json', false],
    ]);
  });

  it('has labels, help, choices, bounds and examples', () => {
    expect(field('vendor')).toMatchObject({ label: 'Vendor', help: 'Who asks.', example: 'Desks Ltd' });
    expect(field('isUrgent')?.label).toBe('Is urgent');
    expect(field('address.city')?.label).toBe('Address: City');
    expect(field('currency')?.choices).toEqual(['EUR', 'USD']);
    expect([field('amount')?.min, field('count')?.isWhole, field('count')?.max]).toEqual([0, true, null]);
  });

  it('takes examples from the example of the payload', () => {
    const [vendor, , amount] = formFields({ ...schema, examples: [{ vendor: 'Other', amount: 7 }] });
    expect([vendor?.example, amount?.example]).toEqual(['Desks Ltd', '7']);
  });

  it('names a case by its first text that is no choice', () => {
    expect(firstTextPath(schema)).toBe('payload.vendor');
    expect(firstTextPath(payloadJsonSchema(z.object({ kind: z.enum(['a']), n: z.number() })))).toBeNull();
  });
});

const problemsOf = (display: DeclaredDisplay) => {
  const read = displaySchema.safeParse(display);
  if (!read.success) return read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  const sources = {
    payload: schema,
    tools: ['check_vendor'],
    answer: null,
    outcome: ['action', 'steps'],
  };
  return displayProblems(read.data, sources).map(({ path, message }) => `${path}: ${message}`);
};

describe('a wrong display', () => {
  it.each<[DeclaredDisplay, string]>([
    [
      { title: 'payload.vendr' },
      'title: expected a field of the payload (vendor, currency, amount, count, isUrgent, message, tags, address, lines), found vendr',
    ],
    [
      { line: ['text', 'payload.address.town'] },
      'line[1]: expected a field of address of the payload (city, street), found town',
    ],
    [
      { sections: [{ show: 'facts', title: 'F', of: ['evidence.other.known'] }] },
      'sections[0].of[0]: expected a tool of the kind (check_vendor), found other',
    ],
    [
      { sections: [{ show: 'badges', title: 'B', of: ['outcome.flags'] }] },
      'sections[0].of[0]: expected a field of the outcome (action, steps), found flags',
    ],
    [
      { sections: [{ show: 'table', title: 'T', of: 'payload.vendor', columns: ['a'] }] },
      'sections[0].of: expected a list, found a value of type string',
    ],
    [
      { sections: [{ show: 'chart', title: 'C', of: 'payload.lines', at: 'at', values: ['cost'] }] },
      'sections[0].values[0]: expected a field of an item (at, price), found cost',
    ],
    [{ title: 'vendor' }, 'title: expected a path, or a list of paths'],
  ])('is refused with field and expectation: %j', (display, message) => {
    expect(problemsOf(display)).toEqual([message]);
  });

  it('is not what names only fields that there are', () => {
    expect(
      problemsOf({
        title: ['payload.vendor', 'text'],
        sections: [
          { show: 'facts', title: 'F', of: ['payload.address.city', { path: 'outcome.action', label: 'A' }] },
          { show: 'table', title: 'T', of: 'payload.lines', columns: ['at', { path: 'price', label: 'P' }] },
          { show: 'text', title: 'M', of: 'payload.message' },
        ],
      }),
    ).toEqual([]);
  });
});

describe('sections', () => {
  const lines: JsonObject[] = [
    { at: '2026-01-02T00:00:00Z', price: 5, source: 'E1', by: { name: 'Ann' } },
    { at: '2026-01-01T00:00:00Z', price: 3 },
    { at: 'never', price: 4 },
  ];

  it('have the values of their paths as texts', () => {
    const of = aCase(
      { vendor: 'Desks', lines, note: '' },
      { outcome: { flags: ['late', 'new'] }, hasImage: true },
    );
    expect(
      shownSections(
        [
          {
            show: 'facts',
            title: 'F',
            of: ['payload.vendor', 'payload.note', { path: 'outcome.flags', label: 'Flags' }],
          },
          { show: 'badges', title: 'B', of: ['outcome.flags'] },
          { show: 'table', title: 'T', of: 'payload.lines', columns: ['price', 'by.name'] },
          { show: 'chart', title: 'C', of: 'payload.lines', at: 'at', values: ['price'] },
          { show: 'timeline', title: 'L', of: 'payload.lines', at: 'at', text: 'price', evidence: 'source' },
          { show: 'quotes', title: 'Q', of: 'outcome.flags', quote: 'words' },
          { show: 'text', title: 'X', of: 'payload.vendor' },
          { show: 'image', title: 'I' },
        ],
        of,
      ),
    ).toEqual([
      {
        show: 'facts',
        title: 'F',
        more: 0,
        rows: [
          { label: 'Vendor', value: 'Desks' },
          { label: 'Flags', value: 'late, new' },
        ],
      },
      { show: 'badges', title: 'B', more: 0, words: ['late', 'new'] },
      {
        show: 'table',
        title: 'T',
        more: 0,
        columns: ['Price', 'Name'],
        rows: [
          ['5', 'Ann'],
          ['3', ''],
          ['4', ''],
        ],
      },
      {
        show: 'chart',
        title: 'C',
        more: 0,
        names: ['Price'],
        points: [
          { at: 1_767_225_600, values: [3] },
          { at: 1_767_312_000, values: [5] },
        ],
      },
      {
        show: 'timeline',
        title: 'L',
        more: 0,
        entries: [
          { at: '2026-01-02T00:00:00Z', text: '5', evidence: 'E1' },
          { at: '2026-01-01T00:00:00Z', text: '3', evidence: null },
          { at: 'never', text: '4', evidence: null },
        ],
      },
      {
        show: 'quotes',
        title: 'Q',
        more: 0,
        quotes: [
          { words: 'late', evidence: null },
          { words: 'new', evidence: null },
        ],
      },
      { show: 'text', title: 'X', more: 0, text: 'Desks' },
      { show: 'image', title: 'I', more: 0 },
    ]);
  });

  it('without a value are left out, and long lists are cut', () => {
    const many = Array.from({ length: 250 }, (_, i) => ({ at: `${i}`, price: i }));
    const table: DeclaredSection = { show: 'table', title: 'T', of: 'payload.lines', columns: ['price'] };
    expect(shownSections([table, { show: 'image', title: 'I' }], aCase({ lines: 'no list' }))).toEqual([]);
    expect(shownSections([table], aCase({ lines: many }))).toMatchObject([
      { more: 50, rows: { length: 200 } },
    ]);
  });

  it('tell which parts of the alert they show', () => {
    const facts = { show: 'facts', title: 'F', of: [{ path: 'payload.a', label: 'A' }] } as const;
    expect([
      ...shownParts([
        { ...facts, of: [...facts.of] },
        { show: 'image', title: 'I' },
      ]),
    ]).toEqual(['image', 'payload']);
    expect([...shownParts([{ show: 'text', title: 'T', of: 'text' }])]).toEqual(['text']);
  });
});
