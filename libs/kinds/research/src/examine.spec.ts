import { CasefileError, reviewSchema } from '@casefile/contracts';
import {
  analyst,
  critic,
  discovery,
  GOOD,
  of,
  outcome,
  prompts,
  writer,
} from './testing/research-builders.js';
import { playResearch, type ResearchScript } from './testing/research-world.js';
import { withoutSentences } from './examine.js';
import { reportIn } from './result.js';
import { sentencesOf } from './check/sentences.js';

type Answer = readonly [answer: 'supports' | 'contradicts' | 'not_in_it', quote?: string];

const saying =
  (...answers: Answer[]) =>
  (): string =>
    JSON.stringify({
      claims: answers.map(([answer, quote = ''], i) => ({ id: `C${i + 1}`, answer, quote })),
    });

const play = (draft: string, script: ResearchScript = {}) =>
  playResearch(discovery(), { answers: [analyst(draft), critic('PASS'), writer(draft)], ...script });
const reviewed = (played: Awaited<ReturnType<typeof play>>) =>
  reviewSchema.parse(of(played, 'review').at(-1)!.body);
const reported = (played: Awaited<ReturnType<typeof play>>) => of(played, 'report')[0]!.body;

const LIE = '經濟部電價審議會28日決議，撤回了調漲案[E1]。';
const TWO = `平均電價4月起調漲3.1%[E1]。受影響的工業用戶約41.5萬戶[E2]。`;

describe('T-02 the cross-examination of a research', () => {
  it('asks once more per run, with every claim and the sources, and an honest report passes', async () => {
    const played = await play(GOOD);
    expect(played.examined).toHaveLength(1);
    expect(played.examined[0]).toContain('C1 [E1]: 平均電價4月起調漲3.1%。');
    expect(played.examined[0]).toContain('[E4] PTT 2025-03-28 [爆卦] 電價要漲三成');
    expect(played.verdict).toMatchObject({
      disposition: 'act',
      outcome: { ruling: 'PASS', items: [{ score: 100 }] },
    });
    expect(reviewed(played).crossExamination).toMatchObject({
      failed: null,
      promptId: 'research/cross-examination-zh@2',
      claims: [
        { id: 'C1', answer: 'supports', sources: ['E1'], quote: { source: 'E1' } },
        { id: 'C2', answer: 'supports', quote: { source: 'E4' } },
      ],
    });
    expect(String(reported(played)['markdown'])).toMatch(/## 交叉查核\n\n- 來源支持/);
  });

  it('removes a contradicted claim from the report, and needs review with the quote as the first reason', async () => {
    const draft = `# 結論\n\n- ${TWO}\n\n## 住宅\n\n- ${LIE}`;
    const quote = '經濟部電價審議會28日決議，4月起平均電價調漲3.1%';
    const examiner = saying(
      ['supports', '4月起平均電價調漲3.1%'],
      ['supports', '工業用戶約41.5萬戶'],
      ['contradicts', quote],
    );
    const played = await play(draft, { examiner });
    expect(prompts(played)).not.toContain('research/writer-zh');
    const { finalReport, sentences, writtenBy, cappedBy } = reportIn(reported(played) as never);
    expect(finalReport).not.toContain('撤回了調漲案');
    expect(finalReport).not.toContain('## 住宅');
    expect(finalReport).toContain('交叉查核刪去了 1 句');
    expect([sentences.filter(({ state }) => state === 'verified').length, writtenBy]).toEqual([2, 'analyst']);
    expect(cappedBy).toContain('a source contradicts a claim that was removed from it');
    expect(played.verdict).toMatchObject({
      disposition: 'review',
      degraded: false,
      outcome: { ruling: 'WARN', confidenceLevel: 'Low' },
    });
    expect(played.verdict.reasons[0]).toContain(`「${quote}」[E1]`);
    expect(JSON.stringify(outcome(played))).not.toContain('撤回了調漲案');
    expect(String(reported(played)['markdown'])).toContain('與來源矛盾，已刪去');
  });

  it('removes a claim that its sources do not state, and caps the level at Medium', async () => {
    const played = await play(TWO, {
      examiner: saying(['supports', '4月起平均電價調漲3.1%'], ['not_in_it']),
    });
    expect(played.verdict).toMatchObject({
      disposition: 'review',
      outcome: { ruling: 'WARN', confidenceLevel: 'Medium' },
    });
    expect(outcome(played).items[0]?.description).not.toContain('41.5萬戶');
  });

  it('is REJECT if no supported sentence is left', async () => {
    const played = await play(TWO, { examiner: saying(['not_in_it'], ['not_in_it']) });
    expect(played.verdict).toMatchObject({
      disposition: 'review',
      outcome: { ruling: 'REJECT', confidenceLevel: 'Low' },
    });
  });

  it('examines a conclusion without a source against all cited sources', async () => {
    const examiner = saying(['contradicts', '4月起平均電價調漲3.1%'], ['supports', '4月起平均電價調漲3.1%']);
    const played = await play('網路上的說法是真的。平均電價4月起調漲3.1%[E1]。', { examiner });
    expect(played.examined[0]).toContain('C1 [E1]: 網路上的說法是真的。');
    expect(outcome(played).items[0]?.description).not.toContain('是真的');
  });

  it.each([
    ['gives no answer in time', new CasefileError('timeout', 'none'), 'timeout'],
    ['cannot be read', 'No answer.', 'invalid_answer'],
    [
      'quotes what no source says',
      saying(['supports', '電價明年會降'], ['supports', '電價明年會降'])(),
      'invalid_answer',
    ],
  ])('states it if the examiner %s: the report is left, to check', async (_, answer, failed) => {
    const played = await play(TWO, { examiner: () => answer });
    expect(reviewed(played).crossExamination).toMatchObject({ claims: [], failed });
    expect(reviewed(played).findings.map(({ code }) => code)).toEqual(['not_cross_examined']);
    expect(played.verdict).toMatchObject({
      disposition: 'review',
      degraded: true,
      outcome: { ruling: 'WARN', confidenceLevel: 'Medium' },
    });
    expect(played.verdict.reasons[0]).toContain('沒有經過交叉查核');
    expect(outcome(played).items[0]?.description).toContain('沒有經過交叉查核');
  });

  it('is not asked if the report needs review anyway, or by a setting', async () => {
    const none = [
      await play(TWO, { options: { crossExamine: false } }),
      await playResearch(discovery()),
      await play('4月電價要漲三成[E4]。'),
    ];
    for (const played of none) {
      expect(played.examined).toEqual([]);
      expect(reviewed(played).crossExamination).toBeUndefined();
    }
  });
});

describe('a sentence with a clause on missing sources', () => {
  const sentencesFrom = async (draft: string) => {
    const answers = [analyst(draft), critic('WARN'), writer(draft)];
    const played = await playResearch({ ...discovery(), query: '網傳海灣市每週停水三天？' }, { answers });
    return reportIn(reported(played) as never).sentences.map(({ state, problems }) => [
      state,
      ...problems.map(({ code }) => code),
    ]);
  };

  it('S5-22 needs a source for what another clause of it claims', async () => {
    const hidden = '網傳的說法查無公告，海灣市在8月中旬之前不會停水。';
    expect(await sentencesFrom(hidden)).toEqual([['unsupported', 'no_citation']]);
  });

  it.each([
    '至於8月會不會停水，現有來源沒有說明。',
    '8月停水的說法僅見於網路，沒有官方文件可以佐證。',
    '網傳的說法查無公告。',
    '沒有官方來源證實，現有資料也沒有說。',
  ])('T-07 needs none if nothing is claimed: %s', async (sentence) => {
    expect(await sentencesFrom(sentence)).toEqual([['plain']]);
  });
});

describe('a draft without some of its sentences', () => {
  const DRAFT =
    '**不是。**公告[E1]沒有這樣寫。\n\n## 依據\n\n- 第一句[E1]。第二句[E2]。\n- 第三句[E3]。\n\n### 細節\n\n第四句[E4]。';
  it.each([
    [[0], '公告[E1]沒有這樣寫。'],
    [[2], '- 第二句[E2]。'],
    [[3], '- 第一句[E1]。\n- 第三句[E3]。'],
  ])('has no rest of them: %j', (places, kept) => {
    const all = sentencesOf(DRAFT).filter(({ isHeading }) => !isHeading);
    const left = withoutSentences(
      DRAFT,
      places.map((place) => all[place]!),
    );
    expect([left.includes(kept), left.split('**').length % 2]).toEqual([true, 1]);
  });

  it('loses headings without text, and is empty without its sentences', () => {
    const all = sentencesOf(DRAFT).filter(({ isHeading }) => !isHeading);
    expect(withoutSentences(DRAFT, all.slice(-1))).not.toContain('### 細節');
    expect(withoutSentences(DRAFT, all)).toBe('');
  });
});

const article = (text: string) => ({
  url: 'https://source1.example/1',
  name: 'Article',
  site: '中央社',
  description: text.slice(0, 40),
  schema_object: { '@type': 'NewsArticle', articleBody: text, datePublished: '2025-03-28' },
});
const POWER = article('經濟部電價審議會28日決議，4月起平均電價不調整，維持每度3.78元。');
const RECALL = article(
  'Norvia is recalling about 12,400 e-bikes. The commission received 23 reports of fires; no deaths were reported.',
);

describe('T-02 T-06 a sentence with the figures and names of its source and another meaning', () => {
  it.each([
    ['the verb', POWER, '電價會漲嗎？', '4月起平均電價調漲，每度3.78元[E1]。', '4月起平均電價不調整'],
    [
      'the verb',
      RECALL,
      'Does Norvia recall its e-bikes?',
      'Norvia refused to recall about 12,400 e-bikes [E1].',
      'Norvia is recalling about 12,400 e-bikes',
    ],
    [
      'a denial',
      RECALL,
      'Does Norvia recall its e-bikes?',
      'Norvia is not recalling about 12,400 e-bikes [E1].',
      'Norvia is recalling about 12,400 e-bikes',
    ],
    [
      'what is counted',
      RECALL,
      'How many people died?',
      'There were 23 deaths in the fires [E1].',
      'no deaths were reported',
    ],
  ])('is never published as PASS: %s %#', async (_, source, query, draft, quote) => {
    const payload = { query, sourceMode: 'discovery', items: [source] };
    // A report that the program already doubts has a second round.
    const answers = [analyst(draft), critic('PASS'), analyst(draft), critic('PASS'), writer(draft)];
    const silent = { answers, examiner: () => new CasefileError('timeout', 'none') };
    const unexamined = await playResearch(payload, silent);
    expect(unexamined.verdict).toMatchObject({ disposition: 'review' });
    expect(outcome(unexamined).ruling).not.toBe('PASS');
    expect(JSON.stringify(unexamined.verdict.reasons)).not.toContain('borne out');
    const examined = await playResearch(payload, { answers, examiner: saying(['contradicts', quote]) });
    expect(examined.verdict).toMatchObject({ disposition: 'review', outcome: { confidenceLevel: 'Low' } });
  });
});
