import { MAX_STORED, type InlineToolCall } from '@casefile/contracts';
import { inlineCallRow } from './record-rows.js';

const call: InlineToolCall = {
  id: 'c',
  step: 1,
  seq: 0,
  tool: 'logs',
  args: { of: 'pod' },
  state: 'succeeded',
  attempts: 1,
  result: { beginning: 'x' },
  source: 's',
  reasonCode: null,
  message: null,
  durationMs: 5,
  settledAt: '2026-01-05T10:00:00.000Z',
  readFrom: null,
};

describe('S2-22 the row of a tool call that a stage ran inside itself', () => {
  it('has nothing but its columns, whatever comes with the call', () => {
    const row = inlineCallRow(3, { ...call, whole: 'y'.repeat(MAX_STORED * 2) } as InlineToolCall);
    expect(row).toEqual({ i: 3, ...call });
  });

  it('holds the result to its bound', () => {
    const row = inlineCallRow(0, { ...call, result: { text: 'x'.repeat(MAX_STORED) } });
    expect(row.result).toMatchObject({ cut: true });
  });
});
