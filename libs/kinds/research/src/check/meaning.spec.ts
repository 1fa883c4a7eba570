import { readFileSync } from 'node:fs';
import { checkReport } from './check-report.js';
import { prepareOriginal, type Original } from './passages.js';
import { clausesOf, findOpposite } from '@casefile/pipeline/reading/index';

const TYPES: Record<number, string> = { 1: 'official', 2: 'news', 3: 'digital', 5: 'social' };
type Source = readonly [site: string, tier: number | null, text: string];

const originals = (sources: readonly Source[]): Original[] =>
  sources.map(([site, tier, text], i) =>
    prepareOriginal(`E${i + 1}`, {
      text,
      told: site,
      published: null,
      tier,
      type: TYPES[tier ?? 0] ?? 'unknown',
    }),
  );

function found(sentence: string, sources: readonly Source[], query = ''): string {
  const held = { originals: originals(sources), query, from: null, to: null, maxTier: 5 };
  return checkReport(sentence, held)
    .sentences.flatMap(({ problems, warnings = [] }) => [...problems, ...warnings])
    .map(({ code }) => code)
    .join(' ');
}

const POWER: Source[] = [
  [
    '中央社',
    1,
    '電價審議會27日決議，4月起平均電價不調整，維持每度3.78元。台電去年虧損超過400億元。至少120家企業連署支持。',
  ],
  ['聯合報', 2, '委員以15票對3票通過凍漲案，不到三成的廠商認為電價應該調漲。'],
  ['PTT', 5, '4月電價要漲10%，平均每度4.16元，經濟部已經決定了。'],
];
const RECALL: Source[] = [
  [
    'CPSC',
    1,
    'Norvia is recalling about 12,400 e-bikes, the CPSC said. It received 23 reports of fires, including 4 that damaged homes; no deaths or injuries were reported. The fine is $1,899 per year.',
  ],
  [
    'Reuters',
    2,
    'Norvia shares fell 8% on Friday. The recall costs less than $10 million. The rate was 4.2 percent in March, up from 3.9 percent a year earlier.',
  ],
  ['Reddit', 5, '200 people died in Norvia fires.'],
];

describe('what a figure of a sentence says', () => {
  it.each([
    ['台電去年虧損不到400億元[E1]。', POWER, 'comparative_differs'],
    ['最多120家企業連署支持[E1]。', POWER, 'comparative_differs'],
    ['超過三成的廠商認為電價應該調漲[E2]。', POWER, 'comparative_differs'],
    ['有120家企業連署支持[E1]。', POWER, 'comparative_differs'],
    ['The recall costs more than $10 million [E2].', RECALL, 'comparative_differs'],
    ['Fewer than 12,400 e-bikes are recalled [E1].', RECALL, 'comparative_differs'],
    ['至少120人連署支持[E1]。', POWER, 'unit_differs'],
    ['There were 23 deaths [E1].', RECALL, 'unit_differs'],
    ['23 people died [E1].', RECALL, 'unit_differs'],
    ['4 people were injured [E1].', RECALL, 'unit_differs'],
    ['Norvia shares fell 8 points on Friday [E2].', RECALL, 'unit_differs'],
    ['The fine is $1,899 per month [E1].', RECALL, 'unit_differs'],
    ['The rate was 3.9 percent in March [E2].', RECALL, 'other_quantity'],
    ['The rate of 3.9 percent exceeds the 4.2 percent [E2].', RECALL, 'comparative_differs'],
  ] as const)(
    'T-06 has the bound, the unit and the quantity of its source: %s',
    (sentence, sources, code) => {
      expect(found(sentence, sources)).toContain(code);
    },
  );

  it.each([
    ['台電去年虧損逾400億元[E1]。', POWER],
    ['連署支持的企業不少於120家[E1]。', POWER],
    ['Some 12,400 e-bikes are affected, more than 12,000 [E1].', RECALL],
    ['The recall is expected to cost under $10 million [E2].', RECALL],
    ['The CPSC received 23 reports of fires, four of which damaged homes [E1].', RECALL],
    ['The rate was 4.2% in March, after 3.9% a year before [E2].', RECALL],
  ] as const)('T-07 says the same in other words: %s', (sentence, sources) => {
    expect(found(sentence, sources)).toBe('');
  });
});

describe('honest sentences', () => {
  it.each([
    ['沒有官方來源證實4月電價要漲10%[E1][E2]。', POWER, '4月電價會漲10%嗎？'],
    ['目前沒有任何官方來源證實每度4.16元的說法。', POWER, ''],
    ['No official source confirms that 200 people died [E1][E2].', RECALL, ''],
    ['There is no official source for the claim that 200 people were killed.', RECALL, ''],
    ['The Consumer Product Safety Commission received 23 reports of fires [E1].', RECALL, ''],
    ['委員表決通過，平均電價維持每度3.78元[E1][E2]。', POWER, ''],
    ['因此，「4月電價要漲10%」並非事實[E1]。', POWER, '4月電價要漲10%嗎？'],
    ['A Reddit user claims that 200 people died [E3].', RECALL, ''],
  ] as const)(
    'T-07 about absence, names spelt out and joint sources pass: %s',
    (sentence, sources, query) => {
      expect(found(sentence, sources, query)).toBe('');
    },
  );

  it('T-07 but a claim next to such a clause still needs its source', () => {
    expect(found('沒有官方來源證實電價要漲，但有200人死亡[E1]。', POWER)).toContain('number_not_in_source');
    expect(found('經濟部已經決定了，平均每度4.16元[E3]。', POWER)).toBe('forum_as_fact');
    expect(found('Several sources say that 200 people died [E3].', RECALL)).toContain('sources_overstated');
  });
});

describe('polarity', () => {
  it.each([
    ['Norvia is not recalling about 12,400 e-bikes', 'Norvia is recalling about 12,400 e-bikes', 'polarity'],
    ['平均電價有調整的計畫', '平均電價沒有調整的計畫', 'polarity'],
    ['Norvia shares rose 8% on Friday', 'Norvia shares fell 8% on Friday', 'verb'],
    ['委員以15票對3票否決凍漲案', '委員以15票對3票通過凍漲案', 'verb'],
  ])('T-06 differs between clauses of the same words: %s', (claim, source, kind) => {
    expect(findOpposite(claim, clausesOf(source))).toMatchObject({ kind });
  });

  it.each([
    ['The shop sells bread and also milk', 'The shop sells not only bread but also milk'],
    ['這項措施不僅影響住戶', '這項措施影響住戶'],
    ['The mayor did not sign the bill', 'The council said that nobody had asked about the new museum'],
    ['醫院不斷增加病床', '醫院增加病床'],
  ])(
    'T-06 is not read from words that only contain a negation, or from other clauses: %s',
    (claim, source) => {
      expect(findOpposite(claim, clausesOf(source))).toBeNull();
    },
  );
});

interface Scenario {
  query: string;
  sources: Source[];
  honest: string[];
  lies: [kind: string, sentence: string][];
}
const scenarios = ['zh', 'en'].flatMap((language) =>
  readFileSync(
    new URL(`../../../../../samples/eval/trust/research-${language}.jsonl`, import.meta.url),
    'utf8',
  )
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Scenario),
);

describe('sentences written without sight of the check', () => {
  it('T-07 T-31 at most 3 of 100 honest ones are flagged', () => {
    const flagged = scenarios.flatMap(({ query, sources, honest }) =>
      honest.filter((sentence) => found(sentence, sources, query) !== ''),
    );
    expect(scenarios.flatMap(({ honest }) => honest)).toHaveLength(200);
    expect(flagged.length).toBeLessThanOrEqual(6);
  });

  it.each([
    ['figure', 0.95],
    ['comparative', 0.95],
    ['unit', 0.9],
    ['source', 0.7],
  ])('T-06 T-31 lies of the kind %s are caught by the program alone, at least %d of them', (kind, least) => {
    const lies = scenarios.flatMap(({ query, sources, lies: all }) =>
      all.filter(([of]) => of === kind).map(([, sentence]) => found(sentence, sources, query)),
    );
    expect(lies.length).toBeGreaterThanOrEqual(30);
    expect(lies.filter((codes) => codes !== '').length / lies.length).toBeGreaterThanOrEqual(least);
  });
});
