import { memoryTerminal } from '../testing/memory-terminal.js';
import { showReadings } from './watched.js';

describe('--watch', () => {
  it('prints each reading, and ends at the signal with the exit code of the last reading', async () => {
    const terminal = memoryTerminal();
    const stop = new AbortController();
    const codes: number[] = [];
    const context = { terminal, end: (code: number) => void codes.push(code) } as never;
    let readings = 0;
    const read = async () => {
      readings += 1;
      if (readings === 2) stop.abort();
      return { answer: {}, lines: [`reading ${readings}`], exitCode: readings === 2 ? 1 : 0 };
    };
    await showReadings(context, { watch: 0.001 }, read, stop.signal);
    expect(terminal.lines).toEqual(['reading 1', 'reading 2']);
    expect(codes).toEqual([0, 1]);
  });
});
