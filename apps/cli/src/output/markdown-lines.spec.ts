import pc from 'picocolors';
import { markdownLines } from './markdown-lines.js';

const lines = (markdown: string): string[] => markdownLines(markdown, pc.createColors(false));

describe('markdownLines', () => {
  it.each([
    ['escapes of Markdown', 'scam\\_db says 0\\: low risk \\[.\\]', ['scam_db says 0: low risk [.]']],
    ['headings and paragraphs', '# Why\n\nIt is **so** `x`.', ['Why', '', 'It is so x.']],
    ['lists in lists', '- a\n  - b\n- c', ['- a', '  - b', '- c']],
    ['numbers', '3. a\n4. b', ['3. a', '4. b']],
    ['links', '[here](https://a.example/x)', ['here (https://a.example/x)']],
    ['tables', '| a | bb |\n|---|---|\n| long | c |', ['a     bb', 'long  c']],
    ['code', '```\na_b\n```', ['    a_b']],
    ['HTML, as text', 'a <b>c</b>', ['a <b>c</b>']],
  ])('shows %s', (_what, markdown, shown) => {
    expect(lines(markdown)).toEqual(shown);
  });

  it('obeys nothing that came from outside, hidden in character references neither', () => {
    const shown = lines('a \u001b[31m b &#27;[2J c &#x202e; [x](https://e.example/\u001b[0m)').join(' ');
    expect(shown).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(shown).toContain('\\x1b[31m');
  });
});
