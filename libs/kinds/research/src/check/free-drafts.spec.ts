import { checkReport } from './check-report.js';
import { prepareOriginal } from './passages.js';

/** Drafts as models write them, each with the sources it was written from. All that they say stands there. */
const DRAFTS: readonly {
  what: string;
  query: string;
  sources: readonly [text: string, told: string, published?: string][];
  draft: string;
}[] = [
  {
    what: 'a power tariff, with a heading, bold words and a list',
    query: '2025年4月電價是否全面調漲三成？',
    sources: [
      [
        '經濟部電價費率審議會28日召開會議，決議114年4月起平均電價調漲3.1%，每度由3.4518元調整為3.5587元。住宅用電每月330度以下不調整，約有1,029萬戶、占全體住宅用戶的78%不受影響。產業用電依用電成長或衰退分級調整，平均漲幅5%。',
        '中央社\n電價審議會拍板 4月平均漲3.1%',
        '2025-03-28T15:20:00+08:00',
      ],
      [
        '台電表示，受國際燃料價格上漲影響，去年底累計虧損達4,229億元。經濟部長郭智輝指出，民生用電與小商店維持現行價格，「不會有三成的漲幅」。',
        '聯合報\n台電虧損4229億 郭智輝：不會漲三成',
        '2025-03-29T08:00:00+08:00',
      ],
    ],
    draft: `## 查證結果

**結論：這個說法不正確。** 2025年4月起的電價調整，平均漲幅是3.1%，而不是三成[E1]。

### 依據

1. **漲幅**：電價費率審議會於3月28日決議，自4月起平均每度電價由約3.45元調升至約3.56元，漲幅約3.1%[E1]。
2. **住宅用電**：每月用電330度以下的住宅不調整，近八成（78%）、超過1,000萬戶住宅用戶不受影響[E1]。
3. **產業用電**：採分級調整，平均調漲5%[E1]。
4. **台電財務**：截至去年底，台電累計虧損超過4,200億元[E2]。

經濟部長郭智輝也公開表示「不會有三成的漲幅」[E2]。

### 還不確定的事

- 目前沒有來源說明下半年是否會再次調整電價。`,
  },
  {
    what: 'a drought, with a table and dates without a year',
    query: '網傳海灣市6月起每週停水三天，是真的嗎？',
    sources: [
      [
        '水利署22日宣布，海灣市6月1日起實施夜間減壓供水，時間為每日晚間11時至翌日清晨5時，影響約18萬戶。水利署長林元鵬強調，目前沒有停水計畫。北濱水庫蓄水率為31.4%，有效蓄水量4,210萬立方公尺。',
        '中央社\n海灣市6月起夜間減壓供水',
        '2026-05-22T18:00:00+08:00',
      ],
      [
        '行政院會21日核定抗旱經費8億5,000萬元，用於海水淡化機組、抗旱水井及水車調度，自即日起執行至9月底。',
        '行政院\n行政院核定海灣市抗旱經費',
        '2026-05-21T12:00:00+08:00',
      ],
    ],
    draft: `網傳「每週停水三天」與官方公告不符。水利署在5月22日公布的措施是夜間減壓供水，並非停水[E1]。

| 項目 | 內容 | 來源 |
|---|---|---|
| 開始日期 | 6月1日 | [E1] |
| 時段 | 每天23時到隔天凌晨5時 | [E1] |
| 影響戶數 | 約18萬戶 | [E1] |
| 抗旱經費 | 8.5億元 | [E2] |

水利署長林元鵬說，目前沒有停水計畫[E1]。北濱水庫的蓄水率約三成一，有效蓄水量約4,200萬噸[E1]。行政院已核定8.5億元抗旱經費，執行到9月底[E2]。`,
  },
  {
    what: 'a vaccine, with names of institutions in short',
    query: '衛福部是否宣布65歲以上長者免費接種帶狀疱疹疫苗？',
    sources: [
      [
        '衛生福利部疾病管制署今日表示，中央尚未將帶狀疱疹疫苗納入公費接種。部分縣市自籌經費，例如新竹市自113年7月起補助設籍滿一年的65歲以上低收入戶及中低收入戶接種2劑，預計1,200人受惠。',
        '公視\n帶狀疱疹疫苗公費？疾管署澄清',
        '2025-01-15T20:10:00+08:00',
      ],
    ],
    draft: `**不實。** 衛福部疾管署表示，中央並沒有把帶狀疱疹疫苗列為公費疫苗[E1]。

不過，部分縣市有自己的補助：新竹市從2024年7月開始，補助65歲以上、設籍滿1年的低收與中低收入戶接種兩劑，估計有1200人受惠[E1]。

因此，「65歲以上長者一律免費」的說法並不成立[E1]。`,
  },
  {
    what: 'a company, with a share price, an English name and a quarter',
    query: '晶嶼科技第三季營收創新高嗎？',
    sources: [
      [
        '晶嶼科技（Isola Tech）公布2025年第3季財報，合併營收新台幣128.6億元，季增12.4%、年增31%，創單季歷史新高；毛利率45.2%，每股盈餘（EPS）6.83元。董事長許明哲表示，AI伺服器訂單能見度到明年第二季。',
        '經濟日報\n晶嶼Q3營收創新高',
        '2025-10-30T17:00:00+08:00',
      ],
      [
        '晶嶼股價31日上漲7.5元，收在412元，成交量1萬2,345張。外資連續3日買超。',
        '自由時報\n晶嶼財報亮眼 股價漲',
        '2025-10-31T14:00:00+08:00',
      ],
    ],
    draft: `是的。晶嶼科技（Isola Tech）2025年Q3合併營收為128.6億元，創下單季新高[E1]：

- 季增12.4%，年增31%[E1]
- 毛利率45.2%、EPS 6.83元[E1]
- 隔天（10月31日）股價上漲7.5元，收412元[E2]

董事長許明哲指出，AI伺服器的訂單已看到2026年第二季[E1]。外資已連三天買超[E2]。`,
  },
  {
    what: 'an earthquake, with ranges and approximations',
    query: '昨天的地震造成多少人受傷？',
    sources: [
      [
        '東澳近海14日上午9時42分發生規模6.2地震，深度18.7公里，最大震度5強。消防署統計至晚間8時，共23人受傷、無人死亡，其中2人重傷；另有317人受困，已全數脫困。台鐵東部幹線停駛約4小時。',
        '中央社\n東澳近海規模6.2地震 23人傷',
        '2025-06-14T20:40:00+08:00',
      ],
      [
        '網友在PTT貼文稱「至少上百人受傷」，獲得逾500則回應。',
        'PTT\n[爆卦] 地震上百人受傷',
        '2025-06-14T13:00:00+08:00',
      ],
    ],
    draft: `根據消防署截至14日晚上8點的統計，地震造成23人受傷，其中兩人重傷，沒有人死亡[E1]。先前受困的三百多人已全部脫困[E1]。

地震發生在6月14日上午9點42分，規模6.2，震源深度約19公里，最大震度為5強[E1]。台鐵東部幹線因此停駛了大約四個小時[E1]。

PTT上流傳的「至少上百人受傷」[E2]，與消防署的統計（23人）不一致[E1]。`,
  },
  {
    what: 'a wage law, in English with a list and a quotation',
    query: 'Did the city of Kelder raise its minimum wage to $20?',
    sources: [
      [
        'The Kelder City Council voted 9-4 on Tuesday to raise the minimum wage from $15.50 to $17.25 an hour, starting July 1, 2026. Small businesses with fewer than 25 employees have until January 2027. "This is a first step, not the last one," said Council President Maria Lindqvist. An earlier proposal to go to $20 failed in committee in March.',
        'Kelder Herald\nCouncil raises minimum wage',
        '2026-04-14T21:00:00Z',
      ],
      [
        'About 61,000 workers, roughly 18 percent of the city’s workforce, will get a raise, according to an analysis by Kelder University.',
        'Public Radio Kelder\nWho gets a raise?',
        '2026-04-15T10:00:00Z',
      ],
    ],
    draft: `**No.** The Kelder City Council raised the minimum wage to $17.25 an hour, not $20 [E1].

Key facts:

- The vote on April 14 was 9–4 [E1].
- The increase, up from $15.50, takes effect on July 1, 2026 [E1]; businesses with fewer than 25 employees have until January 2027 [E1].
- A proposal for $20 failed in committee in March [E1].
- Some 61,000 workers (18% of the workforce) are affected, an analysis by Kelder University found [E2].

Council President Maria Lindqvist called it “a first step, not the last one” [E1].`,
  },
  {
    what: 'a recall, in English with abbreviations and thousands',
    query: 'Has Norvia recalled its e-bikes because of fires?',
    sources: [
      [
        'Norvia Cycles is recalling about 12,400 e-bikes sold between March 2024 and August 2025 because the battery can overheat, the U.S. Consumer Product Safety Commission said Thursday. The company has received 31 reports of overheating, including 4 fires; no injuries were reported. The bikes sold for $1,899 to $2,450.',
        'Associated Wire\nNorvia recalls e-bikes over fire hazard',
        '2025-09-18T16:00:00Z',
      ],
    ],
    draft: `Yes. The U.S. Consumer Product Safety Commission (CPSC) announced on Sept. 18, 2025, that Norvia Cycles is recalling roughly 12,400 e-bikes [E1]. The bikes were sold from March 2024 through August 2025 for between $1,899 and $2,450 [E1].

Norvia received 31 reports of batteries overheating [E1]. Four of them involved fires, and nobody was injured [E1].

What remains uncertain: whether bikes sold outside the U.S. are affected.`,
  },
  {
    what: 'a study, in English with decimals, percentages and a plural name',
    query: 'Does the Halden study show that coffee halves the risk of stroke?',
    sources: [
      [
        'Researchers at Halden University followed 24,118 adults for 11 years. People who drank two to three cups of coffee a day had a 17% lower risk of stroke than those who drank none (hazard ratio 0.83, 95% CI 0.76-0.91). "Our data cannot show cause and effect," said lead author Dr. Ingrid Solheim. The study was published in the Nordic Journal of Medicine on 3 February 2025.',
        'Science Daily News\nCoffee and stroke: what a large study found',
        '2025-02-04T09:00:00Z',
      ],
    ],
    draft: `The claim overstates the result. In the Halden University study of more than 24,000 adults, drinking two or three cups a day was associated with a 17 percent lower risk of stroke, not half [E1]. The hazard ratio was 0.83 (95% CI 0.76–0.91) [E1].

The lead author, Dr. Ingrid Solheim, cautioned that the data "cannot show cause and effect" [E1]. The paper appeared in the Nordic Journal of Medicine on February 3, 2025, after an 11-year follow-up [E1].`,
  },
  {
    what: 'an election, in English with words for numbers and a comparison of tiers',
    query: 'Was turnout in the Brevik election a record?',
    sources: [
      [
        'Turnout in Sunday’s election reached 71.3 percent, the Electoral Commission said, the highest since 1994, when it was 74.8 percent. Of 3.2 million registered voters, 2.28 million cast a ballot. Prime Minister Anders Holm conceded shortly after midnight.',
        'Brevik Public Broadcasting\nTurnout highest in three decades',
        '2024-10-07T06:00:00Z',
      ],
      [
        'Biggest turnout EVER!!! 90 percent of us voted, they don’t want you to know',
        'TalkBoard\nrecord turnout',
      ],
    ],
    draft: `It was high, but not a record. The Electoral Commission put turnout at 71.3%, the highest since 1994 [E1]. In 1994 it was 74.8% [E1]. About 2.3 million of the 3.2 million registered voters took part [E1].

A post on TalkBoard claims that "90 percent of us voted" [E2]; the Commission's figure contradicts it [E1]. Prime Minister Anders Holm conceded after midnight [E1].`,
  },
  {
    what: 'a river, in English drafted from Chinese sources',
    query: 'Is the water of the Beibin reservoir below 20%?',
    sources: [
      [
        '水利署22日公布，北濱水庫蓄水率為31.4%，較上月同期減少6.2個百分點，預估可供水至8月15日。',
        '中央社\n北濱水庫蓄水率31.4%',
        '2026-05-22T18:00:00+08:00',
      ],
    ],
    draft: `No. As of May 22, 2026, the reservoir stood at 31.4% of capacity, 6.2 percentage points lower than a month earlier [E1]. Supply is expected to last until August 15 [E1].`,
  },
];

const alarmsOf = ({ query, sources }: (typeof DRAFTS)[number], draft: string): string[] => {
  const originals = sources.map(([text, told, published = null], i) =>
    prepareOriginal(`E${i + 1}`, { text, told, published, tier: i + 1, type: i === 0 ? 'official' : 'news' }),
  );
  return checkReport(draft, { originals, query, from: null, to: null, maxTier: 5 })
    .sentences.filter(({ state }) => state === 'unsupported')
    .map(({ text, problems }) => `${text} ${problems.map(({ code, what }) => `${code} ${what}`).join(', ')}`);
};

/** Changes each number of a draft: `28` to `59`. Numbers of lists, citations and names stay unchanged. */
function altered(draft: string): { number: string; draft: string }[] {
  return [...draft.matchAll(/(?<![\dE.])\d+(?:[.,]\d+)*(?!\. )/g)].map((match) => {
    const [number] = match;
    const other = number.replace(/\d/g, (digit) => String((Number(digit) + 3) % 10 || 9));
    return { number, draft: draft.slice(0, match.index) + other + draft.slice(match.index + number.length) };
  });
}

describe('drafts as models write them', () => {
  it.each(DRAFTS)('S5-28 raise no alarm that no reader would share: $what', (one) => {
    expect(alarmsOf(one, one.draft)).toEqual([]);
  });

  it.each(DRAFTS)('S5-28 raise one for every number that is made another: $what', (one) => {
    const all = altered(one.draft);
    expect(all.length).toBeGreaterThan(3);
    expect(all.filter(({ draft }) => alarmsOf(one, draft).length === 0).map(({ number }) => number)).toEqual(
      [],
    );
  });
});
