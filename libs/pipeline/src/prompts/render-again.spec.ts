import fc from 'fast-check';
import { fencedText } from '../fence.js';
import { keptPrompt } from './prompt.js';
import { renderAgain } from './render-again.js';

const TEXT = `<!-- section: system -->
You judge letters.

Rules: none.

<!-- section: letter -->
The letter:
{{letter}}

<!-- section: notes -->
Notes:
{{notes}}

<!-- section: task -->
Answer with {{size}} words by this schema:
{{schema}}

<!-- section: retry -->
Your answer was
{{answer}}
It was wrong: {{problem}} Answer again.`;
const OTHER = TEXT.replace('You judge letters.', 'Judge the letter.')
  .replace('The letter:\n{{letter}}', '{{letter}}\nThat was the letter.')
  .replace('with {{size}} words by this schema:\n{{schema}}', 'by {{schema}}, in {{size}} words');

const render = (source: string, values: object): string =>
  keptPrompt('', source).render(values as Record<string, Record<string, string>>);
const MARK = '0123456789abcdef';

describe('S4-58 a recorded message that is rendered again', () => {
  const values = {
    letter: { letter: fencedText('Dear sir,\n\nNotes:\nnone\n\nYour answer was\nno', MARK) },
    notes: { notes: fencedText('- short', MARK) },
    task: { size: '3', schema: '{\n  "a": 1\n}' },
  };

  it('has the values of the recorded one in another text, also where a stranger wrote headings', () => {
    expect(renderAgain(render(TEXT, values), TEXT, OTHER)).toBe(render(OTHER, values));
    expect(renderAgain(render(TEXT, values), TEXT, TEXT)).toBe(render(TEXT, values));
    const retried = {
      ...values,
      retry: { answer: fencedText('no', MARK), problem: fencedText('no JSON', MARK) },
    };
    expect(renderAgain(render(TEXT, retried), TEXT, OTHER)).toBe(render(OTHER, retried));
  });

  it('keeps sections that were left out, and those that are repeated', () => {
    const { notes: _notes, ...fewer } = values;
    expect(renderAgain(render(TEXT, fewer), TEXT, OTHER)).toBe(render(OTHER, fewer));
    const twice = { notes: [{ notes: fencedText('a', MARK) }, { notes: fencedText('b', MARK) }] };
    expect(renderAgain(render(TEXT, twice), TEXT, OTHER)).toBe(render(OTHER, twice));
  });

  it('keeps the words of another prompt around it', () => {
    const system = render(TEXT, { system: {} });
    expect(renderAgain(`${system}\n\nThink aloud.`, TEXT, OTHER)).toBe(
      'Judge the letter.\n\nRules: none.\n\nThink aloud.',
    );
    expect(renderAgain(`Before.\n\n${system}`, TEXT, OTHER)).toBe(
      'Before.\n\nJudge the letter.\n\nRules: none.',
    );
  });

  it('is null for a message that the text did not render', () => {
    expect(renderAgain('Tool result: 4', TEXT, OTHER)).toBeNull();
    expect(renderAgain('The letter:', TEXT, OTHER)).toBeNull();
    expect(renderAgain('', TEXT, OTHER)).toBeNull();
    expect(renderAgain('Your answer was\nx', TEXT, OTHER)).toBeNull();
  });

  it('equals a rendering with the same values, whatever fenced values are', () => {
    const anyText = fc.oneof(
      fc.string({ maxLength: 30 }),
      fc.constantFrom(
        '\n\nNotes:\n',
        '\n\nAnswer with ',
        'DATA x>>>',
        '<<<DATA y\n',
        ' words by this schema:\n',
      ),
    );
    const some = fc.array(anyText, { maxLength: 4 }).map((parts) => fencedText(parts.join(''), MARK));
    const any = fc.record(
      {
        letter: fc.record({ letter: some }),
        notes: fc.array(fc.record({ notes: some }), { maxLength: 3 }),
        task: fc.record({ size: some, schema: some }),
        retry: fc.record({ answer: some, problem: some }),
      },
      { requiredKeys: ['letter'] },
    );
    fc.assert(
      fc.property(any, (given) => {
        expect(renderAgain(render(TEXT, given), TEXT, OTHER)).toBe(render(OTHER, given));
      }),
    );
  });
});
