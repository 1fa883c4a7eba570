import { readFileSync } from 'node:fs';
import { CasefileError, type PolicyNode } from '@casefile/contracts';
import { aPolicyStore, bookSection as section, BOOK } from '../testing/policy-store.js';
import { treeChildren, policyOutline } from './outline.js';
import { searchPolicyTree } from './search-policy-tree.js';
import type { ChooseSections, SectionQuestion } from './walk-by-model.js';

const never = new AbortController().signal;

/** Chapters with so many parts that not all of them are shown at once. */
const WIDE = Array.from({ length: 20 }, (_, chapter) => [
  section(`${chapter}`, null, chapter % 2 === 0 ? 'a preamble' : '', `Chapter ${chapter} ${'w'.repeat(60)}`),
  ...Array.from({ length: 20 }, (__, part) =>
    section(`${chapter}.${part}`, `${chapter}`, `cats ${chapter} of kind ${part}`, `Part ${part}`),
  ),
]).flat();

function led(answers: (readonly string[] | Error)[]) {
  const asked: SectionQuestion[] = [];
  const choose: ChooseSections = async (question) => {
    const answer = answers[asked.length] ?? [];
    asked.push(question);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { asked, choose };
}

async function search(
  answers: (readonly string[] | Error)[],
  { query = 'cats birds', limit = 3, sections = BOOK } = {},
) {
  const { asked, choose } = led(answers);
  const policy = { policyId: 'claims', version: 1 };
  const answer = await searchPolicyTree(aPolicyStore(sections), { policy, query, limit }, never, choose);
  return { asked, ...answer, ids: answer.sections.map(({ nodeId }) => nodeId) };
}

describe('S4-10 a search that a model leads', () => {
  it('shows the whole of a small tree in one question, and gives what was named, the best first', async () => {
    const { asked, ids, by, fallbackReason, steps } = await search([['12', '1']]);
    expect({ ids, by, fallbackReason }).toEqual({ ids: ['12', '1'], by: 'model', fallbackReason: null });
    expect(steps).toEqual([{ offered: 6, chosen: ['12', '1'] }]);
    expect(asked[0]?.sections.map(({ nodeId, depth, below }) => [nodeId, depth, below])).toEqual([
      ['0', 0, 0],
      ['1', 1, 0],
      ['11', 2, 0],
      ['12', 2, 0],
      ['2', 1, 0],
      ['21', 2, 0],
    ]);
    // What has no text of its own but parts that are shown says nothing more than those.
    expect(asked[0]?.sections.map(({ summary }) => summary)).toEqual([
      '',
      'about 1',
      'about 11',
      'about 12',
      '',
      'about 21',
    ]);
  });

  it('takes the best part of a heading that has no text', async () => {
    expect((await search([['2']])).ids).toEqual(['21']);
    expect((await search([['0']], { query: 'dogs' })).ids).toEqual(['1']);
  });

  it('counts only what was offered, once, and no more than was asked for', async () => {
    const { ids, steps } = await search([['no-such', '12', '12', '11', '21']], { limit: 2 });
    expect(ids).toEqual(['12', '11']);
    expect(steps).toEqual([{ offered: 6, chosen: ['12', '11'] }]);
  });

  it('opens in a second question what did not fit into the first', async () => {
    const { asked, ids, steps } = await search(
      [
        ['3', '4'],
        ['4', '3.7'],
      ],
      { sections: WIDE },
    );
    const [first] = asked;
    expect(first?.sections.filter(({ depth }) => depth === 0)).toHaveLength(20);
    expect(asked[1]?.sections.slice(0, 3).map(({ nodeId, depth }) => [nodeId, depth])).toEqual([
      ['3', 0],
      ['3.0', 1],
      ['3.1', 1],
    ]);
    expect(steps.map(({ offered }) => offered)).toEqual([80, 42]);
    expect(ids).toEqual(['4', '3.7']);
  });

  it.each([
    ['names nothing', [[]], 'no_section_named'],
    ['names what was not offered', [['99', '']], 'no_section_named'],
    ['answers nonsense', [new CasefileError('invalid_answer', 'hm')], 'invalid_answer'],
    ['is out', [new CasefileError('circuit_open', 'later')], 'circuit_open'],
    ['costs more than there is', [new CasefileError('budget_exhausted', 'day:usd')], 'budget_exhausted'],
    ['breaks', [new TypeError('x')], 'unexpected'],
  ])('leaves it to the words when the model %s, and says so', async (_what, answers, fallbackReason) => {
    const found = await search(answers, { limit: 2 });
    expect(found).toMatchObject({ by: 'keywords', fallbackReason, ids: ['21', '11'] });
  });

  it('keeps what the first question found when the second one fails, the rest by words', async () => {
    const down = new CasefileError('server_error', 'down');
    const found = await search([['3', '4'], down], { sections: WIDE, query: 'kind 9' });
    expect(found).toMatchObject({ by: 'model', fallbackReason: 'server_error', ids: ['3.9', '4'] });
  });

  it('R5 falls back for nothing that concerns the worker itself', async () => {
    const stale = new CasefileError('stale_lease', 'another worker has it');
    await expect(search([stale])).rejects.toBe(stale);
    const stop = new AbortController();
    const choose: ChooseSections = async () => {
      stop.abort(new CasefileError('stopping', 'the process stops'));
      throw new Error('cut off');
    };
    const question = { policy: { policyId: 'claims', version: 1 }, query: 'cats', limit: 1 };
    await expect(searchPolicyTree(aPolicyStore(BOOK), question, stop.signal, choose)).rejects.toMatchObject({
      reasonCode: 'stopping',
    });
  });
});

/** A Markdown document's headings as a tree; what is below one begins its summary. */
function treeOf(path: string): PolicyNode[] {
  const above: { nodeId: string; depth: number }[] = [];
  const parts = readFileSync(new URL(path, import.meta.url), 'utf8').split(/^(?=#{1,6} )/m);
  return parts.flatMap((part, i): PolicyNode[] => {
    const [, signs = '', title = '', text = ''] = /^(#{1,6}) (.*)\n([^]*)$/.exec(part) ?? [];
    if (signs === '') return [];
    while ((above.at(-1)?.depth ?? 0) >= signs.length) above.pop();
    const parentId = above.at(-1)?.nodeId ?? null;
    const nodeId = String(i).padStart(4, '0');
    above.push({ nodeId, depth: signs.length });
    const places = { pages: null, lines: null, characters: text.length };
    return [{ nodeId, parentId, level: above.length, title, summary: text.trim().slice(0, 240), ...places }];
  });
}

describe('S4-33 what is offered at once', () => {
  const sizeOf = (offered: ReturnType<typeof policyOutline>): number =>
    offered.reduce((sum, { title, summary, depth }) => sum + title.length + summary.length + 10 + depth, 0);

  it('S4-38 of the sample policy are its headings and what the words point at, the rest below a heading', () => {
    const tree = treeOf('../../../../samples/policies/claims-handling.md');
    const children = treeChildren(tree);
    const likely = tree.at(-3)?.nodeId ?? '';
    const parents = new Map(tree.map(({ nodeId, parentId }) => [nodeId, parentId]));
    const ranks = new Map<string, number>();
    for (let id: string | null | undefined = likely; id; id = parents.get(id)) ranks.set(id, 1);
    const offered = policyOutline(children.get(null) ?? [], children, ranks, 1);
    const shown = new Set(offered.map(({ nodeId }) => nodeId));
    const headings = tree.filter(({ parentId }) => parentId === null || parents.get(parentId) === null);
    expect(headings.every(({ nodeId }) => shown.has(nodeId))).toBe(true);
    expect(shown).toContain(likely);
    // Nothing is lost: what is not shown is counted at what it stands below.
    expect(offered.reduce((sum, { below }) => sum + below, 0)).toBe(tree.length - offered.length);
    expect(sizeOf(offered)).toBeLessThanOrEqual(3_400);
    // There is room for a few summaries: the likeliest by words have theirs.
    expect(offered.find(({ nodeId }) => nodeId === likely)?.summary).not.toBe('');
  });

  it('is never more than its size, whatever the tree is like: the best by words stay, with what they are part of', () => {
    const flat = Array.from({ length: 5_000 }, (_, i) => section(`${i}`, i < 10 ? null : `${i % 10}`, 'x'));
    const children = treeChildren(flat);
    const ranks = new Map([
      ['7', 3],
      ['4987', 3],
    ]);
    const offered = policyOutline(children.get(null) ?? [], children, ranks, 2);
    expect(sizeOf(offered)).toBeLessThanOrEqual(3_400);
    expect(offered.map(({ nodeId }) => nodeId)).toContain('4987');
    const shown = new Set(offered.map(({ nodeId }) => nodeId));
    expect(offered.every(({ nodeId, depth }) => depth === 0 || shown.has(`${Number(nodeId) % 10}`))).toBe(
      true,
    );
    const long = [section('1', null, 'x', 't'.repeat(10_000))].map((node) => ({
      ...node,
      summary: 's'.repeat(5_000),
    }));
    expect(sizeOf(policyOutline(long, treeChildren(long), new Map(), 1))).toBeLessThan(400);
  });
});
