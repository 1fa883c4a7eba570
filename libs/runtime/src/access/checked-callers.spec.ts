import type { Caller } from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { CheckedCallers } from './checked-callers.js';

const ann: Caller = { name: 'ann', proof: 'session', role: 'viewer', scopes: [] };

function checkedCallers() {
  const clock = manualClock();
  const callers = new CheckedCallers(clock);
  const confirm = (digest: string, caller = ann): void => {
    const run = callers.begin(digest);
    run.confirm(caller);
    run.end();
  };
  return { clock, callers, confirm };
}

describe('T-20 checked callers', () => {
  it('are known for five minutes by the clock, from the begin of their last check', () => {
    const { clock, callers, confirm } = checkedCallers();
    confirm('a');
    clock.advance(299_999);
    expect(callers.find('a')).toEqual(ann);
    clock.advance(1);
    expect(callers.find('a')).toBeNull();
    const run = callers.begin('a');
    clock.advance(100_000);
    run.confirm({ ...ann, role: 'operator' });
    clock.advance(199_999);
    expect(callers.find('a')?.role).toBe('operator');
    clock.advance(1);
    expect(callers.find('a')).toBeNull();
  });

  it('are unknown while a check runs, after a refusal, and after they were forgotten', () => {
    const { callers, confirm } = checkedCallers();
    const run = callers.begin('a');
    expect(callers.find('a')).toBeNull();
    run.confirm(ann);
    callers.begin('a').refuse();
    expect(callers.find('a')).toBeNull();
    for (const forget of [() => callers.forget('a'), () => callers.forgetAll()]) {
      confirm('a');
      confirm('b');
      forget();
      expect(callers.find('a')).toBeNull();
    }
    expect(callers.find('b')).toBeNull();
  });

  it('are not remembered if they were forgotten during their check, and others are', () => {
    const { callers } = checkedCallers();
    const runs = ['a', 'b', 'c'].map((digest) => callers.begin(digest));
    callers.forget('a');
    runs[0]?.confirm(ann);
    runs[1]?.confirm(ann);
    callers.forgetAll();
    runs[2]?.confirm(ann);
    expect(['a', 'b', 'c'].map((digest) => callers.find(digest))).toEqual([null, null, null]);
    const [again] = ['a'].map((digest) => callers.begin(digest));
    callers.forget('b');
    again?.confirm(ann);
    expect(callers.find('a')).toEqual(ann);
  });

  it('are the last thousand', () => {
    const { callers, confirm } = checkedCallers();
    for (let n = 0; n < 1_000; n += 1) confirm(`${n}`);
    confirm('0');
    confirm('new');
    expect(['0', '1', '2', 'new'].map((digest) => callers.find(digest)?.name)).toEqual([
      'ann',
      undefined,
      'ann',
      'ann',
    ]);
  });
});
