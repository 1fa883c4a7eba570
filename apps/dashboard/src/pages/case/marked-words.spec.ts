import type { JsonObject } from '@casefile/contracts';
import { markedParts, signWords } from './marked-words.js';

const marked = (text: string, words: string[]) =>
  markedParts(text, words)
    .map((part) => (part.isMarked ? `<${part.text}>` : part.text))
    .join('');

describe('S2-32 signs in the text of a message', () => {
  it('are marked at their first place, whatever their case', () => {
    expect(marked('Pay NOW, pay now', ['pay now'])).toBe('<Pay NOW>, pay now');
    expect(marked('Pay the fee today', ['fee today', 'the fee', 'absent'])).toBe('Pay <the fee>< today>');
    expect(marked('Pay', [])).toBe('Pay');
    expect(marked('', ['a'])).toBe('');
  });

  it('keep all characters of the text, also where lower case has another length', () => {
    const text = 'İstanbul: pay now';
    expect(
      markedParts(text, ['pay now', 'İ'])
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  });

  it('are those of the look-up, and not what the sender gave', () => {
    const result: JsonObject = {
      signals: [{ kind: 'fee', words: ['the fee', 'the fee', ' '] }, { kind: 'odd' }, 3],
    };
    const item = { toolName: 'text_signals', success: true, result };
    expect(signWords([item])).toEqual(['the fee']);
    expect(signWords([{ ...item, given: true }])).toEqual([]);
    expect(signWords([{ ...item, success: false }])).toEqual([]);
    expect(signWords([{ ...item, toolName: 'other' }])).toEqual([]);
  });
});
