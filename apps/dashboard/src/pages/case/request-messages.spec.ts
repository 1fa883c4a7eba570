import type { Json } from '@casefile/contracts';
import { requestMessages } from './request-messages.js';

describe('S2-32 the prompt of an interaction', () => {
  it('is its messages, tool calls and results with them', () => {
    const messages: Json = [
      { role: 'system', content: 'Rules' },
      { role: 'assistant', content: '', toolCalls: [{ id: 't1', name: 'look', args: {} }] },
      { role: 'tool', toolCallId: 't1', content: 'found' },
    ];
    const shown = requestMessages({ messages });
    expect(shown.map(({ role }) => role)).toEqual(['system', 'assistant', 'tool t1']);
    expect(shown[1]?.text).toContain('"look"');
    expect(shown[2]?.text).toBe('found');
  });

  it('is shown as it is when it has another shape', () => {
    expect(requestMessages({ prompt: 'x' })).toEqual([{ role: 'request', text: '{\n  "prompt": "x"\n}' }]);
    expect(requestMessages({ messages: ['x', { content: [1] }] }).map(({ text }) => text)).toEqual([
      'x',
      '[\n  1\n]',
    ]);
  });
});
