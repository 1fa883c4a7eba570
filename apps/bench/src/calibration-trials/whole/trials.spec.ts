import { calibrationTrials, LIMITS } from '../trials.js';

describe('S4-60: calibration of sets whose true curve is known', () => {
  it('is found within its intervals', () => {
    for (const [name, value] of Object.entries(calibrationTrials(20)))
      expect({ name, value, holds: LIMITS[name as keyof typeof LIMITS].holds(value) }).toEqual({
        name,
        value,
        holds: true,
      });
  });
});
