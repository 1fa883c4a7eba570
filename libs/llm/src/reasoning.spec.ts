import fc from 'fast-check';
import { summariseReasoning, type ModelReasoning } from '@casefile/contracts';
import { extractReasoning } from './reasoning.js';

const none = () => null;

describe('extractReasoning', () => {
  it("S2-10 takes the provider's own field first", () => {
    const own = { content: 'why', kind: 'raw' as const, source: 'reasoning_content' };
    expect(extractReasoning('<think>tag</think> answer', () => own)).toEqual({
      content: 'answer',
      reasoning: own,
    });
  });

  it('S2-10 prefers what can be read to what cannot', () => {
    const own = { content: '', kind: 'encrypted' as const, source: 'thinking' };
    expect(extractReasoning('answer', () => own).reasoning).toEqual(own);
    expect(extractReasoning('<think>tag</think> answer', () => own).reasoning).toMatchObject({
      content: 'tag',
    });
  });

  it.each([
    ['across lines', '<thinking>a\nb</thinking>\n{"x":1}\n', 'a\nb', '{"x":1}'],
    ['non-greedy, several joined', 'x <think>a</think> y <think>b</think> z', 'a\n\nb', 'x  y  z'],
    ['of different names', '<think>a</think>x<thinking>b</thinking>', 'a\n\nb', 'x'],
    ['an unclosed last block', '<think>a</think>x<thinking>cut of', 'a\n\ncut of', 'x'],
    ['nothing but an unclosed block', '<think>cut of', 'cut of', ''],
    ['closed by another name', '<thinking>a</think>x', 'a', 'x'],
    ['opened in the prompt', 'first this\n</think>\n\nx', 'first this', 'x'],
    ['opened in the prompt, and again', 'a</think>x<think>b</think>y', 'a\n\nb', 'xy'],
    ['an opening tag within a block', '<think>a<think>b</think>x', 'a<think>b', 'x'],
    ['in any case of letters', '<Think>a</THINK>x', 'a', 'x'],
  ])('S2-11 %s', (_what, text, content, rest) => {
    const reasoning = { content, kind: 'raw', source: 'tags' };
    expect(extractReasoning(text)).toEqual({ content: rest, reasoning });
  });

  it('S2-11 leaves JSON alone that speaks of a closing tag', () => {
    const text = '{"explanation":"ends in </think> here"}';
    expect(extractReasoning(text)).toEqual({ content: text, reasoning: null });
  });

  it('S2-11 is through with megabytes of tags', () => {
    // Looking for every block's end from its beginning would take hours: the test would run into its limit.
    const text = '<think></thinking>'.repeat(200_000);
    expect(extractReasoning(text)).toEqual({ content: '', reasoning: null });
  });

  it('S2-11 takes out empty blocks, which are no reasoning', () => {
    expect(extractReasoning('<think>\n\n</think>\n\nanswer')).toEqual({ content: 'answer', reasoning: null });
  });

  it('S2-11 knows the tags that a provider is configured with, and only those', () => {
    const text = '<thought>a</thought><think>b</think>';
    expect(extractReasoning(text, none, ['thought'])).toEqual({
      content: '<think>b</think>',
      reasoning: { content: 'a', kind: 'raw', source: 'tags' },
    });
    expect(extractReasoning(text, none, [])).toEqual({ content: text, reasoning: null });
  });

  it('S2-11 leaves a text without blocks untouched', () => {
    const withoutTags = fc.string({ unit: 'binary' }).filter((text) => !/<\/?(think|thinking)>/i.test(text));
    fc.assert(fc.property(withoutTags, (text) => extractReasoning(text).content === text));
  });

  it('S2-11 no block survives, however tags are opened and closed', () => {
    const tag = fc.constantFrom('<think>', '</think>', '<thinking>', '</thinking>', '\n');
    const piece = fc.oneof(tag, fc.stringMatching(/^[^<>]*$/));
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        expect(extractReasoning(pieces.join('')).content).not.toMatch(/<(think|thinking)>/);
      }),
    );
  });

  it('S2-11 what was in a block is in the reasoning, the rest in the answer', () => {
    const words = fc.stringMatching(/^[a-z ]*[a-z]$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(words, words)), words, (blocks, last) => {
        const text = blocks.map(([before, inner]) => `${before}<think>${inner}</think>`).join('') + last;
        const found = extractReasoning(text);
        expect(found.reasoning?.content ?? '').toBe(blocks.map(([, inner]) => inner.trim()).join('\n\n'));
        const rest = blocks.map(([before]) => before).join('') + last;
        expect(found.content).toBe(blocks.length === 0 ? rest : rest.trim());
      }),
    );
  });

  it('S2-13 hands back the raw answer and the error when reading fails', () => {
    const found = extractReasoning('<think>a</think>b', () => {
      throw new Error('broken');
    });
    expect(found).toMatchObject({ content: '<think>a</think>b', reasoning: null });
    expect(found.error).toMatchObject({ reasonCode: 'reasoning_not_read' });
  });

  it('S2-13 never throws', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), fc.anything(), (content, own, tags) => {
        extractReasoning(content as string, () => own as ModelReasoning, tags as string[]);
      }),
    );
  });
});

describe('the summary of reasoning', () => {
  it('S2-12 keeps what has 200 characters or fewer', () => {
    expect(summariseReasoning('x'.repeat(200))).toBe('x'.repeat(200));
    expect(summariseReasoning('')).toBe('');
  });

  it('S2-12 cuts after 200 whole code points', () => {
    expect(summariseReasoning('😀'.repeat(201))).toBe(`${'😀'.repeat(200)}...`);
  });

  it('S2-12 holds for any text', () => {
    const unit = fc.constantFrom('a', 'é', '😀', '\u0000', '漢');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 450 }), (text) => {
        const points = Array.from(text);
        expect(summariseReasoning(text)).toBe(
          points.length > 200 ? `${points.slice(0, 200).join('')}...` : text,
        );
      }),
    );
  });
});
