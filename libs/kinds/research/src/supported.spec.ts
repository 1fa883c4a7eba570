import type { JsonObject } from '@casefile/contracts';
import { analyst, critic, outcome, reviews, writer } from './testing/research-builders.js';
import { playResearch } from './testing/research-world.js';

const item = (site: string, n: number, name: string, articleBody: string): JsonObject => ({
  url: `https://source${n}.example/${n}`,
  name,
  site,
  description: articleBody.slice(0, 40),
  schema_object: { '@type': 'NewsArticle', articleBody, datePublished: '2026-03-27' },
});
const OFFICIAL = item(
  '中央社',
  1,
  '4月電價凍漲',
  '經濟部電價審議會27日決議，4月起平均電價不調整，維持每度3.78元。',
);
const NEWS = item('聯合報', 2, '電價拍板', '委員以15票對3票通過凍漲案，4月起每度維持3.78元。');
const DIGITAL = item('報導者', 3, '電價分析', '4月起平均電價維持每度3.78元，台電虧損待補。');
const FORUM = item('PTT', 4, '[爆卦] 電價', '4月電價要漲10%，平均每度4.16元，聽說已經決定了。');
const QUERY = '4月電價會漲10%嗎？';

const play = (items: JsonObject[], draft: string, rounds = 1) =>
  playResearch(
    { query: QUERY, sourceMode: 'discovery', items },
    {
      answers: [
        ...Array.from({ length: rounds }, () => [analyst(draft), critic('PASS')]).flat(),
        writer(draft),
      ],
    },
  );

describe('a report without a supported sentence', () => {
  it('T-05 is rejected by the program, whatever the critic ruled, and has no share', async () => {
    const claim = '是真的，電價一定會大漲，民眾應該趕快囤電池。';
    const played = await play([OFFICIAL, FORUM], claim, 2);
    expect(outcome(played)).toMatchObject({
      ruling: 'REJECT',
      confidenceLevel: 'Low',
      share: null,
      converged: false,
    });
    expect(played.verdict).toMatchObject({ disposition: 'review', confidence: 0.4 });
    expect(reviews(played)[0]).toMatchObject({
      ruling: 'REJECT',
      findings: [{ code: 'nothing_supported' }],
      answer: { said: 'PASS', share: null },
    });
    expect(outcome(played).items[0]!.score).toBeLessThan(20);
    expect(played.verdict.reasons.join(' ')).not.toMatch(/0 of 0/);
  });

  it('T-05 a writer that leaves out all that the review let pass is replaced by the draft', async () => {
    const draft = '4月起平均電價不調整，每度3.78元[E1]。';
    const played = await playResearch(
      { query: QUERY, items: [OFFICIAL] },
      { answers: [analyst(draft), critic('PASS'), writer('不是真的。')] },
    );
    expect(outcome(played).items[0]!.description).toContain('3.78元');
  });
});

describe('the confidence of a report', () => {
  it.each([
    ['two sources of tiers 1 and 2', [OFFICIAL, NEWS], '平均每度3.78元[E1][E2]。', 'High'],
    ['one source of tier 1', [OFFICIAL, FORUM], '平均電價維持每度3.78元[E1]。', 'Medium'],
    [
      'one of tier 3 and a forum',
      [DIGITAL, FORUM],
      '網友稱每度4.16元[E2]，平均電價維持3.78元[E1]。',
      'Medium',
    ],
    ['a forum alone', [OFFICIAL, FORUM], '網友稱4月電價要漲，平均每度4.16元[E2]。', 'Low'],
    [
      'two copies of one text',
      [OFFICIAL, { ...OFFICIAL, url: 'https://copy.example/1' }],
      '平均電價維持每度3.78元[E1][E2]。',
      'Medium',
    ],
  ])('T-05 is limited by its sources: %s', async (_what, items, draft, expected) => {
    const played = await play(items, draft);
    expect(outcome(played).confidenceLevel).toBe(expected);
  });
});

describe('without a model', () => {
  it('T-05 an extract has a score of 40 at most, and quotes sources of both tiers', async () => {
    const votes = item('聯合報', 2, '4月電價會漲嗎？表決結果出爐', '委員以15票對3票通過這項提案。');
    const played = await playResearch({ query: QUERY, items: [OFFICIAL, votes, FORUM] });
    const [report] = outcome(played).items;
    expect(report!.score).toBe(40);
    expect(report!.description).toContain('> 委員以15票對3票通過這項提案。');
    expect(report!.description).toContain('不調整');
    expect(report!.description).not.toContain('4.16元');
  });

  it('T-05 a tier with many sources hides no source of another tier', async () => {
    const many = Array.from({ length: 12 }, (_, i) =>
      item('中央社', i + 10, '電價', `4月電價會漲嗎？第${i + 10}次會議維持每度3.78元。`),
    );
    const { items } = outcome(await playResearch({ query: QUERY, items: [...many, NEWS] }));
    expect(items[0]!.description).toContain('15票對3票');
  });

  it.each([
    [
      'Has Norvia recalled its e-bikes because of fires?',
      'No source that was found is in tier 1 or tier 2 of your source list',
    ],
    ['諾維亞是否召回電動自行車？', '找到的來源都不在你的來源清單'],
  ])('T-08 lists sources that are in no tier, in the report itself: %s', async (query, words) => {
    const found = item('Reuters', 7, 'Norvia recalls e-bikes', 'Norvia is recalling about 12,400 e-bikes.');
    const [report] = outcome(await playResearch({ query, sourceMode: 'monitor', items: [found] })).items;
    expect(report!.description).toContain(words);
    expect(report!.description).toMatch(/Reuters(?:：|: )Norvia recalls /);
    expect(report!.description).not.toMatch(/no official source|沒有官方|not found in a source|找不到相符/);
  });

  /** Question, URL, text and the sentence that the report quotes. */
  const WORLD: [string, string, string, string][] = [
    [
      'How many houses did the Elmford flood damage?',
      'https://apnews.com/article/1',
      'Talks go on. The Elmford flood damaged 214 houses.',
      'Elmford flood damaged 214 houses',
    ],
    [
      'How many people did the Elmford flood displace?',
      'https://www.bbc.co.uk/news/1',
      'The Elmford flood displaced 900 people.',
      'displaced 900 people',
    ],
    [
      'Did the drug lower the risk of stroke?',
      'https://www.thelancet.com/journals/1',
      'The drug lowered the risk of stroke by 12%.',
      'risk of stroke by 12%',
    ],
    [
      'Wie hoch war die Inflation in Deutschland im Mai?',
      'https://www.destatis.de/DE/1.html',
      'Die Inflation in Deutschland lag im Mai bei 2,1 %.',
      'Inflation in Deutschland lag im Mai',
    ],
    [
      'Wie viele Brücken sperrt die Stadt Lohburg?',
      'https://www.tagesschau.de/1.html',
      'Die Stadt Lohburg sperrt drei Brücken.',
      'sperrt drei Brücken',
    ],
    [
      'When was the Lohburg bridge opened?',
      'https://en.wikipedia.org/wiki/Lohburg',
      'The Lohburg bridge was opened in 1931.',
      'opened in 1931',
    ],
    [
      'Who owns the Lohburg bridge?',
      'https://unheard-of.example/bridge',
      'The Lohburg bridge is owned by the county.',
      'owned by the county',
    ],
  ];

  it.each(WORLD)(
    'T-08 quotes sources of other languages and unknown ones: %s',
    async (query, url, content, quoted) => {
      const [report] = outcome(await playResearch({ query, items: [{ url, title: 'Page', content }] })).items;
      expect(report!.description).toContain('> ');
      expect(report!.description).toContain(quoted);
      const isUnknown = url.includes('unheard-of');
      expect(report!.description.includes('An unknown source')).toBe(isUnknown);
    },
  );

  it('S5-10 takes neither a paywall nor a retracted article for evidence, and reports the retraction', async () => {
    const query = 'Does vitamin D prevent fractures?';
    const items = [
      {
        url: 'https://www.ft.com/1',
        title: 'Vitamin D',
        content: 'To continue reading this article please subscribe.',
      },
      {
        url: 'https://www.bmj.com/1',
        title: 'RETRACTED: Vitamin D',
        content: 'Vitamin D prevents one in five fractures.',
      },
    ];
    const [report] = outcome(await playResearch({ query, items })).items;
    expect(report!.description).not.toContain('please subscribe');
    expect(report!.description).toContain('bmj.com: RETRACTED: Vitamin D: its article was retracted');
    expect(report!.description).not.toContain('one in five');
  });
});
