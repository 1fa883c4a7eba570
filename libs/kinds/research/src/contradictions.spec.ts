import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { JsonObject } from '@casefile/contracts';
import { analyst, critic, outcome, reviews, writer } from './testing/research-builders.js';
import { playResearch } from './testing/research-world.js';
import { readSettingsFile } from './settings-file.js';

const item = (site: string, n: number, articleBody: string): JsonObject => ({
  url: `https://source${n}.example/${n}`,
  name: `title ${n}`,
  site,
  description: articleBody.slice(0, 40),
  schema_object: { '@type': 'NewsArticle', articleBody },
});
const POWER = [
  item('中央社', 1, '經濟部電價審議會決議，4月起平均電價不調整，平均每度維持3.78元。'),
  item('聯合報', 2, '委員以15票對3票通過凍漲案，4月起平均每度3.78元。'),
  item('PTT', 3, '4月電價要漲10%，平均每度4.16元，聽說已經決定了。'),
];
const FIRES = [
  item('中央社', 1, 'The agency received 23 reports of fires. No deaths were reported.'),
  item('聯合報', 2, 'Norvia shares fell 8% on Friday after the recall.'),
  item('Dcard', 3, '200 people died in the fires.'),
];

const play = (query: string, items: JsonObject[], draft: string) =>
  playResearch({ query, items }, { answers: [analyst(draft), critic('PASS'), writer(draft)] });

describe('a report that something on the record contradicts', () => {
  it.each([
    ['是真的嗎？', POWER, '是真的。4月電價要漲10%，平均每度4.16元[E3]。', 'better_source', '維持3.78元'],
    ['Did people die?', FIRES, '200 people died [E3].', 'better_source', 'No deaths'],
    [
      'Did shares fall?',
      FIRES,
      'Norvia shares rose 8% on Friday after the recall [E2].',
      'polarity_differs',
      'fell',
    ],
    ['Did people die?', FIRES, '200 people died in the fires [E3].', 'forum_as_fact', 'E3'],
  ])(
    'T-01 T-05 is WARN, Low and for review, with both sides first: %s %#',
    async (query, items, draft, by, words) => {
      const played = await play(query, items, draft);
      expect(outcome(played)).toMatchObject({ ruling: 'WARN', confidenceLevel: 'Low' });
      expect(played.verdict.disposition).toBe('review');
      const findings = reviews(played)[0]!.findings as unknown as { code: string; message: string }[];
      const finding = findings.find(({ code }) => code === `contradicts_${by}`)!;
      expect(finding.message).toContain(words);
      expect(played.verdict.reasons).toContain(finding.message);
      expect(findings.map(({ message }) => message)).toContain(played.verdict.reasons[0]);
    },
  );

  it.each([
    ['電價會漲嗎？', POWER, '平均每度維持3.78元[E1][E2]。網友稱每度4.16元[E3]，沒有官方來源證實。'],
    [
      'Did people die?',
      FIRES,
      'The agency received 23 reports of fires [E1], and shares fell 8% [E2]. A Dcard post claims that 200 people died [E3].',
    ],
  ])('T-07 is not one that names the forum and the better source: %s', async (query, items, draft) => {
    const played = await play(query, items, draft);
    expect(reviews(played)[0]!.findings).toEqual([]);
    expect(played.verdict.disposition).toBe('act');
  });
});

describe('tiers for a language', () => {
  const file = new URL('../../../../samples/source-tiers.yaml', import.meta.url);
  const options = readSettingsFile(parse(readFileSync(file, 'utf8')));
  const found = item('Reuters', 7, 'Norvia is recalling about 12,400 e-bikes because of fires.');

  it.each([
    ['Has Norvia recalled its e-bikes?', 1],
    ['Hat Norvia seine E-Bikes zurückgerufen?', 1],
    ['ノルビアは電動自転車をリコールしましたか？', null],
    ['諾維亞是否召回電動自行車？', null],
  ])('T-08 are those of the question: %s', async (query, tier) => {
    const played = await playResearch({ query, items: [found] }, { options });
    const evidence = played.artifacts.find(({ name }) => name === 'evidence')!.body as unknown as {
      items: { result: { _reasoning_metadata: { tier: number | null } } }[];
    };
    expect(evidence.items[0]!.result._reasoning_metadata.tier).toBe(tier);
    expect(outcome(played).items[0]!.description).toContain(tier === 1 ? '> Norvia is recalling' : 'Reuters');
  });

  it('T-08 an unknown language or a wrong tier is an error that names its key', () => {
    expect(() => readSettingsFile({ source_tiers_by_language: { en: { 7: ['Reuters'] } } })).toThrow(
      /source_tiers_by_language\.en/,
    );
    expect(() => readSettingsFile({ source_tiers_by_language: { xx: { 1: ['Reuters'] } } })).toThrow(
      /source_tiers_by_language/,
    );
  });
});
