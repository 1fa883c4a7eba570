import type { ShownRun } from '@casefile/contracts';
import { aroundQuote, byTier, draftChanges, needingSource, shownRunResearch } from './research.js';

const source = (site: string, tier: number | null) => ({
  site,
  name: 'a title',
  text: 'First. It rose by 3 %. Last.',
  _reasoning_metadata: { tier, type: 'news', original_source: site },
});
const artifact = (name: string, round: number, body: object) => ({ artifact: name, round, body });
const finding = (id: string) => ({ id, code: id, message: id });
const artifacts = [
  artifact('evidence', 1, { items: [] }),
  artifact('draft', 1, { answer: { kind: 'search', draft: '' }, queries: ['more'] }),
  artifact('evidence', 2, {
    items: [
      { id: 'E1', result: source('Forum', 5) },
      { id: 'E2', result: null },
      { id: 'E3', result: source('Blog', null) },
      { id: 'E4', result: source('Wire', 1) },
    ],
    leftOut: [{ what: 'X', why: 'Y', about: {} }],
  }),
  artifact('draft', 2, { answer: { kind: 'draft', draft: 'a draft', error: null } }),
  artifact('review', 2, {
    ruling: 'REJECT',
    findings: [finding('a')],
    answer: { fresh: ['a'], repeated: [], solved: [] },
  }),
  artifact('report', 2, {
    answer: { sentences: [{ state: 'plain' }, { state: 'verified', text: 'x' }], share: 1 },
  }),
];
const call = (stage: string, latencyMs: number, costUsd: number | null) => ({ stage, latencyMs, costUsd });
const interactions = [call('reason', 10, 0.1), call('reason', 20, null), call('critique', 5, null)];
const run = { artifacts, interactions } as unknown as ShownRun;

describe('S5-60 what is shown of a research', () => {
  const { rounds, sources, leftOut, report, costs } = shownRunResearch(run);

  it('is each round: what it searched for, or its draft with what the critic found', () => {
    expect(
      rounds.map(({ round, draft, searches, review }) => [round, draft, searches, review?.ruling]),
    ).toEqual([
      [1, null, ['more'], undefined],
      [2, 'a draft', [], 'REJECT'],
    ]);
  });

  it('is what changed in a draft, sentence by sentence, with its citations', () => {
    expect(draftChanges('甲說漲3%。[E1]乙不說。[E2]', '甲說漲3%。[E1]乙說漲5%。[E2]')).toEqual({
      parts: [
        { text: '甲說漲3%。[E1]', isNew: false },
        { text: '乙說漲5%。[E2]', isNew: true },
      ],
      gone: ['乙不說。[E2]'],
    });
    expect(draftChanges('It rose. [E1] It fell.\n', 'It rose. [E1] It fell.').gone).toEqual([]);
  });

  it('is the sources by tier, unknown ones last, and what was left out', () => {
    expect(byTier(sources).map(({ tier, sources: own }) => [tier, own.map(({ id }) => id).join()])).toEqual([
      [1, 'E4'],
      [5, 'E1'],
      [null, 'E3'],
    ]);
    expect(leftOut).toEqual([{ what: 'X', why: 'Y' }]);
  });

  it('is each sentence that needs a source, at the words of its stored original', () => {
    expect(needingSource(report!).map(({ text }) => text)).toEqual(['x']);
    const around = aroundQuote(sources[0]!, 'It rose by 3 %.');
    expect(around).toEqual({ before: 'Forum\na title\nFirst. ', quote: 'It rose by 3 %.', after: ' Last.' });
    expect(aroundQuote(sources[0]!, 'not there')).toMatchObject({ quote: '', after: '' });
  });

  it('is time and cost by role', () => {
    expect(costs).toEqual([
      { role: 'analyst', calls: 2, ms: 30, usd: 0.1 },
      { role: 'critic', calls: 1, ms: 5, usd: null },
    ]);
  });

  it('is nothing before there is anything', () => {
    expect(shownRunResearch({ artifacts: [], interactions: [] })).toMatchObject({
      rounds: [],
      sources: [],
      report: null,
    });
  });
});
