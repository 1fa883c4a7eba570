import { CasefileError, draftSchema, type Draft, type Outcome, reasonCodeOf } from '@casefile/contracts';
import { messageScreening } from './playbook.js';
import { fakePorts, type FakePortsOptions } from '@casefile/pipeline/testing/fake-ports';
import { evidenceOf, failedItem, textSignals } from '@casefile/pipeline/testing/scam-builders';
import { aMatch, aScreeningAnswer, aScreeningInput, similarScams } from './testing/screening-builders.js';
import { playbookStrategy } from '@casefile/pipeline/playbook';

const settings = { tools: [...messageScreening.tools], options: messageScreening.options.defaults };
const good = JSON.stringify(aScreeningAnswer());
const bad = JSON.stringify(aScreeningAnswer({ confidence: 900 }));

function draftOf(outcome: Outcome<Draft>): Draft {
  if (outcome.kind !== 'done') throw new Error(`no draft: ${outcome.kind}`);
  return draftSchema.parse(outcome.artifact);
}
async function reason(options: FakePortsOptions, input = aScreeningInput()) {
  const ports = fakePorts({ playbook: messageScreening, settings, ...options });
  return { ports, draft: draftOf(await playbookStrategy(messageScreening, 'grounded').reason(input, ports)) };
}
const safe = (fallbackReason: string) => ({
  strategy: 'grounded',
  method: 'heuristic',
  confidence: 0,
  fallbackReason,
  answer: expect.objectContaining({ isScam: false, confidence: 0 }),
});

describe('the strategy grounded', () => {
  it('S3-13 asks the question of the mode and takes its answer', async () => {
    const { ports, draft } = await reason({ script: [good] });
    expect(draft).toMatchObject({
      method: 'llm',
      strategy: 'grounded',
      promptId: 'message-screening/normal@1',
      confidence: 0.9,
      answer: { isScam: true, matchedPatterns: ['kyc-expired'] },
      evidenceUsed: ['E1'],
    });
    expect(ports.model.calls).toHaveLength(1);
    expect(ports.model.drawnFor).toEqual([10_000, 10_000]);
  });

  it('S3-20 in strict mode asks the strict question, without any evidence', async () => {
    const input = aScreeningInput({ items: [] }, { mode: 'strict', language: { code: 'ta', certainty: 1 } });
    const { ports, draft } = await reason({ script: [good] }, input);
    expect(draft.promptId).toBe('message-screening/strict@1');
    expect(ports.model.calls[0]!.request.promptId).toBe('message-screening/strict@1');
  });

  it('S3-41 one repair: told what was wrong, the second answer counts', async () => {
    const { ports, draft } = await reason({ script: [bad, good] });
    expect(draft.method).toBe('llm');
    expect(ports.model.calls[1]!.request.messages.at(-1)!.content).toContain(
      'confidence: expected a number from 0 to 1',
    );
  });

  it('S3-41 unreadable twice: the safe default', async () => {
    expect((await reason({ script: [bad, 'none'] })).draft).toMatchObject(safe('invalid_answer'));
  });

  it.each(['timeout', 'server_error', 'quota_exhausted', 'refused', 'circuit_open'])(
    'S3-41 the model is down (%s): the safe default',
    async (code) => {
      expect((await reason({ script: [new CasefileError(reasonCodeOf(code), 'down')] })).draft).toMatchObject(
        safe(code),
      );
    },
  );

  it('S3-41 retrieval is down: the safe default, and no model is paid', async () => {
    const input = aScreeningInput(evidenceOf(failedItem('find_similar_scams', 'network')));
    const { ports, draft } = await reason({ script: ['never'] }, input);
    expect(draft).toMatchObject(safe('retrieval_failed'));
    expect(ports.model.calls).toEqual([]);
    expect(ports.lines).toEqual([expect.objectContaining({ level: 'warn' })]);
  });

  it('a gap that upstream handed in is not the retrieval of this run', async () => {
    const input = aScreeningInput(evidenceOf(failedItem('their_own_tool')));
    expect((await reason({ script: [good] }, input)).draft.method).toBe('llm');
  });

  it('S3-41 without a text: the safe default', async () => {
    const empty = aScreeningInput({ items: [] }, { text: ' ', textSource: 'none', mode: 'strict' });
    expect((await reason({ script: ['never'] }, empty)).draft).toMatchObject(safe('no_text'));
  });

  const read = evidenceOf(textSignals('asks_money', 'threat'), similarScams(aMatch()));

  it('S3-44 without a provider the rules judge; that none is configured is no failure', async () => {
    expect((await reason({ script: null }, aScreeningInput(read))).draft).toMatchObject({
      strategy: 'rules',
      method: 'heuristic',
      confidenceSource: 'heuristic',
      fallbackReason: 'no_provider',
      answer: { isScam: true },
      remarks: ['judged_by_rules'],
    });
  });

  it('S3-41 S3-44 after a failure nothing is judged, unless the options say that the rules are', async () => {
    const down = { script: [new CasefileError('timeout', 'late')] };
    expect((await reason(down, aScreeningInput(read))).draft).toMatchObject(safe('timeout'));
    const options = { ...messageScreening.options.defaults, onFailure: 'rules' };
    const { draft } = await reason({ ...down, settings: { ...settings, options } }, aScreeningInput(read));
    expect(draft).toMatchObject({ fallbackReason: 'timeout', method: 'heuristic', answer: { isScam: true } });
  });

  it('refuses a playbook without a question for the mode', async () => {
    const ports = fakePorts({ playbook: messageScreening, settings, script: [good] });
    const act = playbookStrategy(messageScreening, 'grounded').reason(
      aScreeningInput(undefined, { mode: 'other' }),
      ports,
    );
    await expect(act).rejects.toMatchObject({ reasonCode: 'bad_playbook' });
  });
});
