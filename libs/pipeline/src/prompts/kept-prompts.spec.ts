import { keptPrompts, definePrompt, readPrompt, type PromptTexts } from './prompt.js';

const FILE = new URL('file:///nowhere');
const answer = definePrompt({
  id: 'kind/answer@2',
  file: FILE,
  sections: { system: [], question: ['text', 'more'] },
});
const other = definePrompt({ id: 'kind/other@1', file: FILE, sections: { system: [] } });
const SOURCE = '<!-- section: system -->\nJudge.\n<!-- section: question -->\nOf {{text}}: {{more}}';

const present: PromptTexts = {
  of(prompt) {
    const read = readPrompt(prompt, prompt.id === answer.id ? SOURCE : '<!-- section: system -->\nOther.');
    if ('text' in read) return read.text;
    throw new Error(read.problems.join('; '));
  },
};
const kept = (id: string, text: string) =>
  keptPrompts({ id: 'set', prompts: [{ id, sha256: '', text }] }, present);

describe('R18 S4-58 texts of prompts that were kept', () => {
  it('stand in for those of today under the id that they had, whatever their version', () => {
    const text = kept('kind/answer@1#abc', SOURCE.replace('Judge.', 'Judge as before.')).of(answer);
    expect(text.id).toBe('kind/answer@1#abc');
    expect(text.render({ system: {}, question: { text: 'a', more: '{{text}}' } })).toBe(
      'Judge as before.\n\nOf a: {{text}}',
    );
  });

  it('leave out what they do not have, and have nothing in place of what is not said any more', () => {
    const text = kept('kind/answer@1', '<!-- section: question -->\n{{text}} and {{gone}}.').of(answer);
    expect(text.render({ system: {}, question: { text: 'a', more: 'b' } })).toBe('a and .');
  });

  it('are those of today where there were none', () => {
    expect(kept('kind/answer@1', SOURCE).of(other).render({ system: {} })).toBe('Other.');
  });

  it('render what the text rendered that they are', () => {
    const now = present.of(answer);
    const again = kept(now.id, now.source).of(answer);
    const values = {
      system: {},
      question: [
        { text: '{{more}}', more: '2' },
        { text: '', more: '3' },
      ],
    };
    expect(again.render(values)).toBe(now.render(values));
  });
});
