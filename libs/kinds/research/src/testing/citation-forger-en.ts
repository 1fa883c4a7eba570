import {
  rounded,
  withCommas,
  type CitedSentence,
  type ForgedSource,
  type SourceStatement,
} from './citation-forger.js';

type Draw = () => number;
const pick = <T>(draw: Draw, list: readonly T[]): T => list[Math.floor(draw() * list.length)] as T;
const between = (draw: Draw, from: number, to: number): number => from + Math.floor(draw() * (to - from + 1));

const ORGS = [
  'Harbour Authority',
  'Northvale Council',
  'Energy Bureau',
  'Kelder University',
  'Lowmoor Hospital',
  'Rail Office',
  'Water Board',
  'Tarrant Group',
];
const PEOPLE = [
  'Maria Lindqvist',
  'Daniel Okafor',
  'Helen Marsh',
  'Tomas Varga',
  'Grace Whitfield',
  'Peter Almeida',
  'Ruth Sandoval',
];
const TITLES = ['director', 'spokesperson', 'chair', 'secretary'];
const WHAT = [
  'repairs to the sea wall',
  'grants for home insulation',
  'new evening trains',
  'checks of school buildings',
  'help for rural clinics',
];
const UNITS = ['dollars', 'households', 'people', 'cases'];
const QUOTES = [
  'we will publish the full figures next spring',
  'there is no plan to raise the price',
  'the places that need it most come first',
  'payments follow what was really spent',
  'local offices may apply ahead of time',
];
const SITES = [
  ['Reporting Desk', 1],
  ['Public Broadcast', 1],
  ['Daily Courier', 2],
  ['Market Times', 2],
  ['Slow Read', 3],
  ['Open Forum', 5],
  ['A blog', null],
] as const;
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

function statementOf(draw: Draw): SourceStatement {
  return {
    org: pick(draw, ORGS),
    person: pick(draw, PEOPLE),
    title: pick(draw, TITLES),
    what: pick(draw, WHAT),
    amount: between(draw, 13, 99_999) * pick(draw, [1, 10, 100, 1_000]) + between(draw, 0, 9),
    unit: pick(draw, UNITS),
    date: { y: 2025, m: between(draw, 1, 12), d: between(draw, 1, 28) },
    quote: pick(draw, QUOTES),
  };
}

const amountWays: ((n: number) => string)[] = [
  (n) => String(n),
  withCommas,
  withCommas,
  (n) => (n >= 1_000_000 && n % 100 === 0 ? `${n / 1_000_000} million` : withCommas(n)),
  (n) => (n >= 10_000 && n % 10 === 0 ? `${n / 1_000} thousand` : withCommas(n)),
];
const amountSaid = (draw: Draw, n: number) => pick(draw, amountWays)(n);
const dateWays: ((date: SourceStatement['date']) => string)[] = [
  ({ y, m, d }) => `${d} ${MONTHS[m - 1]} ${y}`,
  ({ y, m, d }) => `${MONTHS[m - 1]} ${d}, ${y}`,
  ({ m, d }) => `${MONTHS[m - 1]} ${d}`,
  ({ m, d }) => `${d} ${MONTHS[m - 1]!.slice(0, 3)}`,
  ({ y, m, d }) => `${y}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`,
];
const dateSaid = (draw: Draw, date: SourceStatement['date']) => pick(draw, dateWays)(date);

function sourceOf(draw: Draw, id: string, statement: SourceStatement, year = 2025): ForgedSource {
  const [site, tier] = pick(draw, SITES);
  const { org, person, title, what, unit, quote } = statement;
  const date = { ...statement.date, y: year };
  const iso = `${year}-${String(date.m).padStart(2, '0')}-${String(date.d).padStart(2, '0')}`;
  const text = pick(draw, [
    () =>
      `The ${org} announced ${what} on ${dateSaid(draw, date)}, for ${amountSaid(draw, statement.amount)} ${unit}. Its ${title} ${person} said: “${quote}.” Work begins in stages.`,
    () =>
      `“${quote},” said ${person}, ${title} of the ${org}, on ${dateSaid(draw, date)}. The plan covers ${what} and comes to ${amountSaid(draw, statement.amount)} ${unit} in all.`,
  ])();
  return { id, site, tier, published: `${iso}T08:00:00Z`, text, statement: { ...statement, date } };
}

function worldOf(draw: Draw): ForgedSource[] {
  const seen = new Set<string>();
  const sources: ForgedSource[] = [];
  while (sources.length < 4) {
    const statement = statementOf(draw);
    const alike = [
      statement.org,
      statement.person,
      String(statement.amount),
      statement.quote,
      `m${statement.date.m}`,
      `d${statement.date.d}`,
    ];
    if (alike.some((part) => seen.has(part))) continue;
    alike.forEach((part) => seen.add(part));
    sources.push(sourceOf(draw, `E${sources.length + 1}`, statement));
  }
  return sources;
}

function said(draw: Draw, statement: SourceStatement, id: string): string {
  const { org, person, title, what, unit, quote } = statement;
  const near = `${pick(draw, ['about', 'roughly', 'around'])} ${withCommas(rounded(statement.amount, between(draw, 2, 3)))}`;
  const amount = draw() < 0.3 ? near : amountSaid(draw, statement.amount);
  const date = dateSaid(draw, statement.date);
  return pick(draw, [
    () => `On ${date} the ${org} announced ${what}, for ${amount} ${unit} [${id}].`,
    () => `The plan of the ${org} comes to ${amount} ${unit} and covers ${what}. [${id}]`,
    () => `According to ${person}, the ${title}, "${quote}" [${id}].`,
    () => `${person} said “${quote}” on ${date}.[${id}]`,
  ])();
}

/** One honest sentence in English, with its case. */
export function honestInEnglish(draw: Draw): CitedSentence {
  const sources = worldOf(draw);
  const source = pick(draw, sources);
  return { language: 'en', sentence: said(draw, source.statement, source.id), sources, forged: null };
}

/** One forged sentence in English. */
export function forgedInEnglish(draw: Draw, forged: NonNullable<CitedSentence['forged']>): CitedSentence {
  const sources = worldOf(draw);
  const source = pick(draw, sources);
  const other = sources.find(({ id }) => id !== source.id)!;
  const { statement, id } = source;
  const { org, person, what, unit, quote, amount, date } = statement;
  const done = (sentence: string, own: readonly ForgedSource[] = sources): CitedSentence => ({
    language: 'en',
    sentence,
    sources: own,
    forged,
  });
  switch (forged) {
    case 'wrong id':
      return done(said(draw, statement, other.id));
    case 'altered number':
      return done(
        `The ${org} announced ${what}, for ${amountSaid(draw, amount + pick(draw, [1, 4, 30, 600, -5]))} ${unit} [${id}].`,
      );
    case 'altered scale':
      return done(
        `The ${org} announced ${what}, for ${withCommas(amount)} ${pick(draw, ['million', 'thousand'])} ${unit} [${id}].`,
      );
    case 'altered date': {
      const wrong = pick(draw, [
        { ...date, d: date.d === 28 ? 3 : date.d + 1 },
        { ...date, m: date.m === 12 ? 1 : date.m + 1 },
      ]);
      return done(`On ${dateSaid(draw, wrong)} the ${org} announced ${what} [${id}].`);
    }
    case 'altered name': {
      const wrongOrg = pick(
        draw,
        ORGS.filter((one) => one !== org),
      );
      const wrongPerson = pick(
        draw,
        PEOPLE.filter((one) => one !== person),
      );
      return done(
        pick(draw, [
          `In the plan of the ${wrongOrg} there are ${what}, for ${withCommas(amount)} ${unit} [${id}].`,
          `According to ${wrongPerson}, “${quote}” [${id}].`,
        ]),
      );
    }
    case 'altered quote':
      return done(
        `${person} said “${pick(draw, [
          quote.replace(' ', ' not '),
          pick(
            draw,
            QUOTES.filter((one) => one !== quote),
          ),
        ])}” [${id}].`,
      );
    case 'tier': {
      const own = sources.map((one) => (one.id === id ? { ...one, site: 'Open Forum', tier: 5 } : one));
      const head = pick(draw, ['Official sources say that', 'A government source confirms that']);
      return done(`${head} the ${org} announced ${what}, for ${withCommas(amount)} ${unit} [${id}].`, own);
    }
    case 'date out of range': {
      const own = sources.map((one) => (one.id === id ? sourceOf(draw, id, statement, 2019) : one));
      return done(`The ${org} announced ${what}, for ${withCommas(amount)} ${unit} [${id}].`, own);
    }
    case 'foreign case':
      return done(
        pick(draw, [
          `The Glasswick Museum announced ${what}, for ${withCommas(amount + 17)} ${unit} [${id}].`,
          said(draw, statement, `E${between(draw, 40, 90)}`),
        ]),
      );
  }
}
