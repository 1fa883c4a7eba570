import { messageScreening, rules as screeningRules } from '@casefile/message-screening/playbook';
import { rules as scamRules } from '@casefile/scam-verdict/playbook';
import { fakePorts } from '@casefile/pipeline/testing/fake-ports';
import { anInput, evidenceOf, reports, textSignals } from '@casefile/pipeline/testing/scam-builders';
import { aScreeningInput } from '@casefile/message-screening/testing/screening-builders';
import { byRules } from '@casefile/pipeline/strategies/one-answer';

describe('a strategy by rules', () => {
  it("S1-40 is the kind's own answer, chosen: no model is asked and it is no fallback", async () => {
    const ports = fakePorts({ script: ['never'] });
    const outcome = await byRules('heuristic', scamRules).reason(anInput(evidenceOf(reports(10))), ports);
    expect(outcome).toMatchObject({
      kind: 'done',
      artifact: { strategy: 'heuristic', method: 'heuristic', confidence: 0.4 },
    });
    expect(outcome).not.toHaveProperty('artifact.fallbackReason');
    expect(ports.model.calls).toEqual([]);
  });

  it('S3-44 signs its draft with the name that it was chosen by', async () => {
    const ports = fakePorts({ playbook: messageScreening, script: ['never'] });
    const input = aScreeningInput(evidenceOf(textSignals('threat', 'asks_fee')));
    const outcome = await byRules('rules', screeningRules).reason(input, ports);
    expect(outcome).toMatchObject({
      kind: 'done',
      artifact: { strategy: 'rules', answer: { isScam: true } },
    });
    expect(outcome).not.toHaveProperty('artifact.fallbackReason');
    expect(ports.model.calls).toEqual([]);
  });
});
