import {
  compareQuantities,
  clausesOf,
  countScripts,
  datesIn,
  figureIn,
  figuresIn,
  findOpposite,
  isNegation,
  limitsIn,
  mainScript,
  parseNumber,
  quantitiesIn,
  relativeDatesIn,
  sameFigure,
  sameValue,
  saysNothing,
  sinceInText,
  unitFrom,
} from './index.js';
import { countsSame } from './counted.js';
import { hasNegation } from './negation.js';

const valuesOf = (text: string) => figuresIn(text).map(({ value, unit }) => [value, unit]);
const limitsOf = (text: string, language = 'en') =>
  limitsIn(text, language).map(({ figure, unit, bound }) => [figure, unit, bound]);

describe('numbers in words', () => {
  it.each([
    ['Thirteen people came.', [[13, 'person']]],
    ['Sixty-two hives were lost.', [[62, null]]],
    ['It cost two hundred and fifty dollars.', [[250, 'dollars']]],
    ['Twenty-five million people saw it.', [[25e6, 'person']]],
    ['This one is for you.', []],
  ])('figures of: %s', (text, figures) => {
    expect(valuesOf(text)).toEqual(figures);
  });

  it.each([
    ['within twenty-four hours', [[24, 'hours', 'most']]],
    ['at most thirteen days', [[13, 'days', 'most']]],
    ['höchstens zwanzig Tage', [[20, 'days', 'most']]],
    ['up to 2 million EUR', [[2e6, 'eur', 'most']]],
    // `ten` and `six` are no numbers within words.
    ['The tenant pays; sixty of them left.', [[60, 'of', null]]],
  ])('limits of: %s', (text, limits) => {
    expect(limitsOf(text)).toEqual(limits);
  });

  it.each([
    ['12,5', 'de', 12.5],
    ['12,5', 'en', 12.5],
    ['1.234,5', 'de', 1_234.5],
    ['1,234.5', 'de', 1_234.5],
    ["1'250", 'en', 1_250],
    ['12.400', 'de', 12_400],
    ['12.400', 'en', 12.4],
    ['1,2,3', 'en', null],
    ['0,123', 'en', null],
    ['5.2.0', 'en', null],
  ])('reads %s in %s as %s', (written, language, value) => {
    expect(parseNumber(written, language)).toBe(value);
    expect(figureIn(written, language)).toBe(value);
  });
});

describe('units', () => {
  it.each([
    ['$340 a day', [[340, 'dollars']]],
    ['£1,200', [[1_200, 'gbp']]],
    ['Rs 500', [[500, 'inr']]],
    [
      '15 cars and 5 buses',
      [
        [15, 'vehicle'],
        [5, 'vehicle'],
      ],
    ],
    ['停用胰島素三週後', [[3, 'weeks']]],
    // Each classifier and noun has one key, behind a figure of either script.
    ['新增三例', [[3, 'case']]],
    ['12 reports', [[12, 'case']]],
    ['共五項', [[5, 'other']]],
    ['兩件事', [[2, 'case']]],
    ['四周都是海', []],
    ['5G', []],
  ])('figures of: %s', (text, figures) => {
    expect(valuesOf(text)).toEqual(figures);
  });

  it.each([
    ['5 kWh', '5°C', false],
    ['5千瓦時', '5℃', false],
    // 度 is a degree, and a kilowatt-hour of a bill.
    ['5度', '5°C', true],
    ['5度', '5 kWh', true],
    ['5度電', '5 kWh', true],
    ['5度電', '5°C', false],
  ])('compares %s with %s', (a, b, isSame) => {
    expect(sameFigure(figuresIn(a)[0]!, figuresIn(b)[0]!)).toBe(isSame);
    expect(compareQuantities(quantitiesIn(a)[0]!, quantitiesIn(b)[0]!) === 'supports').toBe(isSame);
  });

  it.each([
    ['人數是去年的3倍', '今年開會3次', false],
    ['人數是去年的3倍', 'It is 3 times as high.', true],
    ['今年開會3次', 'It met 3 times.', true],
    ['A 3-fold rise', '人數是去年的3倍', true],
  ])('distinguishes a factor from occasions: %s, %s', (a, b, isSame) => {
    expect(countsSame(quantitiesIn(a)[0]!, quantitiesIn(b)[0]!)).toBe(isSame);
  });

  it('names an amount of energy and a temperature by two units', () => {
    expect(sameValue({ value: 5, unit: 'kWh' }, 5, '°C')).toBe(false);
    expect(sameValue({ value: 5, unit: '°C' }, 5, '℃')).toBe(true);
  });

  it.each([
    ['a share of 0,123 of all', []],
    ['between 0,123,456 and 5', [5]],
    ['1,200,300 people', [1_200_300]],
    ['2026,100 and 1,250', [2_026, 100, 1_250]],
    ['10,123 and 0.5', [10_123, 0.5]],
  ])('reads no number with two readings: %s', (text, values) => {
    expect(figuresIn(text).map(({ value }) => value)).toEqual(values);
  });

  it.each([
    ['Tage', 'days'],
    ['week', 'weeks'],
    ['%', 'percent'],
    ['US$', 'usd'],
    ['$', 'usd'],
    ['kilometre', 'km'],
    ['reports', 'reports'],
  ])('names %s as %s in facts and limits alike', (written, unit) => {
    expect(unitFrom(written)).toBe(unit);
    expect(sameValue({ value: 5, unit: written }, 5, unit)).toBe(true);
  });
});

describe('comparison', () => {
  const boundsOf = (text: string) => quantitiesIn(text).map(({ bound }) => bound);

  it.each([
    // Words behind another figure say nothing of the first one.
    ['It is £150 for 10 or more years.', ['exact', 'least']],
    ['a repair of up to and including £2,000', ['most']],
    ['zwischen 8 und 10 Uhr', ['from', 'to']],
    ['Ages 22+.', ['least']],
  ])('bounds of: %s', (text, bounds) => {
    expect(boundsOf(text)).toEqual(bounds);
  });

  it('reads a bound once, for figures in the order of the text', () => {
    const figures = figuresIn('It is £150 for ten or more of 30 years.');
    expect(figures.map(({ value, bound }) => [value, bound])).toEqual([
      [150, 'exact'],
      [10, 'least'],
      [30, 'exact'],
    ]);
  });

  it.each([
    ['Neither shift is longer than 10 hours.', [[10, 'hours', 'most']]],
    ['a maximum of 5 km', [[5, 'km', 'most']]],
    ['A return without a receipt is accepted up to 40 EUR.', [[40, 'eur', 'most']]],
    ['It must not be opened within 30 days.', [[30, 'days', null]]],
    ['Trips of more than 60 days are not insured.', [[60, 'days', null]]],
    // `or` is no unit, and words behind another figure say nothing of the first one.
    [
      'It is £150 for 10 or more years.',
      [
        [150, 'gbp', null],
        [10, '', 'least'],
      ],
    ],
    ['A fee of £150 or less applies.', [[150, 'gbp', 'most']]],
    ['30 oder mehr Tage', [[30, '', 'least']]],
  ])('limits of: %s', (text, limits) => {
    expect(limitsOf(text)).toEqual(limits);
  });
});

describe('negation', () => {
  it.each([
    ['None of the flights was late.', true],
    ['用户无法下单', true],
    ['They say it isn’t so.', true],
    // German has no list of function words here, without which two clauses seem to have the same words.
    ['Das ist nicht so.', false],
    ['Not only in May, but also in June.', false],
    ['They can and will.', false],
    ['不但便宜', false],
  ])('in: %s', (text, negates) => {
    expect(hasNegation(text)).toBe(negates);
  });

  it('knows the words of each language, and keeps them apart', () => {
    expect(isNegation('nobody', 'en')).toBe(true);
    expect(isNegation('keinen', 'de')).toBe(true);
    expect(isNegation('dont', 'en')).toBe(true);
    expect(isNegation('mat', 'hi-Latn')).toBe(true);
    expect(isNegation('mat', 'en')).toBe(false);
    // In romanised Hindi, `no` stands for `number`.
    expect(isNegation('no', 'hi', 'hi-Latn')).toBe(false);
    expect(['n/a', 'None.', '-', ''].every(saysNothing)).toBe(true);
  });

  it('finds the opposite of a sentence whose negation is a word of the common table', () => {
    expect(
      findOpposite('The ferry stopped in the harbour.', clausesOf('Nobody said the ferry stopped.')),
    ).toBeNull();
    expect(
      findOpposite('All flights left on time today.', clausesOf('No flights left on time today.'))?.kind,
    ).toBe('polarity');
  });
});

describe('stated and inferred', () => {
  it('marks the unit of a bare dollar sign as inferred', () => {
    expect(limitsIn('at most $20, US$30 or Rs. 500', 'en')).toMatchObject([
      { unit: 'usd', inferred: ['unit'], said: '$20', from: 8, to: 11 },
      { unit: 'usd', inferred: [], said: 'US$30' },
      { unit: 'inr', inferred: [], figure: 500 },
    ]);
  });

  const received = '2026-03-02T10:00:00Z';

  it('marks the day of a clock time as inferred', () => {
    expect(sinceInText('down since 09:05 UTC', received)).toMatchObject({
      value: '2026-03-02T09:05:00.000Z',
      inferred: ['day'],
      said: 'since 09:05 UTC',
      from: 5,
      to: 20,
    });
    expect(sinceInText('since 2026-03-01 09:05Z', received)).toMatchObject({ inferred: [] });
    expect(sinceInText('seit 23:50 UTC', received)?.value).toBe('2026-03-01T23:50:00.000Z');
  });

  it('marks the year of a relative date as inferred, and not that of a written one', () => {
    expect(relativeDatesIn('It begins next year.', { y: 2026, m: 12 })).toMatchObject([
      { value: { y: 2027 }, inferred: ['y'], said: 'next year' },
    ]);
    expect(relativeDatesIn('上個月', { y: 2026, m: 1 })).toMatchObject([
      { value: { y: 2025, m: 12 }, inferred: ['y', 'm'] },
    ]);
    expect(datesIn('民國115年3月28日')).toMatchObject([{ value: { y: 2026, m: 3, d: 28 }, inferred: [] }]);
  });
});

it('finds the script of a text', () => {
  expect(mainScript('2026')).toBeNull();
  expect(mainScript('電價 up')).toBe('han');
  expect(countScripts('電價 kWh かな')).toMatchObject({ han: 2, latin: 3, kana: 2 });
});
