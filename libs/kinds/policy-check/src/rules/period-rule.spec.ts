import { citableFacts, type Fact } from '@casefile/contracts';
import { sectionsFound } from '../testing/policy-builders.js';
import { heuristicAnswer } from './check-by-rules.js';

const QUESTION = 'Was the expense claim submitted in time?';
const rule = (period: string): string => `An expense claim must be submitted ${period} the expense date.`;

const check = (sentence: string, spent: Fact['value'], submitted: Fact['value'], text = QUESTION) =>
  heuristicAnswer({
    criterion: { id: 'c', text },
    facts: citableFacts([
      { name: 'expense_date', value: spent, confidence: 0.98 },
      { name: 'submitted_date', value: submitted, confidence: 0.98 },
    ]),
    evidence: sectionsFound({ title: '1 Expenses', text: sentence }),
    language: 'en',
  }).status;

describe('a period and its dates as documents write them', () => {
  it.each([
    ['a number in words and figures', 'within sixty (60) days after', '2026-01-01', '2026-03-15'],
    ['dates of a German form', 'within 60 days after', '01.01.2026', '15.03.2026'],
    [
      'local times before and after the change to summer time',
      'within 60 days after',
      '2026-01-01T09:00:00+01:00',
      '2026-04-15T09:00:00+02:00',
    ],
  ])('S4-40 decides by %s', (_, period, spent, submitted) => {
    expect(check(rule(period), spent, submitted)).toBe('NOT_MET');
    expect(check(rule(period), spent, spent)).toBe('MET');
  });

  it.each([
    'within 30 days of',
    'within thirty (30) calendar days of',
    'within 30 (thirty) days from',
    'within thirty days after',
    'within a period of 30 consecutive days following',
    'within a maximum of 30 days of',
    'no later than 30 calendar days after',
    'by no later than thirty day(s) after',
    'not more than 30 days after',
    'at most thirty (30) days after',
  ])('S4-40 reads "%s" as thirty days at most', (period) => {
    expect(check(rule(period), '2026-01-01', '2026-01-31')).toBe('MET');
    expect(check(rule(period), '2026-01-01', '2026-02-01')).toBe('NOT_MET');
  });

  it.each([
    ['one hundred and twenty (120) days', '2026-05-01', '2026-05-02'],
    ['a hundred days', '2026-04-11', '2026-04-12'],
    ['forty-five days', '2026-02-15', '2026-02-16'],
    ['two (2) weeks', '2026-01-15', '2026-01-16'],
    ['a week', '2026-01-08', '2026-01-09'],
  ])('S4-40 reads the length %s', (length, last, late) => {
    expect(check(rule(`within ${length} of`), '2026-01-01', last)).toBe('MET');
    expect(check(rule(`within ${length} of`), '2026-01-01', late)).toBe('NOT_MET');
  });

  it.each([
    ['within a thirty-day period of', '2026-01-31', '2026-02-01'],
    ['within the 30-day period following', '2026-01-31', '2026-02-01'],
    ['within a thirty (30) calendar day period after', '2026-01-31', '2026-02-01'],
    ['within six (6) months of', '2026-07-01', '2026-07-02'],
    ['within one month after', '2026-02-01', '2026-02-02'],
    ['no later than two years after', '2028-01-01', '2028-01-02'],
    ['within a period of twelve months following', '2027-01-01', '2027-01-02'],
    ['within a one-year period of', '2027-01-01', '2027-01-02'],
  ])('S4-40 reads "%s"', (period, last, late) => {
    expect(check(rule(period), '2026-01-01', last)).toBe('MET');
    expect(check(rule(period), '2026-01-01', late)).toBe('NOT_MET');
  });

  it.each([
    ['2026-01-31', '2026-02-28', 'MET'],
    ['2026-01-31', '2026-03-01', 'UNCERTAIN'],
    ['2026-01-31', '2026-03-03', 'UNCERTAIN'],
    ['2026-01-31', '2026-03-04', 'NOT_MET'],
    ['2028-01-30', '2028-02-29', 'MET'],
    ['2026-02-28', '2026-03-28', 'MET'],
    ['2026-02-28', '2026-03-29', 'NOT_MET'],
  ])('S4-40 counts a month from %s to %s: %s', (from, to, status) => {
    expect(check(rule('within one month of'), from, to)).toBe(status);
  });

  it('S4-40 leaves the day between open where months must pass', () => {
    const sentence = rule('at least two months before');
    expect(check(sentence, '2026-03-15', '2026-01-14')).toBe('MET');
    expect(check(sentence, '2026-03-15', '2026-01-15')).toBe('UNCERTAIN');
    expect(check(sentence, '2026-03-15', '2026-01-16')).toBe('NOT_MET');
  });

  it.each([
    'at least two (2) weeks before',
    'no later than 14 days before',
    'not less than fourteen days prior to',
  ])('S4-40 reads "%s" as two weeks at least, and leaves the day between open', (period) => {
    expect(check(rule(period), '2026-01-31', '2026-01-16')).toBe('MET');
    expect(check(rule(period), '2026-01-31', '2026-01-17')).toBe('UNCERTAIN');
    expect(check(rule(period), '2026-01-31', '2026-01-18')).toBe('NOT_MET');
  });

  it.each([
    rule('within sixty (30) days after'),
    rule('within ten (10) business days after'),
    rule('within ten working days after'),
    rule('within twenty thirty days after'),
    rule('within 30 days before'),
    rule('within at least 30 days after'),
    rule('at least five days and at most thirty days after'),
    rule('for at least two weeks after'),
    'An expense claim must not be submitted within 30 days of the expense date.',
    'No expense claim must be submitted within 30 days of the expense date.',
  ])('S4-40 leaves open what has no plain meaning: %s', (sentence) => {
    expect(check(sentence, '2026-01-01', '2026-01-02')).toBe('UNCERTAIN');
    expect(check(sentence, '2026-01-01', '2026-12-31')).toBe('UNCERTAIN');
  });

  it.each([
    ['2026-01-01T23:30:00Z', '2026-01-31T12:00:00+02:00', 'UNCERTAIN'],
    ['2026-01-01T23:30:00Z', '2026-01-30T12:00:00+02:00', 'MET'],
    ['2026-01-01T09:00:00', '2026-02-02T09:00:00+01:00', 'NOT_MET'],
    ['2026-03-15T09:00:00+01:00', '2026-04-14T23:00:00+02:00', 'MET'],
    ['03/04/2026', '2026-12-31', 'UNCERTAIN'],
  ])(
    'S4-40 decides by times of two places only where a day makes no difference: %s, %s',
    (from, to, status) => {
      expect(check(rule('within 30 days of'), from, to)).toBe(status);
    },
  );

  it('S4-40 counts hours across offsets', () => {
    const sentence = rule('within forty-eight (48) hours of');
    const from = '2026-03-28T10:00:00+01:00';
    expect(check(sentence, from, '2026-03-30T11:00:00+02:00')).toBe('MET');
    expect(check(sentence, from, '2026-03-30T11:01:00+02:00')).toBe('NOT_MET');
    expect(check(sentence, from, '2026-03-30T11:00:00')).toBe('UNCERTAIN');
  });

  it.each([
    ['Was the expense claim submitted no later than 60 calendar days after the expense date?', 'NOT_MET'],
    ['Was the expense claim submitted within sixty (60) days after the expense date?', 'NOT_MET'],
    ['Was the expense claim submitted within 90 days of the expense date?', 'UNCERTAIN'],
    ['Was the expense claim submitted more than 60 days after the expense date?', 'UNCERTAIN'],
    ['Was the expense claim not submitted within 60 days of the expense date?', 'UNCERTAIN'],
  ])('S4-40 takes the period that a question names: %s', (text, status) => {
    expect(check(rule('within 60 days after'), '2026-01-01', '2026-03-15', text)).toBe(status);
  });
});
