import { cachedFor } from './cached-for.js';

describe('an answer that is kept for a while', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  function asked() {
    const answers: { resolve(n: number): void; reject(error: Error): void }[] = [];
    const ask = cachedFor(
      5_000,
      () => new Promise<number>((resolve, reject) => answers.push({ resolve, reject })),
    );
    return { answers, ask };
  }

  it('E-08 is asked for once in its time, by however many, and anew afterwards', async () => {
    const { answers, ask } = asked();
    const both = [ask(), ask()];
    answers[0]!.resolve(1);
    expect(await Promise.all(both)).toEqual([1, 1]);
    jest.advanceTimersByTime(4_999);
    expect(await ask()).toBe(1);
    jest.advanceTimersByTime(1);
    void ask();
    expect(answers).toHaveLength(2);
  });

  it('E-08 is no answer when it is an error: the next caller asks again', async () => {
    const { answers, ask } = asked();
    const failed = ask();
    answers[0]!.reject(new Error('full'));
    await expect(failed).rejects.toThrow('full');
    const second = ask();
    answers[1]!.resolve(2);
    expect(await second).toBe(2);
  });

  it('stays when an earlier question, given up by then, fails', async () => {
    const { answers, ask } = asked();
    const hangs = ask();
    jest.advanceTimersByTime(30_000);
    void ask();
    answers[0]!.reject(new Error('late'));
    await expect(hangs).rejects.toThrow('late');
    void ask();
    expect(answers).toHaveLength(2);
  });

  it('is asked for by one call at a time, and less often if a call is slow', async () => {
    const { answers, ask } = asked();
    const first = ask();
    jest.advanceTimersByTime(6_000);
    expect(ask()).toBe(first);
    answers[0]!.resolve(1);
    expect(await first).toBe(1);
    jest.advanceTimersByTime(7_999);
    expect(ask()).toBe(first);
    jest.advanceTimersByTime(1);
    void ask();
    expect(answers).toHaveLength(2);
  });

  it('is that of the newest call, also if an earlier one, given up by then, ends later', async () => {
    const { answers, ask } = asked();
    const lost = ask();
    jest.advanceTimersByTime(30_000);
    const next = ask();
    answers[1]!.resolve(2);
    await next;
    answers[0]!.resolve(1);
    await lost;
    expect(await ask()).toBe(2);
  });

  it('is kept for as many times the duration of its call as is asked for', async () => {
    const ask = jest.fn(async () => void jest.advanceTimersByTime(100));
    const get = cachedFor(1_000, ask, { callTimes: 20 });
    await get();
    jest.advanceTimersByTime(1_999);
    await get();
    expect(ask).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(1);
    await get();
    expect(ask).toHaveBeenCalledTimes(2);
  });
});
