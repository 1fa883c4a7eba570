import type { JsonObject } from '@casefile/contracts';
import { exampleCase, playbooks } from '@casefile/pipeline';
import { verdictFacts } from './stage-facts.js';

describe('what the log says of a verdict', () => {
  it('S1-64 is its outcome, answer, confidence and method, in the words of its kind of case', () => {
    const [scamVerdict] = playbooks;
    const { presenting } = scamVerdict!;
    expect(verdictFacts(exampleCase.verdict, presenting)).toEqual({
      disposition: 'act',
      outcome: 'scam',
      answer: 'high risk',
      confidence: 0.91,
      method: 'llm',
      degradedBy: [],
      degradedNote: '',
    });
  });

  it('S1-64 has words for a verdict of any kind, whatever its outcome holds', () => {
    const { verdict } = exampleCase;
    const outcomes: JsonObject[] = [{}, { action: 3 }, { status: null }, { riskLevel: [] }];
    for (const { presenting } of playbooks)
      for (const outcome of outcomes)
        expect(verdictFacts({ ...verdict, outcome }, presenting)).toMatchObject({
          outcome: expect.any(String),
          answer: expect.any(String),
        });
  });
});
