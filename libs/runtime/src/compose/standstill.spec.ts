import { StandstillWatch } from './standstill.js';

describe('the watch for standstills', () => {
  let now = 0;
  const later = (ms: number) => {
    for (let left = ms; left > 0; left -= 250) {
      now += Math.min(250, left);
      jest.advanceTimersByTime(Math.min(250, left));
    }
  };
  beforeEach(() => {
    jest.useFakeTimers();
    now = 1_000;
  });
  afterEach(() => jest.useRealTimers());

  it('R12 sees none while the process runs, however long a call takes', () => {
    const watch = new StandstillWatch(() => now);
    const mark = watch.mark();
    later(60_000);
    expect(watch.since(mark)).toBe(0);
  });

  it('R12 sees one in each call that was under way, and in none that began after it', () => {
    const watch = new StandstillWatch(() => now);
    const before = watch.mark();
    later(500);
    now += 6_000;
    expect(watch.since(before)).toBe(5_750);
    const after = watch.mark();
    later(5_000);
    expect(watch.since(before)).toBe(5_750);
    expect(watch.since(after)).toBe(0);
  });

  it('R12 does not take a short delay of the event loop for one', () => {
    const watch = new StandstillWatch(() => now);
    const mark = watch.mark();
    now += 900;
    expect(watch.since(mark)).toBe(0);
  });
});
