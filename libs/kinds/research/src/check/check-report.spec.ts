import { checkReport } from './check-report.js';
import { datesIn, figuresIn } from '@casefile/pipeline/reading/index';
import { namesIn } from './names.js';
import { prepareOriginal, type Original } from './passages.js';
import { sentencesOf } from './sentences.js';

const POWER = prepareOriginal('E1', {
  text: '經濟部電價審議會今（28）日決議，4月起平均電價調漲3.1%，住宅用電每度平均2.77元，約新台幣1,000億元的缺口由台電吸收。經濟部長郭智輝表示：「民生用電330度以下凍漲」。受影響的工業用戶約41.5萬戶。',
  told: '中央社 電價審議會結果出爐',
  published: '2025-03-28T10:00:00+08:00',
  tier: 1,
  type: 'official',
});
const FORUM = prepareOriginal('E2', {
  text: '網友：電價要漲三成了啦，下個月帳單會爆。',
  told: 'PTT 八卦板',
  published: null,
  tier: 5,
  type: 'social',
});
const held = (report: string, originals: Original[] = [POWER, FORUM], query = '') =>
  checkReport(report, { originals, query, from: null, to: null, maxTier: 5 }).sentences.map(
    ({ state, problems }) => [state, ...problems.map(({ code }) => code)].join(' '),
  );

describe('sentences of a report checked against their sources', () => {
  it.each([
    ['電價審議會決議平均電價調漲百分之三點一[E1]。', 'verified'],
    ['電價審議會決議平均電價調漲３．１％[E1]。', 'verified'],
    ['自民國114年4月起，平均電價調漲3.1%。[E1]', 'verified'],
    ['經濟部長郭智輝說「民生用電330度以下凍漲」[E1]。', 'verified'],
    ['受影響的工業用戶約42萬戶[E1]。', 'verified'],
    ['受影響的工業用戶超過41萬戶[E1]。', 'verified'],
    ['受影響的工業用戶有42萬戶[E1]。', 'unsupported number_not_in_source'],
    ['缺口約一千億元，由台電吸收[E1]。', 'verified'],
    ['缺口約1兆元，由台電吸收[E1]。', 'unsupported number_not_in_source'],
    ['平均電價調漲3.1個百分點[E1]。', 'unsupported unit_differs'],
    ['經濟部長龔明鑫說民生用電凍漲[E1]。', 'unsupported name_not_in_source'],
    ['財政部決議電價調漲3.1%[E1]。', 'unsupported name_not_in_source'],
    ['電價將在5月調漲3.1%[E1]。', 'unsupported date_not_in_source'],
    ['網友說電價要漲三成[E2]。', 'verified'],
    ['網友說電價要漲30%[E2]。', 'verified'],
    ['官方消息指出電價要漲三成[E2]。', 'unsupported tier_mismatch'],
    ['平均電價調漲3.1%。', 'unsupported no_citation'],
    ['平均電價調漲3.1%[E9]。', 'unsupported unknown_id number_not_in_source'],
    ['這件事仍有不同看法。', 'plain'],
  ])('S5-28 %s', (sentence, expected) => {
    expect(held(sentence)).toEqual([expected]);
  });

  it('S5-28 need no source for what the asker said, where it is said again to be judged', () => {
    expect(held('網傳電價將漲三成的說法與公告不符。', [POWER], '電價是否漲三成？')).toEqual(['plain']);
    expect(held('電價將漲三成[E1]。', [POWER], '電價是否漲三成？')).toEqual([
      'unsupported number_not_in_source',
    ]);
  });

  it('S5-28 need no source for a warning that the program puts before a source, in exactly its words', () => {
    const warning = '⚠ More than two years older than the newest source.';
    expect(held(`${warning} ⚠ An unknown source: compare it with others.`)).toEqual(['plain', 'plain']);
    expect(held('⚠ More than two years older than the tariff of March 2025.')).toEqual([
      'unsupported no_citation',
    ]);
  });

  it('S5-24 are told apart with the citations behind their full stop', () => {
    const report = '## 結論\n\n- 電價調漲3.1%。[E1][E2] 第二句！\n1. 第三句 [E1, E2]。';
    expect(sentencesOf(report).map(({ text, ids }) => [text, ids.join('')])).toEqual([
      ['結論', ''],
      ['電價調漲3.1%。', 'E1E2'],
      ['第二句！', ''],
      ['第三句。', 'E1E2'],
    ]);
    expect(
      sentencesOf('Prices rose 3.1% in the U.S. market. “It rose. Again.” [E1]').map(({ ids }) => ids.length),
    ).toEqual([0, 1]);
  });

  it('S5-10 cite no source that their mode does not take, S5-14 nor one of other days', () => {
    const strict = checkReport('網友說電價要漲三成[E2]。', {
      originals: [FORUM],
      query: '',
      from: null,
      to: null,
      maxTier: 2,
    });
    expect(strict.sentences[0]?.problems.map(({ code }) => code)).toEqual(['tier_not_allowed']);
    const late = checkReport('平均電價調漲3.1%[E1]。', {
      originals: [POWER],
      query: '',
      from: '2025-04-01',
      to: null,
      maxTier: 5,
    });
    expect(late.sentences[0]?.problems.map(({ code }) => code)).toEqual(['date_outside']);
  });
});

const originalOf = (text: string): Original =>
  prepareOriginal('E1', { text, told: 'A paper', published: null, tier: 1, type: 'official' });

describe('numbers and years of a report in another language than English', () => {
  it.each([
    ['Murieron 2.000 peces en el embalse[E1].', 'Murieron 2.000 peces en el embalse.', 'verified'],
    ['Murieron 2.500 peces en el embalse[E1].', 'Murieron 2.000 peces en el embalse.', 'unsupported'],
    [
      'El puerto tenía 3.120 grúas en 2025[E1].',
      'El puerto tenía 4.900 grúas en 2012 y tenía 3.120 en 2025.',
      'verified',
    ],
    [
      'Die Gemeinde hat 6.480 Einwohner[E1].',
      'Die Gemeinde hat 6.480 Einwohner und eine Schule.',
      'verified',
    ],
    [
      'In 2025 the average fare in Sorrel was £84[E1].',
      'In 2015 the average fare in Sorrel was £51. In 2025 it was £84.',
      'verified',
    ],
    [
      'In 2025 the average fare in Sorrel was £51[E1].',
      'In 2015 it was £51. In 2025 the average fare in Sorrel was £84.',
      'unsupported other_quantity',
    ],
  ])('%s of “%s”: %s', (report, source, expected) => {
    expect(held(report, [originalOf(source)])[0]).toMatch(new RegExp(`^${expected}`));
  });
});

describe('what is read of a sentence', () => {
  it.each([
    ['3億5,000萬元', [[350_000_000, 'twd']]],
    ['１．２兆元', [[1.2e12, 'twd']]],
    ['一百二十萬五千人', [[1_205_000, 'person']]],
    ['三成五', [[35, 'percent']]],
    ['2.5 million households', [[2_500_000, 'household']]],
    ['一般來說，統一超商三立新聞第一名數百人', []],
    ['COVID-19 的 5G 與 E3', []],
    ['約1萬2,300戶', [[12_300, 'household']]],
    ['二十一歲', [[21, 'age']]],
  ])('figures of %s', (text, expected) => {
    const figures = figuresIn(text.normalize('NFKC')).filter(({ isSlight }) => !isSlight);
    expect(figures.map(({ value, unit }) => [value, unit])).toEqual(expected);
  });

  it.each([
    ['民國一百一十四年三月五日', [{ y: 2025, m: 3, d: 5 }]],
    ['114年3月', [{ y: 2025, m: 3 }]],
    ['二〇二五年第三季', [{ y: 2025 }, { q: 3 }]],
    [
      '2025-03-05 and 5 March',
      [
        { y: 2025, m: 3, d: 5 },
        { m: 3, d: 5 },
      ],
    ],
    ['3年內完成，為期6個月', []],
    ['March 5, 2025', [{ y: 2025, m: 3, d: 5 }]],
    ['2025至2030年', [{ y: 2025 }, { y: 2030 }]],
  ])('dates of %s', (text, expected) => {
    expect(datesIn(text).map(({ value }) => value)).toEqual(expected);
  });

  it.each([
    ['發言人陳世凱今天表示', ['陳世凱']],
    ['臺北市與衛福部', ['台北市', '衛福部']],
    [
      'The council said that Maria Lindqvist of Kelder University agreed.',
      ['Maria', 'Lindqvist', 'Kelder', 'University'],
    ],
    ['However, prices rose in March.', []],
  ])('names of %s', (text, expected) => {
    expect(
      namesIn(text)
        .map(({ said }) => said)
        .sort(),
    ).toEqual([...expected].sort());
  });
});
