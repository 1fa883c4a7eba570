import { silentLogger } from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { throttledErrors, throttledKeys } from './throttled-errors.js';

it('errors of a store are logged once in ten seconds each', () => {
  const clock = manualClock();
  const lines: string[] = [];
  const warn = (facts: object) => void lines.push((facts as { err: Error }).err.message);
  const report = throttledErrors({ ...silentLogger, warn }, 'redis', clock.now);
  for (let n = 0; n < 100; n += 1) report(new Error('refused'));
  report(new Error('reset'));
  expect(lines).toEqual(['refused', 'reset']);
  clock.advance(10_000);
  report(new Error('refused'));
  expect(lines).toEqual(['refused', 'reset', 'refused']);
});

it('a job that another worker took over is no error of the store', () => {
  const [warned, debugged]: string[][] = [[], []];
  const logger = {
    ...silentLogger,
    warn: (facts: object) => void warned!.push((facts as { err: Error }).err.message),
    debug: (facts: object) => void debugged!.push((facts as { err: Error }).err.message),
  };
  const report = throttledErrors(logger, 'postgres', manualClock().now);
  const lost = ['Missing key for job 1.2. moveToDelayed', 'Missing lock for job 1.3. moveToFinished'];
  for (const message of [...lost, 'connection refused']) report(new Error(message));
  expect(warned).toEqual(['connection refused']);
  expect(debugged).toEqual(lost);
});

it('a key that is let through again says how often it was held back', () => {
  const clock = manualClock();
  const letThrough = throttledKeys(60_000, clock.now);
  expect([letThrough('a'), letThrough('a'), letThrough('b'), letThrough('a')]).toEqual([0, null, 0, null]);
  clock.advance(60_000);
  expect([letThrough('a'), letThrough('a')]).toEqual([2, null]);
});
