import type { JsonObject } from '@casefile/contracts';
import { playResearch } from './testing/research-world.js';
import {
  analyst,
  critic,
  discovery,
  GOOD,
  ITEMS,
  of,
  outcome,
  prompts,
  QUERY,
  reviews,
  searchFor,
  strict,
  texts,
  writer,
} from './testing/research-builders.js';
import { draftIn, reportIn } from './result.js';

describe('a research that goes as it is meant to', () => {
  it('S5-30 is drafted, reviewed and written once, and handed out as an item with links put in by code', async () => {
    const played = await playResearch(discovery(), {
      answers: [analyst(GOOD), critic('PASS'), writer(GOOD)],
    });
    expect(prompts(played)).toEqual([
      'research/analyst-research-zh',
      'research/critic-zh',
      'research/writer-zh',
    ]);
    expect(outcome(played)).toMatchObject({
      mode: 'discovery',
      rounds: 1,
      converged: true,
      ruling: 'PASS',
      confidenceLevel: 'High',
      share: 1,
    });
    expect(played.verdict).toMatchObject({
      disposition: 'act',
      degraded: false,
      method: 'llm',
      citations: ['E1', 'E4'],
    });
    const [item] = outcome(played).items;
    expect(item).toMatchObject({
      '@type': 'Item',
      score: 100,
      schema_object: {
        '@type': 'ResearchReport',
        mode: 'discovery',
        iterations: 1,
        sources_used: ['https://source1.example/1', 'https://source4.example/4'],
        confidence: 'High',
        total_sources_analyzed: 5,
      },
    });
    expect(item?.url).toMatch(/#case-1$/);
    expect(item?.description).toContain('3.1%[\\[E1\\]](https://source1.example/1)。');
    const { sentences } = reportIn(of(played, 'report')[0]!.body as never);
    expect(sentences[0]).toMatchObject({
      state: 'verified',
      quotes: [{ id: 'E1', quote: '經濟部電價審議會28日決議，4月起平均電價調漲3.1%。' }],
    });
  });

  it('S5-20 asks in the language of the query', async () => {
    const query = { query: 'Did the price of power rise by 30% in April?', items: ITEMS };
    const played = await playResearch(query, {
      answers: [analyst('It rose [E1].'), critic('PASS'), writer('It rose [E1].')],
    });
    expect(prompts(played)).toEqual([
      'research/analyst-research-en',
      'research/critic-en',
      'research/writer-en',
    ]);
  });

  it('S5-24 asks the writer as the level low', async () => {
    const played = await playResearch(discovery(), {
      answers: [analyst(GOOD), critic('PASS'), writer(GOOD)],
    });
    expect(played.calls.map(({ request }) => request.level ?? 'high')).toEqual(['high', 'high', 'low']);
  });

  it('S5-10 in strict no prompt and no report has what is left out', async () => {
    const draft = '平均電價4月起調漲3.1%[E1]，工業用戶平均漲5%[E2]。';
    const played = await playResearch(strict(), { answers: [analyst(draft), critic('PASS'), writer(draft)] });
    const said = [
      ...texts(played),
      JSON.stringify(outcome(played).items),
      String(of(played, 'report')[0]!.body['markdown']),
    ].join('\n');
    for (const gone of ['某部落格', '電價懶人包', 'PTT', '網友說', '報導者', 'source5.example'])
      expect(said).not.toContain(gone);
    expect(outcome(played)).toMatchObject({ sources: 2, converged: true });
    expect(of(played, 'evidence')[0]!.body['leftOut']).toHaveLength(3);
  });

  it('S5-12 monitor compares tier 1 with tier 5, and says when one side is empty', async () => {
    const both = await playResearch(
      { ...discovery(), sourceMode: 'monitor' },
      { answers: [analyst(GOOD), critic('PASS'), writer(GOOD)] },
    );
    expect(outcome(both).items[0]?.description).toMatch(
      /第 1 級與第 5 級來源並列[^]*中央社：電價審議會決議調漲[^]*PTT/,
    );
    const one = { query: QUERY, sourceMode: 'monitor', items: ITEMS.slice(0, 2) };
    const draft = '平均電價4月起調漲3.1%[E1]。';
    const empty = await playResearch(one, { answers: [analyst(draft), critic('PASS'), writer(draft)] });
    expect(outcome(empty).items[0]?.description).toMatch(/### 第 5 級\n\n這一邊沒有來源。/);
  });
});

describe('rounds', () => {
  const BAD = '平均電價4月起調漲3.4%[E1]。';

  it('S5-22 PASS with a figure that its source does not have is REJECT, and is revised with what was found', async () => {
    const played = await playResearch(discovery(), {
      answers: [analyst(BAD), critic('PASS'), analyst(GOOD), critic('PASS'), writer(GOOD)],
    });
    expect(reviews(played).map(({ ruling, answer }) => [answer.said, ruling])).toEqual([
      ['PASS', 'REJECT'],
      ['PASS', 'PASS'],
    ]);
    expect(texts(played)[1]).toContain('number_not_in_source: 「平均電價4月起調漲3.4%。」');
    expect(prompts(played)[2]).toBe('research/analyst-revise-zh');
    expect(texts(played)[2]).toMatch(/REJECT 符合[^]*number_not_in_source/);
    expect(reviews(played)[1]?.answer).toMatchObject({
      fresh: [],
      repeated: [],
      solved: [{ code: 'number_not_in_source' }],
    });
    expect(outcome(played)).toMatchObject({ rounds: 2, converged: true });
  });

  it.each(['違反', 'violation', 'non-compliant'])(
    'S5-22 PASS with the mode violated (%s) is REJECT',
    async (modeCompliance) => {
      const played = await playResearch(discovery(), {
        answers: [
          analyst(GOOD),
          critic('PASS', { modeCompliance }),
          analyst(GOOD),
          critic('WARN'),
          writer(GOOD),
        ],
      });
      expect(reviews(played)[0]).toMatchObject({ ruling: 'REJECT', answer: { modeCompliance: '違反' } });
      expect(reviews(played)[1]).toMatchObject({ ruling: 'WARN', answer: { converged: true } });
    },
  );

  it('S5-21 a search opens a round; what it finds passes the filter and is cited on from the last id', async () => {
    const page = {
      title: '台電公告',
      url: 'https://www.cna.com.tw/9',
      publishedDate: '2025-03-30T00:00:00Z',
      text: '台電說明，民生用電凍漲到9月。',
    };
    const forum = { title: '閒聊', url: 'https://www.ptt.cc/1', text: '民生用電凍漲是真的嗎' };
    const draft = '平均電價4月起調漲3.1%[E1]，民生用電凍漲到9月[E3]。';
    const played = await playResearch(strict(), {
      answers: [searchFor('台電 民生用電 公告'), analyst(draft), critic('PASS'), writer(draft)],
      pages: { '台電 民生用電 公告': [page, forum, { ...page, url: 'https://www.cna.com.tw/9#x' }] },
    });
    expect(played.searched).toEqual(['台電 民生用電 公告']);
    const items = of(played, 'evidence').at(-1)!.body['items'] as JsonObject[];
    expect(items.map(({ id, entityValue }) => [id, entityValue])).toEqual([
      ['E1', 'https://source1.example/1'],
      ['E2', 'https://source2.example/2'],
      ['E3', 'https://www.cna.com.tw/9'],
    ]);
    expect(outcome(played)).toMatchObject({ rounds: 2, converged: true, sources: 3 });
    expect(outcome(played).items[0]?.schema_object?.['total_sources_analyzed']).toBe(3);
  });

  it('S5-04 searches for the query itself where nothing was handed in', async () => {
    const draft = '平均電價4月起調漲3.1%[E1]。';
    const played = await playResearch(
      { query: QUERY },
      { answers: [analyst(draft), critic('PASS'), writer(draft)], pages: { [QUERY]: ITEMS } },
    );
    expect([played.searched, outcome(played).sources]).toEqual([[QUERY], 5]);
  });

  it('S5-21 the same queries again, and a search that finds nothing new, end searching', async () => {
    const draft = '平均電價4月起調漲3.1%[E1]。';
    const nothing = await playResearch(discovery(), {
      answers: [searchFor('查無'), analyst(draft), critic('PASS'), writer(draft)],
      pages: { 查無: [] },
    });
    expect(draftIn(of(nothing, 'draft').at(-1)!.body as never).searchEnded).toBe('nothing-new');
    expect(texts(nothing)[1]).toContain('不能再搜尋');
    const page = { title: '公告', url: 'https://www.cna.com.tw/9', text: '公告內容' };
    const same = await playResearch(discovery(), {
      answers: [searchFor('公告'), searchFor('公告'), analyst(draft), critic('PASS'), writer(draft)],
      pages: { 公告: [page] },
    });
    expect(draftIn(of(same, 'draft').at(-1)!.body as never)).toMatchObject({
      searchEnded: 'same-queries',
      round: 2,
    });
    expect(outcome(same)).toMatchObject({ rounds: 2, converged: true });
  });

  it('S5-21 a search that finds nothing new ends searching, whatever the searches before it found', async () => {
    const draft = '平均電價4月起調漲3.1%[E1]。';
    const page = { title: '公告', url: 'https://www.cna.com.tw/9', text: '公告內容' };
    const played = await playResearch(discovery(), {
      answers: [searchFor('公告', '說明'), searchFor('查無'), analyst(draft), critic('PASS'), writer(draft)],
      pages: { 公告: [page], 說明: [], 查無: [] },
      options: { maxRounds: 5 },
    });
    expect(draftIn(of(played, 'draft').at(-1)!.body as never)).toMatchObject({
      searchEnded: 'nothing-new',
      round: 3,
    });
  });

  it('S5-21 the last pass states that no search is possible, and an answer that asks for one is asked again', async () => {
    const options = { maxRounds: 1 };
    const played = await playResearch(discovery(), {
      answers: [searchFor('再搜'), analyst(GOOD), critic('PASS'), writer(GOOD)],
      options,
    });
    expect(texts(played)[0]).toContain('不能再搜尋');
    expect(texts(played)[1]).toContain('expected DRAFT_READY');
    expect([played.searched, outcome(played).rounds]).toEqual([[], 1]);
  });

  it('S5-23 S5-70 fifty critics that are never satisfied end in at most three rounds, marked as not converged', async () => {
    for (let i = 0; i < 50; i += 1) {
      const gap = (n: number) => critic('REJECT', { logicalGaps: [`第${i}號第${n}次：結論超出依據`] });
      const played = await playResearch(discovery(), {
        answers: [analyst(GOOD), gap(1), analyst(GOOD), gap(2), analyst(GOOD), gap(3), writer(GOOD)],
      });
      expect(outcome(played)).toMatchObject({
        rounds: 3,
        converged: false,
        notConverged: true,
        ruling: 'REJECT',
        confidenceLevel: 'Low',
      });
      expect(played.verdict.disposition).toBe('review');
      expect(outcome(played).items[0]?.description).toContain(`第${i}號第3次`);
    }
  });

  it('S5-26 the same findings again, without a change, end the loop early', async () => {
    const same = critic('REJECT', { logicalGaps: ['結論超出依據'] });
    const played = await playResearch(discovery(), {
      answers: [analyst(GOOD), same, analyst(GOOD), same, writer(GOOD)],
    });
    expect(outcome(played)).toMatchObject({ rounds: 2, notConverged: true });
    expect(reviews(played)[1]?.answer).toMatchObject({ endedBy: 'repeated', fresh: [], solved: [] });
    expect(reviews(played)[1]?.answer.repeated).toHaveLength(1);
  });

  it('S5-22 a critic that names no reason still gives one', async () => {
    const played = await playResearch(discovery(), {
      answers: [analyst(GOOD), critic('REJECT'), analyst(GOOD), critic('PASS'), writer(GOOD)],
    });
    expect(reviews(played)[0]?.findings).toMatchObject([{ code: 'critique' }]);
  });
});
