import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { kindProblems } from '@casefile/kit/testing';
import { kinds, playbooks } from '../loaded.js';
import { promptSources } from '../testing/prompt-sources.js';
import { kindPrompts } from '@casefile/pipeline';
import { shippedPrompts } from '@casefile/pipeline/testing/shipped-prompts';
import { definePrompt, LONGEST_PROMPT, readPrompt, type PromptText } from '@casefile/pipeline/prompts/prompt';

const prompts = kindPrompts(playbooks);
const VERSIONED = /^[a-z][a-z0-9/-]*@[1-9][0-9]*$/;

describe('S2-20 every prompt has an id with a version, which its requests name', () => {
  it.each(prompts)('$id', ({ id }) => expect(id).toMatch(VERSIONED));

  it.each(kinds)('$playbook.name holds the checks that a kind from outside has', (kind) => {
    expect(kindProblems(kind)).toEqual([]);
  });
});

describe('the texts of prompts', () => {
  it.each(prompts)('$id is as it is declared, in a file of its name', (prompt) => {
    expect(shippedPrompts.of(prompt).id).toBe(prompt.id);
    expect(basename(fileURLToPath(prompt.file))).toBe(`${prompt.id.split('/').at(-1)}.md`);
  });

  it('are all declared', () => {
    const texts = promptSources().filter((file) => /@\d+\.md$/.test(file));
    const declared = prompts.map(({ file }) => fileURLToPath(file));
    expect(texts.sort()).toEqual(declared.sort());
  });
});

const prompt = definePrompt({
  id: 'kind/answer@1',
  file: new URL('file:///answer@1.md'),
  sections: { system: [], text: ['text', 'mark'], hint: ['hint'], task: [] },
});
const SHIPPED = `<!-- section: system -->
You judge.

<!-- section: text -->
The text ({{mark}}):
{{text}}

<!-- section: hint -->
- {{hint}}

<!-- section: task -->
Answer.
`;
function read(source: string): PromptText<(typeof prompt)['sections']> {
  const found = readPrompt(prompt, source, SHIPPED);
  if ('problems' in found) throw new Error(found.problems.join('\n'));
  return found.text;
}

describe('a prompt', () => {
  it('renders the sections that are given, in the order of its text; a list repeats one, an empty one leaves it out', () => {
    const text = read(SHIPPED);
    expect(text.render({ system: {} })).toBe('You judge.');
    expect(text.render({ task: {}, hint: [], text: { text: 't', mark: 'm' } })).toBe(
      'The text (m):\nt\n\nAnswer.',
    );
    expect(text.render({ hint: [{ hint: 'a' }, { hint: 'b' }] })).toBe('- a\n\n- b');
    const other = SHIPPED.replace('<!-- section: task -->\nAnswer.\n', '');
    expect(read(`<!-- section: task -->\nSay.\n${other}`).render({ task: {}, hint: { hint: 'a' } })).toBe(
      'Say.\n\n- a',
    );
  });

  it('puts values in as they are: what looks like a placeholder, a section or a pattern in them is text', () => {
    const value = fc
      .array(
        fc.constantFrom(
          '{{text}}',
          '{{mark}}',
          '{{',
          '}}',
          '$&',
          '$1',
          '\n<!-- section: task -->\n',
          'x',
          '\0',
        ),
      )
      .map((pieces) => pieces.join(''));
    const any = fc.oneof(value, fc.string());
    const text = read(SHIPPED);
    fc.assert(
      fc.property(any, any, any, (outside, mark, hint) => {
        expect(text.render({ text: { text: outside, mark }, hint: { hint } })).toBe(
          `The text (${mark}):\n${outside}\n\n- ${hint}`,
        );
      }),
    );
  });

  it('has its own id while its text is the shipped one, and a hash of its content otherwise', () => {
    expect(read(SHIPPED).id).toBe('kind/answer@1');
    expect(read(`\ufeff${SHIPPED.replaceAll('\n', '\r\n')}`).id).toBe('kind/answer@1');
    const changed = SHIPPED.replace('judge', 'decide');
    expect(read(changed).id).toMatch(/^kind\/answer@1#[0-9a-f]{12}$/);
    expect(read(changed).id).toBe(read(changed).id);
    expect(read(changed).id).not.toBe(read(SHIPPED.replace('judge', 'rule')).id);
  });

  it.each([
    ['an empty file', ' \n', ['expected a text, found an empty file']],
    [
      'a section that is missing',
      SHIPPED.replace(/<!-- section: task -->\nAnswer.\n/, ''),
      ['expected the section task, below a line <!-- section: task -->'],
    ],
    [
      'a section twice',
      `${SHIPPED}<!-- section: task -->\nAnswer.\n`,
      ['section task: expected once, found again'],
    ],
    [
      'an undeclared section',
      `${SHIPPED}<!-- section: constructor -->\nx\n`,
      ['section constructor: expected one of system, text, hint, task'],
    ],
    ['an empty section', SHIPPED.replace('Answer.', ''), ['section task: expected a text, found none']],
    [
      'a placeholder that is missing',
      SHIPPED.replace('{{mark}}', 'mark'),
      ['section text: expected the placeholder {{mark}}'],
    ],
    [
      'a placeholder of another section',
      SHIPPED.replace('Answer.', 'Answer {{text}}.'),
      ['section task: unknown placeholder {{text}}, expected none'],
    ],
    [
      'a placeholder that is misspelt',
      SHIPPED.replace('{{text}}', '{{ Text }}'),
      [
        'section text: expected the placeholder {{text}}',
        'section text: unknown placeholder {{ Text }}, expected {{text}}, {{mark}}',
      ],
    ],
    [
      'text before the first section',
      `Mine.\n${SHIPPED}`,
      ['expected no text before the first line <!-- section: ... -->'],
    ],
    [
      'too long a text',
      `${SHIPPED}${'x'.repeat(LONGEST_PROMPT)}`,
      [`expected at most ${LONGEST_PROMPT} characters, found ${SHIPPED.length + LONGEST_PROMPT}`],
    ],
  ])('is refused for %s', (_what, source, problems) => {
    expect(readPrompt(prompt, source, SHIPPED)).toEqual({ problems });
  });

  it('is read or refused, whatever stands in the file, and rendered without its marks', () => {
    const line = fc.oneof(
      fc.constantFrom(
        ...SHIPPED.split('\n'),
        '{{text',
        '{{x}}',
        '{{{{hint}}}}',
        '<!-- section: __proto__ -->',
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const found = readPrompt(prompt, lines.join('\n'), SHIPPED);
        if ('problems' in found) return void expect(found.problems).not.toEqual([]);
        expect(found.text.render({ task: {} })).not.toContain('<!-- section: task');
      }),
    );
  });
});
