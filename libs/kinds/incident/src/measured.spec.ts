import type { JsonObject } from '@casefile/contracts';
import type { Read } from './look-ups.js';
import { measuredIn, measuredSentence } from './measured.js';

const CONDITION = 'rate(errors{job="a>b"}[5m]) > 5';
const read = (expr: string, text: string, args: JsonObject = {}, id = 'E2'): Read => ({
  id,
  tool: 'prometheus__range',
  args: { expr, end: '2026-03-02T09:00:00Z', step: '30s', ...args },
  toolCallId: null,
  source: 'prometheus (host)',
  at: '2026-03-02T09:00:01Z',
  said: '',
  gap: null,
  text,
});
const at = (minute: string, value: number, series = 'errors{pod="x"}') =>
  `2026-03-02T${minute}:00Z ${series} = ${value} /s`;
const measured = (expression: string | null, ...reads: Read[]) => measuredIn({ expression }, reads);

describe('T-61 the value that was looked up for an alert', () => {
  it('is the newest line of each series, and the condition holds if one reaches the end', () => {
    const text = [at('08:30', 9), at('08:59', 7), at('08:40', 8, 'errors{pod="y"}')].join('\n');
    expect(measured(CONDITION, read(CONDITION, text))).toEqual({
      citations: [{ id: 'E2', quote: at('08:59', 7) }],
      state: 'holds',
    });
  });

  it('is over if a condition has no value at the end of the look-up', () => {
    expect(measured(CONDITION, read(CONDITION, at('08:40', 8)))).toEqual({
      citations: [{ id: 'E2', quote: at('08:40', 8) }],
      state: 'over',
    });
    expect(measured(CONDITION, read(CONDITION, '0 results'))).toEqual({
      citations: [{ id: 'E2', quote: '0 results' }],
      state: 'over',
    });
  });

  it.each([
    ['up', 'value'],
    ['up{job=~"a>b"}', 'value'],
    ['errors > bool 5', 'value'],
    ['up == 0', 'holds'],
    ['absent(up{job="a"})', 'holds'],
    ['errors != 1', 'holds'],
  ])('of %s is a %s', (expression, state) => {
    expect(measured(expression, read(expression, at('09:00', 1)))?.state).toBe(state);
  });

  it('is nothing without a look-up of this expression that answered', () => {
    expect(measured(null, read('up', at('09:00', 1)))).toBeNull();
    expect(measured('up', read('down', at('09:00', 1)))).toBeNull();
    expect(measured('up', { ...read('up', ''), gap: 'timeout' })).toBeNull();
  });

  it('is stated with its citation', () => {
    const found = measured('up == 0', read('up == 0', at('09:00', 0, 'up{pod="x"}')))!;
    expect(measuredSentence({ measured: found })).toEqual([
      'The condition of the alert still held when it was looked up: 2026-03-02T09:00:00Z up{pod="x"} = 0 /s [E2].',
    ]);
    expect(measuredSentence({})).toEqual([]);
  });
});
