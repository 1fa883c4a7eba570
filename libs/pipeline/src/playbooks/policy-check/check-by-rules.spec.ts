import { citableFacts, criterionResultSchema, type JsonObject } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { aPolicyInput } from '../../testing/policy-world.js';
import { evidenceOf } from '../../testing/scam-builders.js';
import { policyCheck } from '../policy-check.js';

describe('a check by the rules', () => {
  const read = { confidence: 0.97, document: 'form.pdf', page: 1 };
  const facts = citableFacts([
    { name: 'claim_kind', value: 'household', ...read },
    { name: 'loss_date', value: '2026-04-02', ...read },
    { name: 'notified_on', value: '2026-04-20', ...read },
  ]) as unknown as JsonObject[];
  const byRules = (options: JsonObject) => {
    const text = 'Was the claim notified within the period that applies to it?';
    const node = {
      ...{ nodeId: '0002', title: '4.1 Notice of household claims', path: [], pages: null, cut: false },
      text: 'A household claim must be notified to us within 30 days of the loss date.',
    };
    const evidence = evidenceOf({ toolName: 'sections_search', result: { found: 1, nodes: [node] } });
    const input = { ...aPolicyInput({ criteria: [{ id: 'c1', text }], facts }), evidence };
    const settings = aRunSettings({ options });
    return criterionResultSchema.parse(policyCheck.rules.answer(input, 'c1', settings).answer);
  };

  it('S4-21 S4-40 holds its citations against what was found', () => {
    const result = byRules({});
    expect(result).toMatchObject({ status: 'MET', strategy: 'heuristic', refuted: [], reasonCode: null });
    expect(result.citations.map(({ kind }) => kind)).toContain('quote');
  });

  it('S4-22 S4-40 is held to the figures of its run', () => {
    expect(byRules({ abstainBelow: 0.99 })).toMatchObject({
      status: 'UNCERTAIN',
      reasonCode: 'low_confidence',
    });
  });
});
