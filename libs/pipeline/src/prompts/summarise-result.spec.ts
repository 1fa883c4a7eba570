import { STORED_PAGE } from '@casefile/contracts';
import { questionRequest } from '../ask.js';
import { shippedPrompts } from '../testing/shipped-prompts.js';
import { summariseResult } from './summarise-result.js';

const MARK = '0123456789abcdef';
const of = (text: string) =>
  summariseResult({ tool: 'cluster__logs', args: { service: 'checkout' }, text }, shippedPrompts);
const textOf = (text: string) =>
  questionRequest(of(text), MARK)
    .messages.map(({ role, content }) => `${role}:\n${content}`)
    .join('\n\n');

describe('S2-47 the question what a long result says', () => {
  it('goes to the cheaper model and is of a kind of its own', () => {
    expect(of('x')).toMatchObject({ id: 'tool-result/summarise@1', kind: 'summary', level: 'low' });
  });

  it('shows what fits, and of more the first and the last pages by their numbers', () => {
    const pages = (count: number) =>
      Array.from({ length: count }, (_, i) => `begin-${i + 1}`.padEnd(STORED_PAGE, '.')).join('');
    const shown = (text: string) => [...text.matchAll(/begin-(\d+)/g)].map(([, n]) => Number(n));
    expect(shown(textOf(pages(12)))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    const many = textOf(pages(700));
    expect(shown(many)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 697, 698, 699, 700]);
    expect(many).toContain('Page 697 of 700');
    expect(many).toContain('(pages 9 to 696 are left out here)');
  });

  it('reads the summary, no longer than a prompt has room for, and nothing else', () => {
    const { read } = of('x');
    expect(read('{"summary": " A log. "}')).toEqual({ value: 'A log.' });
    const long = read(JSON.stringify({ summary: 'x'.repeat(9_000) }));
    expect('value' in long && long.value.length).toBeLessThanOrEqual(2_001);
    for (const wrong of ['A log.', '{"summary": " "}', '{}']) expect(read(wrong)).toHaveProperty('problem');
  });
});
