import { manualClock } from '@casefile/contracts/testing';
import { AttemptLimit, networkOf } from './attempt-limit.js';

describe('AttemptLimit', () => {
  it('limits each address within a minute, and no other address', () => {
    const clock = manualClock();
    const limit = new AttemptLimit(3, clock);
    for (let i = 0; i < 3; i += 1) {
      expect(limit.waitMs('192.0.2.1')).toBe(0);
      limit.note('192.0.2.1');
    }
    expect(limit.waitMs('192.0.2.1')).toBe(60_000);
    expect(limit.waitMs('192.0.2.2')).toBe(0);
    clock.advance(59_000);
    expect(limit.waitMs('192.0.2.1')).toBe(1_000);
    clock.advance(1_000);
    expect(limit.waitMs('192.0.2.1')).toBe(0);
  });

  it('counts at most 10,000 addresses, and forgets the oldest', () => {
    const limit = new AttemptLimit(1, manualClock());
    for (let i = 0; i <= 10_000; i += 1) limit.note(`10.0.${i >> 8}.${i & 255}`);
    expect(limit.waitMs('10.0.0.0')).toBe(0);
    expect(limit.waitMs('10.0.0.1')).toBe(60_000);
  });
});

describe('networkOf', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::1', '0:0:0:0::'],
    ['2001:db8::1', '2001:db8:0:0::'],
    ['2001:0db8:0000:0000:aaaa:bbbb:cccc:dddd', '2001:db8:0:0::'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['fe80::1%eth0', 'fe80:0:0:0::'],
    [undefined, 'unknown'],
  ])('counts %s as %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
