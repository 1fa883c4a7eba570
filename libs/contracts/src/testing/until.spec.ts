import { CasefileError } from '../errors/casefile-error.js';
import { until } from './until.js';

describe('waiting in a spec', () => {
  it('ends when the condition holds', async () => {
    let checks = 0;
    await until('the third check', () => (checks += 1) === 3, 1);
    expect(checks).toBe(3);
  });

  it('fails with what it waited for and the last state seen', async () => {
    let checks = 0;
    const never = () => (checks += 1) < 0;
    await expect(until('the end of all days', never, 1, 20)).rejects.toThrow(
      'the end of all days: not within 20 ms',
    );
    await expect(until(() => `no end after ${checks} checks`, never, 1, 20)).rejects.toThrow(
      /^no end after \d+ checks: not within 20 ms$/,
    );
  });

  it('fails in time when the condition itself hangs', async () => {
    await expect(until('an answer', () => new Promise(() => undefined), 1, 20)).rejects.toThrow(
      'an answer: not within 20 ms',
    );
  });

  it('asks a store again that is too busy, and names its last error as the cause', async () => {
    const busy = new CasefileError('store_unreachable', 'too busy');
    let checks = 0;
    await until('an answer', () => {
      if ((checks += 1) < 3) throw busy;
      return true;
    });
    const waiting = until('an answer', () => Promise.reject(busy), 1, 20);
    await expect(waiting).rejects.toMatchObject({ message: 'an answer: not within 20 ms', cause: busy });
  });

  it('throws any other error immediately', async () => {
    await expect(until('an answer', () => Promise.reject(new Error('wrong')))).rejects.toThrow('wrong');
  });
});
