import fc from 'fast-check';
import { limiterFor } from './job-slots.js';

const rateOf = ({ max, duration }: { max: number; duration: number }) => (max * 1_000) / duration;

describe('a limited rate', () => {
  it('is kept by the two queues of a topic together, and nearly used', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 500, noNaN: true }), (perSecond) => {
        const both =
          rateOf(limiterFor(perSecond, 'live', false)) + rateOf(limiterFor(perSecond, 'bulk', false));
        expect(both).toBeLessThanOrEqual(perSecond * 1.000001);
        expect(both).toBeGreaterThan(perSecond * 0.8);
      }),
    );
  });

  it('belongs to the live lane for the greater part, and whole to a queue that is alone', () => {
    const live = rateOf(limiterFor(4, 'live', false));
    expect(live).toBeGreaterThan(rateOf(limiterFor(4, 'bulk', false)));
    expect(rateOf(limiterFor(4, 'live', true))).toBeCloseTo(4);
  });
});
