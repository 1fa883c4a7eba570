import { testRecord } from '@casefile/store/testing';
import { aPolicy, aSection as section, digest } from '../testing/subjects.js';
import { MAX_SECTION_TEXT, type PolicyInput } from './policy-base.js';
import { postgresPolicies } from './postgres-policies.js';

const changed = (text: string): PolicyInput =>
  aPolicy({ sections: [section('0001', null, 'Notice', text)], sourceDigest: digest(text) });

const record = testRecord();
const base = () => postgresPolicies(record().store.database);

describe('policy documents', () => {
  it('S4-15 keep which sections are confidential, and another mark is another version', async () => {
    const store = base();
    const [first, ...others] = aPolicy().sections;
    const sections = [{ ...first!, confidential: true as const }, ...others];
    await store.importPolicy(aPolicy());
    expect(await store.importPolicy(aPolicy({ sections }))).toMatchObject({ version: 2, outcome: 'new' });
    const key = { policyId: 'claims', version: 2 };
    const marks = (list: { confidential?: true }[]) => list.map(({ confidential }) => confidential);
    expect(marks(await store.policyTree(key))).toEqual([true, undefined, undefined, undefined]);
    expect(marks(await store.policySections(key, ['0001', '0002']))).toEqual([true, undefined]);
    expect(marks(await store.policyTree({ ...key, version: 1 }))).not.toContain(true);
  });

  it('S4-14 are kept with their tree of sections, pages and texts', async () => {
    const store = base();
    expect(await store.importPolicy(aPolicy())).toEqual({ policyId: 'claims', version: 1, outcome: 'new' });
    expect(await store.policyVersion('claims')).toMatchObject({
      policyId: 'claims',
      version: 1,
      title: 'Claims',
      language: 'en',
      format: 'markdown',
      source: 'claims.md',
      pages: null,
      sections: 4,
      importedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const tree = await store.policyTree({ policyId: 'claims', version: 1 });
    expect(tree.map(({ nodeId, parentId, title }) => [nodeId, parentId, title])).toEqual([
      ['0001', null, 'Notice'],
      ['0002', '0001', 'Household'],
      ['0003', '0001', 'Travel'],
      ['0004', null, 'Excess'],
    ]);
    expect(tree[1]).not.toHaveProperty('text');
    expect(tree[1]).toMatchObject({ pages: { from: 2, to: 2 }, lines: null, characters: 67 });
    const sections = await store.policySections({ policyId: 'claims', version: 1 }, ['0004', '0002', '0099']);
    expect(sections.map(({ nodeId, text }) => [nodeId, text.slice(0, 6)])).toEqual([
      ['0002', 'A clai'],
      ['0004', 'Escape'],
    ]);
  });

  it('S4-14 the same text is the same version, another text a new one, an earlier one is restored', async () => {
    const store = base();
    await store.importPolicy(aPolicy());
    const renamed = aPolicy({ source: 'other.md', sourceDigest: digest('other') });
    expect(await store.importPolicy(renamed)).toMatchObject({ version: 1, outcome: 'unchanged' });
    expect(await store.importPolicy(changed('Another rule.'))).toMatchObject({
      version: 2,
      outcome: 'new',
    });
    expect(await store.policyVersion('claims')).toMatchObject({ version: 2, sections: 1 });
    expect(await store.policyTree({ policyId: 'claims', version: 1 })).toHaveLength(4);
    expect(await store.importPolicy(aPolicy())).toMatchObject({ version: 1, outcome: 'restored' });
    expect((await store.listPolicies()).map(({ policyId, version }) => [policyId, version])).toEqual([
      ['claims', 1],
    ]);
  });

  it('S4-14 know the file they came from, so that it need not be read again', async () => {
    const store = base();
    await store.importPolicy(aPolicy());
    expect(await store.policyOfSource('claims', digest('claims'))).toMatchObject({ version: 1 });
    expect(await store.policyOfSource('claims', digest('x'))).toBeNull();
    expect(await store.policyOfSource('other', digest('claims'))).toBeNull();
    await store.importPolicy(changed('Another rule.'));
    expect(await store.policyOfSource('claims', digest('claims'))).toBeNull();
    await store.importPolicy(aPolicy({ sourceDigest: digest('resaved') }));
    expect(await store.policyOfSource('claims', digest('resaved'))).toMatchObject({ version: 1 });
  });

  it('S4-14 imports at once of one text are one version', async () => {
    const store = base();
    const texts = ['one rule', 'another rule'];
    const done = await Promise.all(
      [0, 1, 0, 1, 0, 1].map((i) => store.importPolicy(changed(texts[i] ?? ''))),
    );
    expect(new Set(done.map(({ version }) => version)).size).toBe(2);
    expect(done.filter(({ outcome }) => outcome === 'new')).toHaveLength(2);
  });

  it('S4-14 are refused as a whole, with every wrong field named', async () => {
    const store = base();
    const [first, second, ...others] = aPolicy().sections;
    if (first === undefined || second === undefined) throw new Error('no sections');
    const sections = [
      { ...first, parentId: '0002' },
      { ...second, level: 0 },
      ...others,
      { ...first, text: 'x'.repeat(MAX_SECTION_TEXT + 1) },
    ];
    const paths = async (input: PolicyInput): Promise<string[]> => {
      const error: unknown = await store.importPolicy(input).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ reasonCode: 'invalid_input' });
      return (error as { problems: { path: string }[] }).problems.map(({ path }) => path);
    };
    expect(await paths(aPolicy({ policyId: 'No Id', title: ' ', sections }))).toEqual([
      'policyId',
      'title',
      'sections[1].level',
      'sections[4].text',
    ]);
    // A circle cannot be told in this form: a parent stands before its child.
    const circle = [
      { ...first, parentId: '0002' },
      { ...second, parentId: '0001' },
    ];
    expect(await paths(aPolicy({ sections: circle }))).toEqual(['sections[0].parentId']);
    expect(await paths(aPolicy({ sections: [first, { ...second, nodeId: '0001' }] }))).toEqual([
      'sections[1].nodeId',
    ]);
    expect(await paths(aPolicy({ sections: [first] }))).toEqual(['sections']);
    expect(await store.listPolicies()).toEqual([]);
  });

  it('S4-10 take better summaries without becoming another version', async () => {
    const store = base();
    const key = { policyId: 'claims', version: 1 };
    await store.importPolicy(aPolicy());
    const by = 'openai/m-1';
    const given = ['0002', '0003', '0099'].map((nodeId) => ({
      nodeId,
      summary: `what ${nodeId} says`,
      ...(nodeId === '0002' ? { by } : {}),
    }));
    expect(await store.saveSummaries(key, given)).toBe(2);
    const tree = await store.policyTree(key);
    expect(tree.map(({ summaryBy }) => summaryBy)).toEqual([null, by, null, null]);
    expect((await store.policySections(key, ['0002']))[0]).toMatchObject({ summaryBy: by });
    const summaries = tree.map(({ summary }) => summary);
    expect(summaries.slice(1, 3)).toEqual(['what 0002 says', 'what 0003 says']);
    expect(summaries[3]).toBe('Escape of water carr');
    expect(await store.importPolicy(aPolicy())).toMatchObject({ version: 1, outcome: 'unchanged' });
    expect((await store.policyTree(key))[1]?.summary).toBe('what 0002 says');
    const long = [{ nodeId: '0002', summary: 'x'.repeat(5_001) }];
    await expect(store.saveSummaries(key, long)).rejects.toMatchObject({
      problems: [{ path: '[0].summary' }],
    });
  });

  it('S4-10 are searched for any word, the telling ones first, within one version', async () => {
    const store = base();
    await store.importPolicy(aPolicy());
    await store.importPolicy(
      aPolicy({ policyId: 'other', sections: [section('0001', null, 'Water', 'excess water')] }),
    );
    const key = { policyId: 'claims', version: 1 };
    const found = await store.searchPolicy(key, 'claim excess water', 10);
    expect(found[0]?.nodeId).toBe('0004');
    expect(found.map(({ nodeId }) => nodeId)).toEqual(expect.arrayContaining(['0002', '0003']));
    expect(await store.searchPolicy(key, 'claim excess water', 1)).toHaveLength(1);
    expect(await store.searchPolicy(key, 'zebra', 10)).toEqual([]);
    expect(await store.searchPolicy(key, ` ' \\ & | ! ( :* <-> `, 10)).toEqual([]);
    expect(await store.searchPolicy({ ...key, version: 9 }, 'water', 10)).toEqual([]);
  });

  it('S4-12 give the exact spans of given sections, word for word', async () => {
    const store = base();
    await store.importPolicy(aPolicy());
    const key = { policyId: 'claims', version: 1 };
    const spans = await store.findSpans(key, ['0002', '0003'], '30 days', 10);
    expect(spans[0]).toMatchObject({
      nodeId: '0002',
      text: 'A claim is made within 30 days of the loss.',
      start: 0,
    });
    expect(spans.map(({ nodeId }) => nodeId)).not.toContain('0004');
    const row = await store.findSpans(key, ['0003'], 'cash', 10);
    expect(row).toMatchObject([{ text: '| Cash on a trip | £300 |', start: 45 }]);
    expect(await store.findSpans(key, ['0004', 'no-such'], 'zebra', 10)).toEqual([]);
    expect(await store.findSpans(key, [], 'claim', 10)).toEqual([]);
  });

  it('S4-14 hold whatever characters a text has', async () => {
    const store = base();
    const text = 'null \u0000 half \ud800 𝒳 "quoted" \\ done';
    await store.importPolicy(aPolicy({ sections: [section('0001', null, 'Odd', text)] }));
    const [odd] = await store.policySections({ policyId: 'claims', version: 1 }, ['0001']);
    expect(odd?.text).toBe('null \u2400 half \ufffd 𝒳 "quoted" \\ done');
  });
});
