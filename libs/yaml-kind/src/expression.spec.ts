import fc from 'fast-check';
import { compileCondition, compileExpression, compileText, type Facts } from './expression.js';

const facts: Facts = {
  input: { amount: 120, vendor: 'Nordlicht', tags: ['a', 'b'] },
  answer: { risk: 'high' },
  confidence: 0.8,
  evidence: [{ id: 'E1', tool: 'domain_reputation', ok: true, result: { ageDays: 12 } }],
  degraded: false,
  item: null,
};

describe('expressions of a YAML kind', () => {
  it.each([
    ['input.amount >= 100', true],
    ['confidence > 0.7', true],
    ['answer.risk in ["medium", "high"] && !degraded', true],
    ['evidence.exists(e, e.tool == "domain_reputation" && e.result.ageDays < 30)', true],
    ['input.?note.orValue("") == ""', true],
    ['has(input.note)', false],
    ['input.vendor.matches("^Nord")', true],
    ['(input.vendor + "x").matches("tx$") && input.vendor.matches("matches") == false', true],
  ])('%s is %s', (text, value) => expect(compileCondition(text)(facts)).toBe(value));

  it.each([
    ['a wrong form', 'input.amount >=', /Unexpected token/],
    ['an unknown name', 'payload.amount > 1', /Unknown variable: payload/],
    ['no condition', '"yes"', /expected a condition, found a value of type string/],
    [
      'a pattern that is not linear',
      'input.vendor.matches("(a)\\\\1")',
      /expected a pattern without back references/,
    ],
    ['a pattern from the facts', 'input.vendor.matches(input.pattern)', /expected a pattern in quotes/],
    ['a pattern behind a comment', 'input.vendor // matches\n .matches("(a+)+$")', /expected no `matches`/],
    ['a text as a list', 'input.vendor.split("").all(c, c == "a")', /expected no `split`/],
    ['a list that grows', 'cel.bind(a, input.tags + input.tags, size(a) > 1)', /expected no `bind`/],
    [
      'lists in lists in lists',
      'input.tags.all(a, input.tags.all(b, input.tags.all(c, a == b || b == c)))',
      /at most 2 list functions/,
    ],
    ['a long text', `"${'a'.repeat(2_000)}" == ""`, /expected at most 2000 characters/],
    ['many parts', Array.from({ length: 400 }, () => '1').join('+'), /maxAstNodes|nodes/],
  ])('refuses %s', (_, text, message) => expect(() => compileCondition(text)).toThrow(message));

  it.each([
    ['a field that is missing', 'input.note == "a"', {}, /No such key: note/],
    ['a value of another type', 'input.amount', {}, /expected true or false, found number/],
    ['a list that is too long', 'true', { list: Array(201).fill(0) }, /a list has more than 200 items/],
    ['a text that is too long', 'true', { text: 'a'.repeat(20_001) }, /a text is longer than 20000/],
    [
      'too many values',
      'true',
      Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, 0])),
      /the facts have more than 5000 values/,
    ],
  ])('cannot be evaluated with %s', (_, text, more, message) => {
    const condition = compileCondition(text);
    expect(() => condition({ ...facts, input: { ...facts.input, ...more } })).toThrow(message);
  });

  it('are put into texts', () => {
    const text = compileText(
      '{{input.vendor}}: {{input.amount}} {{answer.?note.orValue("")}}({{input.tags}})',
    );
    expect(text(facts)).toBe('Nordlicht: 120 (["a","b"])');
    expect(() => compileText('{{input.}}')).toThrow(/Expected/);
  });

  it('never run code of the input, whatever it holds', () => {
    const condition = compileExpression('input.text');
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        expect(condition.valueOf({ ...facts, input: { text } })).toBe(text);
      }),
    );
    for (const name of ['constructor', '__proto__', 'toString'])
      expect(() => compileExpression(`input.${name}`).valueOf(facts)).toThrow(
        /No such key|reserved|Reserved/,
      );
  });
});
