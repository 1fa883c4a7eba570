import { fakePorts } from '../testing/fake-ports.js';
import { anInput, evidenceOf, reports } from '../testing/scam-builders.js';
import { heuristic } from './heuristic.js';

describe('the strategy heuristic', () => {
  it("S1-40 is the playbook's own answer, chosen: no model is asked and it is no fallback", async () => {
    const ports = fakePorts({ script: ['never'] });
    const outcome = await heuristic.reason(anInput(evidenceOf(reports(10))), ports);
    expect(outcome).toMatchObject({
      kind: 'done',
      artifact: { strategy: 'heuristic', method: 'heuristic', confidence: 0.4 },
    });
    expect(outcome).not.toHaveProperty('artifact.fallbackReason');
    expect(ports.model.calls).toEqual([]);
  });
});
