import { silentLogger, z } from '@casefile/contracts';
import { someSettings } from '../testing/settings.js';
import { aPolicyStore, BOOK } from '../testing/policy-store.js';
import { createTools } from '../tools/index.js';
import { findFact } from '../tools/get-facts.js';
import { relatedSections } from '../tools/find-sections.js';
import { searchPolicyTree } from './search-policy-tree.js';
import { tightenSpans } from '../tools/tighten-policy-spans.js';
import type { ChooseSections } from './walk-by-model.js';

const policy = { policyId: 'claims', version: 1 };
const never = new AbortController().signal;
const context = { signal: never, clock: { now: () => 0 }, log: silentLogger };
const search = (query: string, limit = 3, chooser?: ChooseSections, sections = BOOK) =>
  searchPolicyTree(aPolicyStore(sections), { policy, query, limit }, never, chooser);
const ids = (answer: Awaited<ReturnType<typeof search>>): string[] =>
  answer.sections.map(({ nodeId }) => nodeId);

describe('S4-10 the search over a policy', () => {
  it('goes down by the ranks of words without a choice by a model, and gives the best first', async () => {
    const answer = await search('cats birds', 2);
    expect(ids(answer)).toEqual(['21', '11']);
    expect(answer.by).toBe('keywords');
    expect(answer.sections[0]).toMatchObject({ path: ['Book', 'Chapter 2'], text: BOOK[5]?.text });
    expect(answer.steps).toEqual([
      { offered: 1, chosen: ['0'] },
      { offered: 2, chosen: ['2', '1'] },
      { offered: 4, chosen: ['21', '11'] },
    ]);
  });

  it('finds the text of a section that has others below it', async () => {
    expect(ids(await search('dogs'))).toEqual(['1']);
  });

  it('finds nothing where no word is, and says so', async () => {
    expect(await search('zebra')).toMatchObject({ sections: [], steps: [{ chosen: ['0'] }, { chosen: [] }] });
  });

  it('is called off, and says which policy it does not know', async () => {
    const signal = AbortSignal.abort(new Error('called off'));
    const question = { policy, query: 'x', limit: 1 };
    await expect(searchPolicyTree(aPolicyStore(), question, signal)).rejects.toThrow('called off');
    const unknown = { ...question, policy: { policyId: 'claims', version: 2 } };
    await expect(searchPolicyTree(aPolicyStore(), unknown, never)).rejects.toMatchObject({
      reasonCode: 'unknown_policy',
    });
    const spans = tightenSpans(aPolicyStore(), { ...unknown, nodeIds: ['0001'] });
    await expect(spans).rejects.toMatchObject({ reasonCode: 'unknown_policy' });
  });
});

describe('S4-11 a fact by its name', () => {
  const facts = [
    { name: 'Repair Estimate', value: 2000, confidence: 0.5 },
    { name: 'repair_estimate', value: 1850, confidence: 0.9 },
    { id: 'f7', name: 'cause', value: 'hose', confidence: 1 },
  ];

  it('has all its readings, the surest first', () => {
    const { readings, known } = findFact(facts, 'repairEstimate');
    expect(readings.map(({ id, value }) => [id, value])).toEqual([
      ['repair_estimate#2', 1850],
      ['repair_estimate#1', 2000],
    ]);
    expect(known).toEqual([]);
    expect(findFact(facts, 'f7').readings).toHaveLength(1);
    expect(findFact([], 'cause', ['loss_date'])).toMatchObject({ readings: [], known: ['loss_date'] });
  });

  it('that is not known is answered with the names there are', () => {
    expect(findFact(facts, 'Weather')).toEqual({
      name: 'weather',
      readings: [],
      known: ['cause', 'repair_estimate'],
    });
  });
});

describe('S4-04 the tools of a policy check', () => {
  const tools = createTools(someSettings(), {
    scamReports: { find: async () => null },
  });
  const named = (name: string) => tools.find((tool) => tool.name === name);

  it.each(['pi_search', 'facts_get', 'spans_tighten'])(
    '%s asks a model for what a strict schema says',
    (name) => {
      const asks = named(name)?.asks;
      if (asks === undefined) throw new Error('no schema');
      const schema = z.toJSONSchema(asks, { io: 'input' });
      expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
      // What the strategy binds is not the model's to choose.
      for (const bound of ['policyId', 'version', 'facts'])
        expect(schema.properties).not.toHaveProperty(bound);
    },
  );

  it('S4-12 without policies are a gap with its reason, no crash', async () => {
    const args = { ...policy, query: 'x', nodeIds: ['0001'] };
    const tool = named('spans_tighten');
    await expect(tool?.run(args, context)).rejects.toMatchObject({ reasonCode: 'not_configured' });
  });
});

describe('S4-14 the version of a policy', () => {
  const getPolicyOf = (policies = aPolicyStore()) =>
    createTools(someSettings(), {
      scamReports: { find: async () => null },
      policies,
    }).find(({ name }) => name === 'policy_get');

  it('that is not there is a failure that says how to import it', async () => {
    await expect(getPolicyOf()?.run({ policyId: 'fleet' }, context)).rejects.toMatchObject({
      reasonCode: 'unknown_policy',
      message: 'There is no policy "fleet"; import it with: casefile import policy FILE',
    });
    await expect(getPolicyOf()?.run({ policyId: 'claims', version: 7 }, context)).rejects.toThrow(
      'There is no version 7 of a policy "claims"',
    );
  });
});

describe('S4-40 sections that may change what others say', () => {
  const section = (nodeId: string, parentId: string | null, title: string, text: string) => ({
    nodeId,
    parentId,
    level: 1,
    title,
    text,
    pages: null,
    lines: null,
    summary: '',
    characters: 0,
  });
  const RULES = [
    section('1', null, '4 Notice', ''),
    section('11', '1', '4.1 Household', 'Within 30 days.'),
    section('12', '1', '4.2 Travel', 'Within 21 days.'),
    section('2', null, '14.1 Other', 'It has 4.1 grams, as section 14.1 says.'),
    section('3', null, '18 Vulnerable', 'See section 9.'),
    section('31', '3', '18.1 Who', 'After a stay in hospital.'),
    section('32', '3', '18.2 More time', 'The periods in sections 4.1 and 4.2 are doubled.'),
    section('4', null, '20 Fairs', 'Nothing in section 4 counts at a fair.'),
  ];
  const related = async (...found: string[]) => {
    const store = aPolicyStore(RULES);
    const sections = RULES.filter(({ nodeId }) => found.includes(nodeId)).map((one) => ({
      ...one,
      path: [],
    }));
    return (await relatedSections(store, policy, 'notice', sections)).map(({ nodeId }) => nodeId);
  };

  it('are those that name one of them, or what it is a part of, and their siblings', async () => {
    expect(await related('11')).toEqual(['31', '32', '4']);
    expect(await related('11', '12', '31')).toEqual(['32', '4']);
  });

  it('S4-40 are all others of a small policy, and of a large one those that fit', async () => {
    const ofSize = async (characters: number) => {
      const sized = RULES.map((one) => ({ ...one, characters }));
      const found = sized.filter(({ nodeId }) => nodeId === '11').map((one) => ({ ...one, path: [] }));
      return (await relatedSections(aPolicyStore(sized), policy, 'notice', found)).map(
        ({ nodeId }) => nodeId,
      );
    };
    expect(await ofSize(500)).toEqual(expect.arrayContaining(['1', '12', '2', '3', '31', '32', '4']));
    expect(await ofSize(20_000)).toHaveLength(4);
  });

  it('are none where nothing is named, or nothing has a number', async () => {
    expect(await related('4')).toEqual([]);
    expect(await related()).toEqual([]);
    const [book] = BOOK.slice(3, 4).map((one) => ({ ...one, path: [] }));
    expect(
      await relatedSections(aPolicyStore(BOOK), policy, 'zzz', [book!]).then((all) =>
        all.filter(({ nodeId }) => nodeId === book!.nodeId),
      ),
    ).toEqual([]);
  });

  it.each([
    [{ related: true }, { related: [{ nodeId: '31' }, { nodeId: '32', path: ['18 Vulnerable'] }, {}] }],
    [{}, { nodes: [{ nodeId: '11' }] }],
  ])('are shown by the search that is asked for them: %j', async (asked, result) => {
    const tool = createTools(someSettings(), {
      scamReports: { find: async () => null },
      policies: aPolicyStore(RULES),
    }).find(({ name }) => name === 'sections_search');
    const found = await tool?.run({ ...policy, query: '30', limit: 1, ...asked }, context);
    expect(found).toMatchObject({ result });
    expect(Object.hasOwn(Object(found?.result), 'related')).toBe('related' in asked);
  });
});
