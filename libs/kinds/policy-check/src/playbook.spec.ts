import {
  CasefileError,
  criterionResultSchema,
  type CriterionResult,
  type JsonObject,
  reasonCodeOf,
} from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { aPolicyInput, policyTools } from './testing/policy-world.js';
import { call, calls, playTurns, type ScriptedTurn } from '@casefile/pipeline/testing/turn-world';
import { policyCheck, sectionsForRules } from './playbook.js';

const QUOTE = {
  kind: 'quote',
  nodeId: '0002',
  quote: 'A household claim must be notified to us within 30 days of the loss date.',
};
const LOSS = { kind: 'fact', fact: 'loss_date', value: '2026-04-02' };
const finish = (over: JsonObject = {}): ScriptedTurn =>
  calls(
    call('finish', {
      status: 'MET',
      confidence: 0.9,
      rationale: 'Notified on day 18 of 30.',
      citations: [QUOTE, LOSS],
      ...over,
    }),
  );
/** S4-41: the setting that leaves a criterion open after a failure of the model. */
const NO_RULES = { fallback: 'none' };
const look = calls(
  call('pi_search', { query: 'household claim' }, 'a'),
  call('facts_get', { name: 'Loss date' }, 'b'),
);

async function check(script: ScriptedTurn[], options: JsonObject = {}, broken: Record<string, string> = {}) {
  const played = await playTurns({
    playbook: policyCheck,
    input: aPolicyInput(),
    script,
    tools: policyTools(broken),
    options,
    settings: { onOutage: 'fallback' },
  });
  if (played.outcome.kind !== 'done') throw new Error(`it ended in ${played.outcome.kind}`);
  const { answer, ...draft } = played.outcome.artifact;
  return { ...played, draft, result: criterionResultSchema.parse(answer) satisfies CriterionResult };
}

describe('the playbook policy-check', () => {
  it('S4-20 has a result with its sources, what it cost and how it was found', async () => {
    const { result, draft } = await check([look, finish()]);
    expect(result).toMatchObject({
      id: 'c1',
      text: 'Was the claim notified in time?',
      status: 'MET',
      confidence: 0.9,
      reasonCode: null,
      claimed: null,
      refuted: [],
      strategy: 'react',
      citations: [
        { ...QUOTE, title: '4.1 Notice of household claims', pages: { from: 3, to: 3 } },
        { ...LOSS, factIds: ['loss_date#1'] },
      ],
      policy: { policyId: 'claims', version: 2 },
      promptId: 'policy-check/react@2',
      model: 'fake-1',
      iterations: 2,
      tokens: { input: 1_000, output: 100 },
      costUsd: 0.002,
    });
    expect(result.trace.map(({ actions }) => actions.map(({ tool }) => tool))).toEqual([
      ['pi_search', 'facts_get'],
      ['finish'],
    ]);
    expect(draft).toMatchObject({ method: 'llm', strategy: 'react', promptId: 'policy-check/react@2' });
  });

  it('S4-10 S4-11 binds the version of the policy and the facts of the case, which no model chooses', async () => {
    const { recorded } = await check([look, finish()]);
    const [facts, search] = recorded;
    expect(search!.args).toEqual({ query: 'household claim', limit: 4, policyId: 'claims', version: 2 });
    expect(facts!.args['name']).toBe('Loss date');
    // A case may have megabytes of facts: only those that were looked up go on the record with the call.
    expect(facts!.args).toMatchObject({ facts: [{ id: 'loss_date#1' }], known: [] });
    const inVain = call('facts_get', { name: 'cause' });
    const { recorded: missed } = await check([calls(inVain), finish()]);
    expect(missed[0]!.args).toMatchObject({ facts: [], known: expect.arrayContaining(['loss_date']) });
  });

  it('S4-21 reads what is cited in groups that a result can hold: twenty of the longest sections are not too much', async () => {
    const ids = Array.from({ length: 20 }, (_none, i) => `n${i}`);
    const cited = ids.map((nodeId) => ({ ...QUOTE, nodeId }));
    const { recorded, result } = await check([finish({ citations: cited })]);
    const asked = recorded.filter(({ tool }) => tool === 'sections_get').map(({ args }) => args['nodeIds']);
    expect(asked.flat()).toEqual(ids);
    expect(Math.max(...asked.map((some) => (some as string[]).length))).toBeLessThanOrEqual(4);
    expect(result.refuted).toHaveLength(20);
  });

  it('S4-24 tells the model in lines what was found, and keeps the same in the trace', async () => {
    const { result } = await check([look, finish()]);
    const [search, fact] = result.trace[0]!.actions;
    expect(search!.observation).toMatch(
      /^\[0002\] 4\.1 Notice of household claims \(p\. 3\)\n {2}A household claim must/,
    );
    expect(fact!.observation).toBe('fact loss_date#1 = 2026-04-02 (confidence 0.97, form.pdf p. 1)');
  });

  it('S4-38 shows a section once, and as much of it as its place among the found says', async () => {
    const again = calls(call('pi_search', { query: 'notified' }));
    const { result } = await check([look, again, finish()]);
    const [first, second] = result.trace.map(({ actions }) => actions[0]!.observation);
    expect(first).toContain('[0002]');
    expect(second).toMatch(/^\[0002\] 4\.1 Notice of household claims \(p\. 3\): shown above$/m);
  });

  it('S4-21 strikes out what does not hold, lists it, and lowers the confidence', async () => {
    const wrong = {
      ...QUOTE,
      quote: 'A household claim must be notified to us within 90 days of the loss date.',
    };
    const { result } = await check([look, finish({ citations: [QUOTE, LOSS, wrong] })]);
    expect(result.citations).toHaveLength(2);
    expect(result.refuted).toEqual([
      expect.objectContaining({ citation: wrong, state: 'says_otherwise', problem: 'quote_altered' }),
    ]);
    expect(result).toMatchObject({ status: 'MET', claimed: { status: 'MET', confidence: 0.9 } });
    expect(result.confidence).toBeCloseTo(2 / 3);
  });

  it('S4-21 tells a quote that stands in another section from one that stands nowhere', async () => {
    const elsewhere = { ...QUOTE, quote: 'A travel claim must be notified within 21 days of the return.' };
    const made = { ...QUOTE, quote: 'Claims are always paid on the same day, whatever happened.' };
    const search = calls(call('pi_search', { query: 'notified' }));
    const { result } = await check([
      search,
      finish({ citations: [elsewhere, made, { ...QUOTE, nodeId: '0999' }] }),
    ]);
    expect(result.refuted.map(({ problem }) => problem)).toEqual([
      'quote_elsewhere',
      'quote_not_found',
      'unknown_node',
    ]);
  });

  it('S4-21 believes that something is absent only when it was looked up in vain', async () => {
    const absent = { kind: 'absence', of: 'fact', asked: 'waiver' };
    const lookUp = calls(call('facts_get', { name: 'Waiver' }));
    const seen = await check([lookUp, finish({ status: 'UNCERTAIN', citations: [absent] })]);
    expect(seen.result).toMatchObject({ citations: [absent], refuted: [] });
    const unseen = await check([finish({ status: 'UNCERTAIN', citations: [absent] })]);
    expect(unseen.result.refuted).toMatchObject([{ problem: 'never_looked_up' }]);
  });

  it('S4-21 says nothing of quotes when the policy cannot be read: the stage is tried again', async () => {
    const act = check([look, finish()], {}, { sections_get: 'store_error' });
    await expect(act).rejects.toMatchObject({ reasonCode: 'store_error', retryable: true });
  });

  it.each([
    [0.64, 'UNCERTAIN', 'low_confidence'],
    [0.65, 'MET', null],
  ])('S4-22 at confidence %d the criterion is %s', async (confidence, status, reasonCode) => {
    const { result } = await check([look, finish({ confidence })]);
    expect(result).toMatchObject({ status, reasonCode });
  });

  it('S4-15 verifies quotes of a confidential section, keeps them, and says what may leave', async () => {
    const secret = 'Two or more indicators send the claim to Special Review.';
    const search = calls(call('pi_search', { query: 'special review' }));
    const cited = [{ kind: 'quote', nodeId: '0004', quote: secret }];
    const { result } = await check([search, finish({ citations: cited, rationale: `Because ${secret}` })]);
    expect(result).toMatchObject({
      citations: [{ quote: secret, title: '16.2 What follows', confidential: true }],
      rationale: `Because ${secret}`,
      withheld: { nodeIds: ['0004'], rationale: 'Because [words of a confidential section].' },
    });
    expect((await check([look, finish()])).result).not.toHaveProperty('withheld');
  });

  it('S4-22 an answer that cites nothing is not given', async () => {
    const { result } = await check([finish({ citations: [] })]);
    expect(result).toMatchObject({ status: 'UNCERTAIN', confidence: 0, reasonCode: 'low_confidence' });
  });

  it.each<[string, ScriptedTurn[], JsonObject, Record<string, string>]>([
    [
      'no_relevant_nodes',
      [calls(call('pi_search', { query: 'submarine' })), finish({ status: 'UNCERTAIN', citations: [] })],
      {},
      {},
    ],
    ['insufficient_policy_context', [look, finish({ status: 'UNCERTAIN', citations: [LOSS] })], {}, {}],
    ['missing_evidence', [look, finish({ status: 'UNCERTAIN' })], {}, {}],
    ['tool_timeout', [look, finish({ status: 'UNCERTAIN' })], {}, { pi_search: 'tool_timeout' }],
    ['max_iterations_reached', [look, { content: 'no' }], { maxIterations: 1 }, {}],
    ['budget_exceeded', [look, look, { content: 'no' }], { tokenLimit: 1_800, limitMode: 'hard' }, {}],
    ['invalid_schema', [look, finish({ status: 'PERHAPS' })], { maxIterations: 1, ...NO_RULES }, {}],
    ['rate_limit_exceeded', [look, new CasefileError('rate_limited', 'slow')], NO_RULES, {}],
    ['llm_error', [look, new CasefileError('server_error', 'no')], NO_RULES, {}],
    ['refused', [look, new CasefileError('refused', 'no')], NO_RULES, {}],
  ])('S4-32 leaves it UNCERTAIN with the reason code %s', async (reasonCode, script, options, broken) => {
    const { result } = await check(script, options, broken);
    expect(result).toMatchObject({ status: 'UNCERTAIN', reasonCode });
    expect(result.trace.length).toBeGreaterThan(0);
  });

  it.each(['refused', 'server_error', 'rate_limited', 'bad_request'])(
    'S4-31 S4-41 after a failure of the model (%s) the rules are asked unless a setting says otherwise, and it is said',
    async (code) => {
      const script = [look, new CasefileError(reasonCodeOf(code), 'no')];
      const { result, draft } = await check(script);
      expect(result).toMatchObject({ reasonCode: 'llm_fallback', iterations: 1, tokens: { input: 500 } });
      expect(draft).toMatchObject({ method: 'heuristic', confidenceSource: 'heuristic' });
      const off = await check(script, NO_RULES);
      expect(off.draft).toMatchObject({ method: 'llm', confidence: 0, fallbackReason: code });
    },
  );

  it.each(['circuit_open', 'timeout'])(
    'S1-17 S4-31 no model judged where %s met each call',
    async (cause) => {
      const { draft, result } = await check([new CasefileError(reasonCodeOf(cause), 'no')], NO_RULES);
      expect(draft).toMatchObject({ method: 'heuristic', fallbackReason: cause });
      expect(result).toMatchObject({ status: 'UNCERTAIN', reasonCode: 'llm_error', iterations: 0 });
    },
  );

  it('S4-41 a limit that was reached is no failure of the model: the criterion stays open', async () => {
    const { draft } = await check([look, { content: 'no' }], { maxIterations: 1 });
    expect(draft).toMatchObject({ method: 'llm', fallbackReason: 'max_iterations_reached' });
  });

  it('S4-12 continues without exact words when they cannot be found, and tells the model', async () => {
    const tighten = calls(call('spans_tighten', { nodeIds: ['0002'], query: 'days' }));
    const { result } = await check([look, tighten, finish()], {}, { spans_tighten: 'not_configured' });
    expect(result.status).toBe('MET');
    expect(result.trace[1]!.actions[0]).toMatchObject({
      reasonCode: 'not_configured',
      observation: 'error not_configured: it did not come off',
    });
  });

  it('S4-13 takes an answer with nulls and with keys that were not asked for', async () => {
    const citations = [
      { ...QUOTE, page: null, sure: true },
      { ...LOSS, unit: null },
    ];
    const { result } = await check([look, finish({ citations, note: 'x' })]);
    expect(result).toMatchObject({ status: 'MET', refuted: [] });
  });

  it('S4-40 looks sections up by words, for the rules and to compare the answer of a model', () => {
    const { brief } = aPolicyInput();
    for (const over of [
      { strategy: 'react', options: NO_RULES },
      { strategy: 'heuristic', provider: 'none' },
    ])
      expect(
        sectionsForRules({ brief, previous: {}, unit: 'c1', settings: aRunSettings(over) }),
      ).toMatchObject([{ tool: 'sections_search', args: { policyId: 'claims', version: 2, related: true } }]);
  });
});
