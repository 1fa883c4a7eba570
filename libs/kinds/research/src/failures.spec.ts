import { CasefileError } from '@casefile/contracts';
import { playResearch } from './testing/research-world.js';
import {
  analyst,
  critic,
  discovery,
  GOOD,
  ITEMS,
  of,
  outcome,
  QUERY,
  reviews,
  texts,
  writer,
} from './testing/research-builders.js';
import { isEnabled } from './analyse.js';
import { reportIn } from './result.js';

describe('what goes wrong', () => {
  const timeout = new CasefileError('timeout', 'no answer in time');

  it('S5-10 S5-32 no valid source is an item that says what was left out and who would keep it, and pays for nothing', async () => {
    const played = await playResearch(
      { query: QUERY, sourceMode: 'strict', items: ITEMS.slice(2) },
      { answers: [] },
    );
    expect(played.calls).toEqual([]);
    const [item] = outcome(played).items;
    expect(item).toMatchObject({ score: 0 });
    expect(item?.description).toMatch(/^NoValidSourcesError: strict 模式下沒有可用的來源：3 則都不採用。/);
    expect(item?.description).toContain(
      '- PTT: [爆卦] 電價要漲三成: 來源層級不在採用範圍；discovery, monitor 模式會採用',
    );
    expect(played.verdict).toMatchObject({ disposition: 'review', confidence: 0 });
  });

  it('S5-27 an analyst that gives no answer is an item with the sources that are known', async () => {
    const played = await playResearch(discovery(), { answers: [timeout] });
    expect(outcome(played).items[0]).toMatchObject({
      score: 0,
      description: expect.stringMatching(/^AnalystError: [^]*\[E1\] 中央社/),
    });
    expect(played.verdict).toMatchObject({ disposition: 'review', degraded: true, degradedBy: ['timeout'] });
  });

  it('S5-27 an analyst that fails to revise leaves the draft before', async () => {
    const played = await playResearch(discovery(), {
      answers: [analyst(GOOD), critic('REJECT'), timeout, writer(GOOD)],
    });
    expect(outcome(played)).toMatchObject({
      rounds: 2,
      notConverged: true,
      confidenceLevel: 'Low',
      error: null,
    });
    expect(reportIn(of(played, 'report')[0]!.body as never).finalReport).toContain('3.1%');
  });

  it('S5-27 a critic that gives no answer is WARN and never PASS, and a person looks', async () => {
    const played = await playResearch(discovery(), { answers: [analyst(GOOD), timeout, writer(GOOD)] });
    expect(reviews(played)[0]).toMatchObject({
      ruling: 'WARN',
      findings: [{ code: 'not_reviewed' }],
      answer: { said: null, converged: false, criticFailed: 'timeout' },
    });
    expect(played.verdict).toMatchObject({ disposition: 'review', degradedBy: ['timeout'] });
  });

  it.each([
    ['timeout', '逾時'],
    ['invalid_answer', '回答無法判讀'],
    ['server_error', '語言模型無法使用'],
  ] as const)('S5-27 says in words why a role gave no answer: %s', async (reason, words) => {
    const failure = new CasefileError(reason, 'no answer');
    const played = await playResearch(discovery(), { answers: [analyst(GOOD), failure, writer(GOOD)] });
    expect(outcome(played).items[0]?.description).toContain(`評論員沒有給出可用的答覆（${words}）。`);
  });

  it('S5-27 a writer that gives no answer leaves the draft as the report, at Low', async () => {
    const played = await playResearch(discovery(), { answers: [analyst(GOOD), critic('PASS'), timeout] });
    expect(reportIn(of(played, 'report')[0]!.body as never)).toMatchObject({
      writtenBy: 'analyst',
      confidenceLevel: 'Low',
    });
    expect(played.verdict.disposition).toBe('review');
  });

  it('S5-20 an answer that cannot be read is asked for again with what was wrong', async () => {
    const played = await playResearch(discovery(), {
      answers: ['I think so.', analyst(GOOD), critic('fine'), critic('PASS'), writer(''), writer(GOOD)],
    });
    expect(texts(played)[1]).toContain('The answer holds no JSON object.');
    expect(texts(played)[3]).toContain('expected PASS, WARN or REJECT');
    expect(outcome(played).converged).toBe(true);
  });

  it('S5-28 a sentence that no source supports is marked and caps the confidence', async () => {
    const draft = `${GOOD}台電去年補貼了9,999億元[E1]。`;
    const played = await playResearch(discovery(), {
      answers: [analyst(draft), critic('WARN'), writer(draft)],
    });
    expect(outcome(played)).toMatchObject({ confidenceLevel: 'Medium', share: 0.667 });
    expect(outcome(played).items[0]?.description).toContain('。（來源中找不到相符的內容）');
    expect(played.verdict.disposition).toBe('review');
  });

  it('S5-24 a writer that strays from the draft is not taken', async () => {
    const strayed = '平均電價4月起調漲7.7%[E1]。';
    const played = await playResearch(discovery(), {
      answers: [analyst(GOOD), critic('PASS'), writer(strayed)],
    });
    expect(reportIn(of(played, 'report')[0]!.body as never)).toMatchObject({
      writtenBy: 'analyst',
      writerFailed: 'strayed',
      share: 1,
    });
  });

  it('makes no markup and no link of what a model writes', async () => {
    const hostile = `${GOOD}\n\n<img src=x onerror=alert(1)> [這裡](https://evil.example/x) https://evil.example`;
    const played = await playResearch(discovery(), {
      answers: [analyst(hostile), critic('PASS'), writer(hostile)],
    });
    const text = `${outcome(played).items[0]?.description} ${String(of(played, 'report')[0]!.body['markdown'])}`;
    expect(text).not.toMatch(/(?<!\\)<img|\]\(https:\/\/evil|https:\/\/evil/);
  });
});

describe('without a model', () => {
  it('S5-10 is an extract of all sources but social media, word for word, the less reliable ones marked, and needs review', async () => {
    const played = await playResearch(discovery());
    expect(played.verdict).toMatchObject({ method: 'heuristic', disposition: 'review', degraded: false });
    expect(outcome(played)).toMatchObject({
      rounds: 1,
      converged: false,
      notConverged: false,
      ruling: 'WARN',
      confidenceLevel: 'Low',
      share: 1,
    });
    const text = outcome(played).items[0]!.description;
    expect(text).toContain('沒有語言模型參與');
    expect(text).toContain('> 經濟部電價審議會28日決議，4月起平均電價調漲3.1%。');
    expect(text).toMatch(/可信度較低的來源[^>]*> 報導分析台電累積虧損4,000億元/);
    expect(text).not.toMatch(/網友說/);
  });

  it('S5-10 quotes tiers 1 and 2 alone in the other modes', async () => {
    const text = outcome(await playResearch(discovery({ sourceMode: 'monitor' }))).items[0]!.description;
    const extract = text.split('###')[0]!;
    expect(extract).toContain('> 經濟部電價審議會28日決議，4月起平均電價調漲3.1%。');
    expect(extract).not.toMatch(/> 報導分析|> 整理/);
  });

  it('S5-10 says how sources in another script than the question begin, for no word of it is in them', async () => {
    const asked = discovery({ query: 'Did the price of electricity rise by 10 % in April?' });
    const text = outcome(await playResearch(asked)).items[0]!.description;
    expect(text).toContain('> 經濟部電價審議會28日決議，4月起平均電價調漲3.1%。');
    expect(text).not.toMatch(/網友說|no official source/i);
  });

  it('S5-10 tells sources that do not speak of the question from none', async () => {
    const unmatched = await playResearch(discovery({ query: '颱風' }));
    expect(outcome(unmatched).items[0]!.description).toContain('沒有一句與問題用語相同');
  });

  it('S5-01 switched off hands out the sources, and makes no call', async () => {
    const played = await playResearch(discovery(), { answers: [], options: { enabled: false } });
    expect(played.calls).toEqual([]);
    expect(outcome(played).items.map(({ site }) => site)).toEqual([
      '中央社',
      '聯合報',
      '報導者',
      'PTT',
      '某部落格',
    ]);
    expect(outcome(played).items[0]?.description).toMatch(/^\[Tier 1 \| official\] /);
    expect(outcome(played).items[3]?.description).toMatch(/^⚠/);
  });

  it('S5-01 a percentage falls on the same queries, and on about so many', () => {
    const queries = Array.from({ length: 1_000 }, (_, i) => `query ${i}`);
    const on = queries.filter((query) => isEnabled(query, 25));
    expect(on.length).toBeGreaterThan(200);
    expect(on.length).toBeLessThan(300);
    expect(on.every((query) => isEnabled(` ${query.toUpperCase()} `, 25) && isEnabled(query, 60))).toBe(true);
    expect([isEnabled('x', 0), isEnabled('x', 100), isEnabled('x', false)]).toEqual([false, true, false]);
  });
});

describe('a question that no good source speaks of', () => {
  it('S5-31 T-05 is rejected with the lowest score, because no sentence has a source', async () => {
    const played = await playResearch({ query: '完全不同的問題？', items: ITEMS.slice(0, 1) });
    expect(outcome(played).items[0]).toMatchObject({
      score: 5,
      description: expect.stringContaining('沒有一句與問題用語相同'),
    });
  });
});
