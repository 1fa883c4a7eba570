import { plainFiguresIn, RecordFigures, tokensWithDigits } from './index.js';

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

  it('finds figures in texts without blanks', () => {
    const unspaced = new RecordFigures('請匯款5000元', '1,250円を3月12日までに', '오전10시05분', 'จ่าย750บาท');
    for (const token of ['5000', '5,000', '1250', '1,250', '3', '12', '10', '05', '750'])
      expect([token, unspaced.has(token)]).toEqual([token, true]);
    expect(unspaced.has('50')).toBe(false);
    expect(tokensWithDigits('請匯款5000元')).toEqual(['5000']);
  });

  it('finds figures and names in a long row without blanks', () => {
    const row = Array.from({ length: 40 }, (_, i) => `pod-${i}a,${700 + i}.5`).join(',');
    const figures = new RecordFigures(
      row,
      Array.from({ length: 60 }, (_, i) => 4_100 + i).join(','),
      'x,12,5',
    );
    for (const token of ['pod-39a', '739.5', '4100', '4159', '12,5'])
      expect([token, figures.has(token)]).toEqual([token, true]);
  });

  it('takes no part of a word, an id or a link for a figure', () => {
    expect(plainFiguresIn('12 of 1,250, B2B, covid-19, a/5 and 0.92.')).toEqual(['12', '1,250', '0.92']);
  });
});
