import fc from 'fast-check';
import type { Json, JsonObject, ToolCall } from '@casefile/contracts';
import { Progress } from './progress.js';

const aCall = (tool: string, args: JsonObject, result: Json): ToolCall =>
  ({ tool, args, result, state: 'succeeded' }) as unknown as ToolCall;
const failed = (tool: string, args: JsonObject): ToolCall =>
  ({ tool, args, result: null, state: 'failed' }) as unknown as ToolCall;

/** Turns in a row without news after which a loop is ended. */
const BARREN = 3;

/** The turn after which a loop of these turns would be ended; null: it is not. */
function endedAfter(turns: readonly ToolCall[][], opening: readonly string[] = []): number | null {
  const progress = new Progress(opening);
  let barren = 0;
  for (const [i, calls] of turns.entries()) {
    barren = progress.note(calls) ? 0 : barren + 1;
    if (barren >= BARREN) return i + 1;
  }
  return null;
}

const word = fc.stringMatching(/^[a-z]{4,9}$/);

describe('S2-43 whether the calls of a turn bring anything new', () => {
  it('ends identical, slightly varied and alternating calls by turn 8 of 10', () => {
    const answer = fc.array(word, { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(answer, answer, fc.constantFrom('same', 'varied', 'alternating'), (a, b, kind) => {
        const turns = Array.from({ length: 10 }, (_, i): ToolCall[] => {
          // What was asked in the same words is answered from the case's own record: no call is made.
          if (kind === 'same') return i === 0 ? [aCall('logs', { query: 'error' }, a)] : [];
          if (kind === 'varied') return [aCall('logs', { query: `error${' '.repeat(i)}`, limit: 10 + i }, a)];
          return i < 2 ? [aCall(i === 0 ? 'logs' : 'metrics', { query: 'error' }, i === 0 ? a : b)] : [];
        });
        expect(endedAfter(turns)).toBeLessThan(8);
      }),
      { numRuns: 200 },
    );
  });

  it('stops no honest work: pages of one result, a window that moves, one look-up for each of eight hosts', () => {
    const seed = fc.integer({ min: 1, max: 1_000_000 });
    fc.assert(
      fc.property(seed, fc.constantFrom('pages', 'window', 'hosts', 'failing hosts'), (n, kind) => {
        const hosts = Array.from({ length: 8 }, (_, i) => `node-${n}-${i}.prod`);
        const turns = hosts.map((host, i): ToolCall[] => {
          if (kind === 'pages')
            return [
              aCall(
                'stored_result',
                { id: 'E3', page: i + 1 },
                `line ${n * 10 + i} of the log\nGET /pay/${n + i}`,
              ),
            ];
          if (kind === 'window')
            return [
              aCall(
                'metrics',
                { query: 'cpu', from: `2026-01-05T1${i}:00:00Z` },
                { values: [n + i / 7, n - i / 3] },
              ),
            ];
          if (kind === 'failing hosts') return [failed('ping', { host })];
          return [aCall('ping', { host }, { up: true, at: `2026-01-05T10:0${i}:00Z` })];
        });
        expect(endedAfter(turns, [`8 hosts are affected: ${hosts.join(', ')}`])).toBeNull();
      }),
      { numRuns: 200 },
    );
  });

  it('takes neither a new time nor the question repeated for news', () => {
    const progress = new Progress([]);
    const look = (i: number) =>
      aCall(
        'status',
        { query: `how is it ${i}` },
        { asked: `how is it ${i}`, at: `2026-01-05T10:00:0${i}Z`, up: true },
      );
    expect([1, 2, 3].map((i) => progress.note([look(i)]))).toEqual([true, false, false]);
  });

  it('asks about a name of the case once for each tool', () => {
    const progress = new Progress(['checkout fails on node-7']);
    const ask = (tool: string, host: string) => progress.note([failed(tool, { host })]);
    expect([
      ask('ping', 'node-7'),
      ask('ping', 'node-7'),
      ask('logs', 'node-7'),
      ask('logs', 'made-up'),
    ]).toEqual([true, false, true, false]);
  });
});
