import fc from 'fast-check';
import { extractReasoning, summarise } from './reasoning.js';

describe('extractReasoning', () => {
  it.each([
    ['reasoning_content', { reasoning_content: ' why ' }],
    ['reasoning', { reasoning: 'why' }],
    ['reasoning', { reasoning_content: '', reasoning: 'why' }],
    ['reasoning_content', { reasoning_content: 'why', reasoning: 'other' }],
  ])("S2-10 takes the provider's field %s first", (source, fields) => {
    expect(extractReasoning('<think>tag</think> answer', fields)).toEqual({
      content: 'answer',
      reasoning: { content: 'why', source },
    });
  });

  it('S2-10 passes over fields that are no text', () => {
    expect(extractReasoning('answer', { reasoning_content: 7, reasoning: { a: 1 } }).reasoning).toBeNull();
  });

  it.each([
    ['across lines', '<thinking>a\nb</thinking>\n{"x":1}\n', 'a\nb', '{"x":1}'],
    ['non-greedy, several joined', 'x <think>a</think> y <think>b</think> z', 'a\n\nb', 'x  y  z'],
    ['of different names', '<think>a</think>x<thinking>b</thinking>', 'a\n\nb', 'x'],
    ['an unclosed last block', '<think>a</think>x<thinking>cut of', 'a\n\ncut of', 'x'],
    ['nothing but an unclosed block', '<think>cut of', 'cut of', ''],
    ['in any case of letters', '<Think>a</THINK>x', 'a', 'x'],
  ])('S2-11 %s', (_what, text, content, rest) => {
    expect(extractReasoning(text)).toEqual({ content: rest, reasoning: { content, source: 'tags' } });
  });

  it('S2-11 takes out empty blocks, which are no reasoning', () => {
    expect(extractReasoning('<think>\n\n</think>\n\nanswer')).toEqual({ content: 'answer', reasoning: null });
  });

  it('S2-11 knows the tags that a provider is configured with, and only those', () => {
    const text = '<thought>a</thought><think>b</think>';
    expect(extractReasoning(text, {}, ['thought'])).toEqual({
      content: '<think>b</think>',
      reasoning: { content: 'a', source: 'tags' },
    });
    expect(extractReasoning(text, {}, [])).toEqual({ content: text, reasoning: null });
  });

  it('S2-11 leaves a text without blocks untouched', () => {
    const withoutTags = fc.string({ unit: 'binary' }).filter((text) => !/<(think|thinking)>/i.test(text));
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
    const broken = {
      get reasoning(): string {
        throw new Error('broken');
      },
    };
    const found = extractReasoning('<think>a</think>b', broken);
    expect(found).toMatchObject({ content: '<think>a</think>b', reasoning: null });
    expect(found.error).toMatchObject({ reasonCode: 'reasoning_not_read' });
  });

  it('S2-13 never throws', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), fc.anything(), (content, fields, tags) => {
        extractReasoning(content as string, fields as object, tags as string[]);
      }),
    );
  });
});

describe('summarise', () => {
  it('S2-12 keeps what has 200 characters or fewer', () => {
    expect(summarise('x'.repeat(200))).toBe('x'.repeat(200));
    expect(summarise('')).toBe('');
  });

  it('S2-12 cuts after 200 whole code points', () => {
    expect(summarise('😀'.repeat(201))).toBe(`${'😀'.repeat(200)}...`);
  });

  it('S2-12 holds for any text', () => {
    const unit = fc.constantFrom('a', 'é', '😀', '\u0000', '漢');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 450 }), (text) => {
        const points = Array.from(text);
        expect(summarise(text)).toBe(points.length > 200 ? `${points.slice(0, 200).join('')}...` : text);
      }),
    );
  });
});
