import { createMemory } from './memory.js';

describe('createMemory', () => {
  it('knows what was given with an id, also when it was several things', () => {
    const memory = createMemory();
    memory.remember('c1', 'one');
    memory.remember('c1', 'two');
    expect(memory.contentsOf('c1')).toEqual(['one', 'two']);
    expect(['one', 'two', 'three'].map((value) => memory.contradicts('c1', value))).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('holds nothing against ids that it never gave', () => {
    const memory = createMemory();
    expect([memory.knows('c1'), memory.contradicts('c1', 'one')]).toEqual([false, false]);
  });

  it('forgets the oldest ids, and everything on request', () => {
    const memory = createMemory();
    for (let n = 0; n <= 10_000; n += 1) memory.remember(`c${n}`, 'x');
    expect([memory.knows('c0'), memory.knows('c1'), memory.knows('c10000')]).toEqual([false, true, true]);
    memory.forget();
    expect(memory.knows('c10000')).toBe(false);
  });

  it('draws no conclusion from an id that came with very many things', () => {
    const memory = createMemory();
    for (let n = 0; n < 500; n += 1) memory.remember('call_sim_1', `reasoning ${n}`);
    expect(memory.contradicts('call_sim_1', 'reasoning 499')).toBe(false);
  });
});
