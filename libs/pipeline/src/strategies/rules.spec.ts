import { messageScreening } from '../playbooks/message-screening.js';
import { fakePorts } from '../testing/fake-ports.js';
import { evidenceOf, textSignals } from '../testing/scam-builders.js';
import { aScreeningInput } from '../testing/screening-builders.js';
import { rules } from './rules.js';

describe('the strategy rules', () => {
  it('S3-44 chosen, it judges without a model and it is no fallback', async () => {
    const settings = { strategy: 'rules' };
    const ports = fakePorts({ playbook: messageScreening, script: ['never'], settings });
    const outcome = await rules.reason(aScreeningInput(evidenceOf(textSignals('threat', 'asks_fee'))), ports);
    expect(outcome).toMatchObject({
      kind: 'done',
      artifact: { strategy: 'rules', answer: { isScam: true } },
    });
    expect(outcome).not.toHaveProperty('artifact.fallbackReason');
    expect(ports.model.calls).toEqual([]);
  });
});
