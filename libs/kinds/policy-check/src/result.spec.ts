import { verdictSchema, type JsonObject, type PolicySection } from '@casefile/contracts';
import { aCriterionResult } from './testing/policy-builders.js';
import { outwardVerdict } from './outward.js';
import { withheldOf } from './result.js';

const SECRET = 'Two or more indicators that count send the claim to Special Review within 2 working days.';
const node = { nodeId: '0075', title: '16.2 What follows', pages: null, text: SECRET };
const searched = (confidential: boolean) => ({
  found: 1,
  nodes: [{ ...node, ...(confidential ? { confidential: true } : {}) }],
});

describe('S4-15 what is withheld of a result', () => {
  it('is nothing where no confidential section was looked at', () => {
    expect(withheldOf({ rationale: SECRET }, [searched(false), null, 'odd'])).toEqual({});
  });

  it('are the words of confidential sections in the rationale, whatever their case and signs', () => {
    const rationale =
      'It counts: two OR more indicators, that "count", so Special Review is due. 3 of 6 apply.';
    const { withheld } = withheldOf({ rationale }, [searched(true)]);
    expect(withheld).toEqual({
      nodeIds: ['0075'],
      rationale: 'It counts: [words of a confidential section]", so Special Review is due. 3 of 6 apply.',
    });
    const section = { ...node, confidential: true } as unknown as PolicySection;
    expect(withheldOf({ rationale: SECRET }, [], new Map([['0075', section]])).withheld?.rationale).toBe(
      '[words of a confidential section].',
    );
  });

  it('leaves Casefile as id and title alone, while the record keeps it', () => {
    const action = (tool: string, observation: string) => ({
      tool,
      args: { citations: [SECRET] },
      observation,
      cut: false,
      cached: false,
      reasonCode: null,
      toolCallId: null,
      durationMs: null,
    });
    const result = aCriterionResult({
      rationale: `The policy says: ${SECRET}`,
      citations: [
        { kind: 'quote', nodeId: '0075', quote: SECRET, title: node.title, pages: null, confidential: true },
        { kind: 'quote', nodeId: '0001', quote: 'All may read this.', title: '1', pages: null },
      ],
      refuted: [
        {
          citation: { kind: 'quote', nodeId: '0074', quote: SECRET },
          state: 'says_otherwise',
          problem: 'quote_elsewhere',
          instead: [SECRET],
        },
      ],
      trace: [
        {
          iteration: 1,
          step: 1,
          forced: false,
          thought: SECRET,
          tokens: { input: 1, output: 1 },
          costUsd: 0,
          actions: [action('pi_search', SECRET), action('finish', ''), action('facts_get', 'fact a#1 = 1')],
        },
      ],
      ...withheldOf({ rationale: `The policy says: ${SECRET}` }, [searched(true)]),
    });
    const verdict = verdictSchema.parse({
      outcome: { status: 'MET', criteria: [result] as unknown as JsonObject[] },
      disposition: 'dismiss',
      confidence: 0.9,
      confidenceSource: 'llm',
      method: 'llm',
      reasons: [],
      citations: [],
      degraded: false,
      decidedAt: 'now',
    });
    const sent = JSON.stringify(outwardVerdict(verdict));
    expect(sent).not.toMatch(/indicators|Special Review/);
    for (const kept of ['0075', '16.2 What follows', 'All may read this.', 'facts_get', '(confidential)'])
      expect(sent).toContain(kept);
    expect(JSON.stringify(verdict)).toContain(SECRET);
  });
});
