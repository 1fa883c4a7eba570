import type { ModelMessage, ModelRequest } from '@casefile/contracts';
import { withToolsAsText } from './tools-as-text.js';
import { aModelRequest } from './testing/index.js';

describe('S4-01 tools as text', () => {
  const tools: ModelRequest['tools'] = [{ name: 'look', description: 'Looks.', parameters: {} }];
  const call = (id: string) => ({ id, name: 'look', args: { q: id } });
  const turn: ModelMessage[] = [
    { role: 'assistant', content: '', toolCalls: [call('c1'), call('c2')] },
    { role: 'tool', toolCallId: 'c1', content: 'one' },
    { role: 'tool', toolCallId: 'c2', content: 'two' },
  ];
  const textOf = (messages: ModelMessage[]) => withToolsAsText(aModelRequest({ tools, messages })).messages;

  it('leave the roles alternating, as servers without tool calls demand', () => {
    const said: ModelMessage = { role: 'user', content: 'Two turns are left.' };
    const messages = textOf([{ role: 'user', content: 'Check it.' }, ...turn, said]);
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    const last = messages.at(-1)?.content;
    for (const part of ['\none\n', '\ntwo\n', 'Two turns are left.']) expect(last).toContain(part);
  });
});
