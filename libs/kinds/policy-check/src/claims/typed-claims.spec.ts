import type { ClaimDimension } from '@casefile/contracts';
import { outwardVerdict } from '../outward.js';
import { OFF, reviewAnswer, type AnswerCase } from '../testing/reviewed-answer.js';

/** Returns the parts of an answer that are contradicted, and the disposition without a second question. */
async function contradictedIn(at: AnswerCase) {
  const { review, verdict, markdown } = await reviewAnswer(at, [], OFF);
  const parts = review.claims?.flatMap((claim) => claim.parts) ?? [];
  const contradicted = parts
    .filter(({ result }) => result === 'contradicted')
    .map(({ dimension }) => dimension);
  return { contradicted, verdict, markdown, parts };
}

const met = (at: Omit<AnswerCase, 'status'>): AnswerCase => ({ ...at, status: 'MET' });
const notMet = (at: Omit<AnswerCase, 'status'>): AnswerCase => ({ ...at, status: 'NOT_MET' });

const LOCKER = { '1 Lockers': 'A locker is rented to members or to their children.' };
const WRONG: [title: string, by: ClaimDimension, at: AnswerCase][] = [
  [
    'an alternative that the quote leaves out',
    'scope',
    notMet({
      question: 'May the locker be rented?',
      sections: LOCKER,
      facts: { member: 'no', child_of_member: 'yes' },
      quotes: [['1 Lockers', 'rented to members']],
      why: 'The applicant is no member.',
    }),
  ],
  [
    'a section that suspends the cited one for this case',
    'clause',
    notMet({
      question: 'Hat der Gast richtig geparkt?',
      language: 'de',
      sections: {
        '2 Parken': 'Gäste parken im Hof.',
        '7 Messe': 'Während der Messe gilt Ziffer 2 nicht.',
      },
      facts: { zeitraum: 'während der Messe', stellplatz: 'Straße' },
      quotes: [['2 Parken', 'Gäste parken im Hof.']],
      why: 'Der Gast stand auf der Straße.',
    }),
  ],
  [
    'the value of another subject',
    'subject',
    met({
      question: 'Is the cyclist old enough?',
      sections: { '3 Age': 'A cyclist is 14 or older.' },
      facts: { age_cyclist: ['12', 'years'], age_coach: ['35', 'years'] },
      quotes: [['3 Age', 'A cyclist is 14 or older.']],
      why: 'With 35 years the age is reached.',
    }),
  ],
  [
    'an older value',
    'time',
    met({
      question: 'Is the fleet small enough?',
      sections: { '1 Size': 'The fleet has at most 40 vans.' },
      facts: { vans_2022: ['38', 'vans'], vans_2026: ['55', 'vans'] },
      quotes: [['1 Size', 'The fleet has at most 40 vans.']],
      why: 'With 38 the fleet stays below 40.',
    }),
  ],
  [
    'a time of day of another zone',
    'time',
    notMet({
      question: 'Arrived the bid in time?',
      sections: { '5 End': 'Bids arrive by 12:00 Lisbon time.' },
      facts: { bid: '2026-03-02 12:40 Berlin time' },
      quotes: [['5 End', 'Bids arrive by 12:00 Lisbon time.']],
      why: '12:40 is later than 12:00.',
    }),
  ],
  [
    'an offer taken as done',
    'modality',
    met({
      question: 'Is the roof insured?',
      sections: { '4 Roof': 'The owner has insured the roof.' },
      facts: { insurance: 'an offer to insure was made' },
      quotes: [['4 Roof', 'The owner has insured the roof.']],
      why: 'The roof is insured.',
    }),
  ],
  [
    'a missing value taken as an answer',
    'state',
    notMet({
      question: 'Est-ce que le kayak est en règle ?',
      language: 'fr',
      sections: { '2 Gilet': 'Un gilet est à bord.' },
      facts: { gilet: 'aucune donnée' },
      quotes: [['2 Gilet', 'Un gilet est à bord.']],
      why: 'Rien ne montre un gilet.',
    }),
  ],
  [
    'the reverse order of two dates',
    'order',
    notMet({
      question: '¿Se siguió el orden?',
      language: 'es',
      sections: { '6 Pintura': 'La pintura se aplica después de la limpieza.' },
      facts: { limpieza: '2026-01-03', pintura: '2026-01-09' },
      quotes: [['6 Pintura', 'La pintura se aplica después de la limpieza.']],
      why: 'La pintura fue antes.',
    }),
  ],
  [
    'a comparison turned round',
    'comparison',
    met({
      question: 'Is the larger hall used?',
      sections: { '1 Hall': 'The larger hall is used for concerts.' },
      facts: { seats_north: ['310', 'seats'], seats_south: ['420', 'seats'] },
      quotes: [['1 Hall', 'The larger hall is used for concerts.']],
      why: 'North is larger than south.',
    }),
  ],
  [
    'a limit in another unit',
    'quantity',
    met({
      question: 'Is the parcel light enough?',
      sections: { '1 Weight': 'A parcel weighs at most 5 kg.' },
      facts: { parcel_mass: ['5200', 'g'], label: 'printed' },
      quotes: [['1 Weight', 'A parcel weighs at most 5 kg.']],
      why: 'The parcel is light.',
    }),
  ],
];

describe('T-36 the typed claims of an answer', () => {
  it.each(WRONG)('refers %s', async (_title, by, at) => {
    const { contradicted, verdict, markdown } = await contradictedIn(at);
    expect(contradicted).toContain(by);
    expect(verdict).toMatchObject({ disposition: 'review', confidence: 0 });
    expect(verdict.outcome['claims']).toContainEqual(
      expect.objectContaining({ criterion: 'c1', part: by, result: 'contradicted' }),
    );
    expect(markdown).toContain(`${by} contradicted`);
  });

  it('T-40 shows that it read nothing in a language without word lists, and contradicts nothing', async () => {
    const { contradicted, parts, verdict } = await contradictedIn(
      met({
        question: 'Onko vene tarkastettu?',
        language: 'fi',
        sections: { '1 Tarkastus': 'Vene tarkastetaan ennen matkaa.' },
        facts: { vene: 'tarkastettu' },
        quotes: [['1 Tarkastus', 'Vene tarkastetaan ennen matkaa.']],
        why: 'Vene on tarkastettu.',
      }),
    );
    expect(contradicted).toEqual([]);
    expect(parts.filter(({ result }) => result === 'not_checked').map(({ dimension }) => dimension)).toEqual([
      'scope',
      'state',
      'clause',
    ]);
    expect(verdict.reasons.at(-1)).toBe('Not checked by program: scope, state, clause.');
  });

  it('S4-15 keeps words of confidential sections out of the claims that leave Casefile', async () => {
    const [, , at] = WRONG[0]!;
    const { verdict } = await reviewAnswer({ ...at, confidential: true }, [], OFF);
    const { claims } = outwardVerdict(verdict).outcome;
    expect(JSON.stringify(verdict.outcome['claims'])).toContain('their children');
    expect(JSON.stringify(claims)).not.toContain('their children');
    expect(JSON.stringify(claims)).not.toContain('no member');
  });
});
