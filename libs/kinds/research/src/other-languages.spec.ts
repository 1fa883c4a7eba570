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
const CHINESE = item(
  '中央社',
  1,
  '電價審議會決議凍漲',
  '經濟部電價審議會27日決議，4月起平均電價不調整，維持每度3.78元。台電累積虧損逾4,000億元。',
);
const ENGLISH = item(
  '聯合報',
  2,
  'Norvia recalls e-bikes',
  'Norvia is recalling about 12,400 e-bikes, the Consumer Product Safety Commission said on Friday. It received 23 reports of fires; no deaths were reported.',
);

const play = (query: string, draft: string) =>
  playResearch(
    { query, sourceMode: 'discovery', items: [CHINESE, ENGLISH] },
    { answers: [analyst(draft), critic('PASS'), writer(draft)] },
  );
const codesIn = (played: Awaited<ReturnType<typeof play>>) =>
  (reviews(played)[0]!.findings as unknown as { code: string; message: string }[]).map(
    ({ code, message }) => `${code}: ${message}`,
  );

describe('a report in another language than its sources', () => {
  it.each([
    [
      'Japanese, sources in Chinese',
      '4月に台湾の電気料金は値上げされますか？',
      '台湾の経済部の審議会は27日、4月からの平均電気料金を据え置き、1キロワット時3.78元とすることを決めました[E1]。台湾電力の累積赤字は4,000億元を超えています[E1]。',
    ],
    [
      'Japanese, sources in English',
      'ノルビアは電動自転車をリコールしましたか？',
      'ノルビアは約12,400台の電動自転車をリコールしています[E2]。米消費者製品安全委員会には火災の報告が23件寄せられ、死者の報告はありません[E2]。',
    ],
    [
      'Korean, sources in English',
      '노르비아가 전기자전거를 리콜했나요?',
      '노르비아는 전기자전거 약 12,400대를 리콜하고 있습니다[E2]. 화재 신고는 23건이며 사망자는 보고되지 않았습니다[E2].',
    ],
    [
      'Chinese, sources in English',
      '諾維亞是否召回電動自行車？',
      '諾維亞正在召回約12,400輛電動自行車[E2]。消費者產品安全委員會接獲23件起火通報，沒有死亡通報[E2]。',
    ],
    [
      'English, sources in Chinese',
      'Will the price of power in Taiwan rise in April?',
      'The Ministry of Economic Affairs left the average price of power unchanged at 3.78 dollars per kilowatt-hour from April [E1]. Taipower has losses of more than 400 billion dollars [E1].',
    ],
    [
      'German, sources in English',
      'Hat Norvia seine E-Bikes zurückgerufen?',
      'Norvia ruft rund 12.400 E-Bikes zurück [E2]. Der Behörde liegen 23 Meldungen über Brände vor, Todesfälle wurden nicht gemeldet [E2].',
    ],
  ])('T-07 is not refused for its words alone: %s', async (_what, query, draft) => {
    const played = await play(query, draft);
    expect(codesIn(played)).toEqual([]);
    expect(outcome(played)).toMatchObject({ ruling: 'PASS', share: 1 });
    expect(played.verdict.reasons.join(' ')).toMatch(
      /another language than .*only figures and dates were compared/,
    );
    expect(played.examined).toHaveLength(1);
  });

  it.each([
    ['Japanese', '4月に電気料金は上がりますか？', '平均電気料金は1キロワット時4.16元になります[E1]。'],
    [
      'Japanese',
      'ノルビアは電動自転車をリコールしましたか？',
      'ノルビアは約14,200台をリコールしています[E2]。',
    ],
    ['German', 'Hat Norvia seine E-Bikes zurückgerufen?', 'Norvia ruft rund 14.200 E-Bikes zurück [E2].'],
    ['Chinese', '諾維亞是否召回電動自行車？', '諾維亞正在召回約14,200輛電動自行車[E2]。'],
    ['Chinese', '諾維亞是否召回電動自行車？', '正在召回約12,400輛電動自行車的是Zentauri公司[E2]。'],
  ])(
    'S5-28 still needs its figures, and its names in the letters of the source: %s %#',
    async (_what, query, draft) => {
      expect(codesIn(await play(query, draft)).join(' ')).toMatch(/^(?:number|name)_not_in_source/);
    },
  );
});
