import { plainFiguresIn, RecordFigures } from './index.js';

describe('whether a record holds a figure', () => {
  const record = new RecordFigures(
    'errors 34.8 %, 1,117/s, p99 5.02 s, INR500, checkout-7f9c-x2x1z, 2026-03-02T09:05:31Z',
    12,
  );

  it.each([
    '34.8',
    '35',
    '34,8',
    '1117',
    '1,117',
    '5.02s',
    '500',
    '12',
    '12.0',
    '09:05',
    '2026',
    'checkout-7f9c',
  ])('holds %s', (token) => {
    expect(record.has(token)).toBe(true);
  });

  // 99 and 7 are parts of names.
  it.each(['348', '99', '7', '10:05', '5.3.0', 'checkout-8f9c', '13'])('does not hold %s', (token) => {
    expect(record.has(token)).toBe(false);
  });

  it('takes no part of a word, an id or a link for a figure', () => {
    expect(plainFiguresIn('12 of 1,250, B2B, covid-19, a/5 and 0.92.')).toEqual(['12', '1,250', '0.92']);
  });
});
