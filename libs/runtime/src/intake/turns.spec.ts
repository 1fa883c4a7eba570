import { Turns } from './turns.js';

function setUp() {
  let now = 0;
  let turn = 0;
  const turns = new Turns(
    () => now,
    async () => (turn += 1),
  );
  const piece = (ms: number): Promise<number> =>
    turns.run(async () => {
      const startedIn = turn;
      // Masking computes in several steps.
      await Promise.resolve();
      now += ms;
      return startedIn;
    });
  return { turns, piece };
}

describe('Turns', () => {
  it('S2-40 lets pieces of less than 5 ms start in one turn', async () => {
    const { piece } = setUp();
    const started = await Promise.all(Array.from({ length: 50 }, () => piece(0.09)));
    expect(new Set(started)).toEqual(new Set([1]));
  });

  it('S2-40 starts a later turn after 5 ms, also if a piece is asynchronous', async () => {
    const { piece } = setUp();
    expect(await Promise.all([2, 2, 2, 7, 1, 1].map(piece))).toEqual([1, 1, 1, 2, 3, 3]);
  });

  it('continues after a piece that fails', async () => {
    const { turns, piece } = setUp();
    const failed = turns.run(() => Promise.reject(new Error('a secret scanner that failed')));
    await expect(failed).rejects.toThrow('a secret scanner that failed');
    expect(await piece(1)).toBe(1);
  });
});
