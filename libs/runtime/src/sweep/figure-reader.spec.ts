import { FigureReader } from './figure-reader.js';

describe('FigureReader', () => {
  it('S4-60 reads pages until one is not full, a bounded number per pass', async () => {
    const asked: number[] = [];
    const left = [2_000, 2_000, 7];
    const reader = new FigureReader(
      { note: async (limit) => asked.push(limit) && (left.shift() ?? 0) },
      0.02,
    );
    await reader.tick(new AbortController().signal);
    expect(asked).toEqual([2_000, 2_000, 2_000]);
    const endless = new FigureReader({ note: async (limit) => asked.push(limit) && limit }, 0.02);
    asked.length = 0;
    await endless.tick(new AbortController().signal);
    expect(asked).toHaveLength(10);
  });
});
