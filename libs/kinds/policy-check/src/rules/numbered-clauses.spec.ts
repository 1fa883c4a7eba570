import { citableFacts, type Fact } from '@casefile/contracts';
import { sectionsFound } from '../testing/policy-builders.js';
import { heuristicAnswer } from './check-by-rules.js';

/** A policy as companies write it: a heading for each section, and numbered clauses below. */
const SECTIONS = {
  '2. Hotels':
    '2.1 Hotel costs are reimbursed up to 140 EUR per night.\n\n' +
    '2.2 In Zurich, Geneva and London the limit in 2.1 is 210 EUR per night.',
  '3. Claims':
    '3.1 A claim must be submitted within 30 days after the end of the trip.\n' +
    '3.2 Receipts are required for every amount above 25 EUR.',
  '5. Flights':
    '5.1 Flights under 6 hours are booked in economy class.\n\n' +
    '5.2 Business class may be booked for flights of 6 hours or more with the approval of a director.\n\n' +
    '5.3 An upgrade may be booked for flights of 9 hours or more if a director has signed it.',
};
type Facts = Record<string, number | string | boolean>;

function answer(question: string, given: Facts, sections: Record<string, string> = SECTIONS) {
  const facts = Object.entries(given).map(([name, value]): Fact => {
    const isMoney = typeof value === 'number' && name.includes('cost');
    return { name, value, confidence: 0.98, ...(isMoney && { unit: 'EUR' }) };
  });
  const found = Object.entries(sections).map(([title, text]) => ({ title, text }));
  return heuristicAnswer({
    criterion: { id: 'c', text: question },
    facts: citableFacts(facts),
    evidence: sectionsFound(...found),
    language: 'en',
  });
}
const quotesOf = ({ citations }: ReturnType<typeof answer>) =>
  citations.flatMap((citation) => (citation.kind === 'quote' ? [citation.quote] : []));

const HOTEL = 'Is the hotel cost per night within the limit?';
const withClause = (text: string) => ({
  ...SECTIONS,
  '2. Hotels': `${SECTIONS['2. Hotels']}\n\n${text}`,
});

describe('a policy with numbered clauses', () => {
  it.each<[string, Facts]>([
    ['MET', { trip_ended_on: '2026-06-01', submitted_on: '2026-06-28' }],
    ['NOT_MET', { trip_ended_on: '2026-06-01', submitted_on: '2026-07-10' }],
  ])('S4-40 the number of a clause is no figure: %s', (status, facts) => {
    const answered = answer('Was the claim submitted in time?', facts);
    expect([answered.status, quotesOf(answered)[0]]).toEqual([
      status,
      'A claim must be submitted within 30 days after the end of the trip.',
    ]);
  });

  it.each<[string, Facts]>([
    ['MET', { days_after_trip: 30 }],
    ['NOT_MET', { days_after_trip: 31 }],
    ['NOT_MET', { claim_submitted_days_after_trip: 31 }],
    ['NOT_MET', { days_after_trip: '31' }],
    ['MET', { days_after_trip: '30 days' }],
    ['UNCERTAIN', { days_after_trip: 'late' }],
    ['UNCERTAIN', { days_after_trip: '31 EUR' }],
    ['UNCERTAIN', { approved_days_after_trip: 31 }],
    ['UNCERTAIN', { days_after_booking: 31 }],
    ['UNCERTAIN', { days_before_trip: 31 }],
    ['UNCERTAIN', { days_after_trip: 31, trip_ended_on: '2026-06-01', submitted_on: '2026-06-28' }],
  ])('S4-40 a fact that counts days after the same event is compared: %s %j', (status, facts) => {
    expect(answer('Was the claim submitted in time?', facts).status).toBe(status);
  });

  it('S4-40 a policy that says "handed in" is decided by days after the trip', () => {
    const sections = { '3. Claims': 'A claim must be handed in within 30 days after the end of the trip.' };
    const asked = 'Was the claim handed in in time?';
    expect(answer(asked, { days_after_trip: 31 }, sections).status).toBe('NOT_MET');
    expect(answer(asked, { days_after_trip: 12 }, sections).status).toBe('MET');
  });

  it.each([
    ['NOT_MET', 'Receipts are handed in within 30 days after the end of the trip.', 31],
    ['MET', 'Receipts are handed in within 30 days after the end of the trip.', 12],
    ['UNCERTAIN', 'Receipts that are handed in within 30 days after the end of the trip are paid first.', 31],
    ['UNCERTAIN', 'Receipts are not handed in within 30 days after the end of the trip.', 31],
    [
      'UNCERTAIN',
      'If receipts are handed in within 30 days after the end of the trip, they are paid first.',
      31,
    ],
    ['UNCERTAIN', 'Receipts are often handed in within 30 days after the end of the trip.', 31],
  ])('S4-40 a policy also states a requirement as a practice: %s by %j and %d days', (status, text, days) => {
    const asked = 'Were the receipts handed in in time?';
    expect(answer(asked, { days_after_trip: days }, { '4. Receipts': text }).status).toBe(status);
  });

  it('S4-40 a figure for each of something is compared with such a figure alone', () => {
    expect(answer(HOTEL, { hotel_cost_per_night: 132 }).status).toBe('MET');
    expect(answer(HOTEL, { hotel_cost: 132, nights: 2 }).status).toBe('UNCERTAIN');
    expect(answer('Is the hotel cost per trip within the limit?', { hotel_cost_per_night: 132 }).status).toBe(
      'UNCERTAIN',
    );
  });

  it.each([
    [162, 'In Zurich, Geneva and London the limit in 2.1 is 210 EUR per night.', SECTIONS],
    [
      132,
      'In Cologne the limit in 2.1 is 100 EUR per night.',
      withClause('2.3 In Cologne the limit in 2.1 is 100 EUR per night.'),
    ],
    [
      132,
      'The limit in 2.1 is 600 EUR per trip for trainees.',
      withClause('2.3 The limit in 2.1 is 600 EUR per trip for trainees.'),
    ],
    [
      250,
      'The limit in 2.1 may be exceeded by 120 EUR at trade fairs.',
      withClause('2.3 The limit in 2.1 may be exceeded by 120 EUR at trade fairs.'),
    ],
  ])(
    'S4-40 %s EUR stays open where another clause gives a figure that changes the result',
    (cost, other, sections) => {
      const answered = answer(HOTEL, { city: 'Berlin', hotel_cost_per_night: cost }, sections);
      expect([answered.status, quotesOf(answered)]).toEqual(['UNCERTAIN', expect.arrayContaining([other])]);
    },
  );

  it('S4-40 a figure of another clause that changes nothing is cited and settles nothing else', () => {
    const answered = answer(HOTEL, { city: 'Bonn', hotel_cost_per_night: 95 });
    expect([answered.status, quotesOf(answered).length]).toEqual(['MET', 2]);
  });

  it.each(['director_approval', 'director_signed'])(
    'T-35 S4-40 no approval by the figure alone where the case denies %s',
    (name) => {
      const facts = { flight_duration: '10 hours', booked_class: 'business', [name]: 'no' };
      expect(answer('Was the class of the flight allowed?', facts).status).toBe('UNCERTAIN');
      expect(answer('Is the upgrade of the flight allowed?', facts).status).toBe('UNCERTAIN');
    },
  );

  it('S4-40 show the nearest sentences where no requirement is plainly the one', () => {
    const answered = answer('Was a receipt enclosed?', { taxi_cost: 52 });
    expect([answered.status, quotesOf(answered)]).toEqual([
      'UNCERTAIN',
      ['Receipts are required for every amount above 25 EUR.'],
    ]);
  });
});
