import { CasefileError, draftSchema, type Draft, type Outcome, reasonCodeOf } from '@casefile/contracts';
import { fakePorts, type FakePortsOptions } from '@casefile/pipeline/testing/fake-ports';
import {
  anInput,
  complaints,
  domainRisk,
  evidenceOf,
  failedItem,
  phoneCheck,
  reports,
} from '@casefile/pipeline/testing/scam-builders';
import { playbookStrategy } from '@casefile/pipeline/playbook';
import { scamVerdict } from './playbook.js';

const singleShot = playbookStrategy(scamVerdict, 'single-shot');
const input = anInput(evidenceOf(reports(47), complaints(12), phoneCheck(true)));
const good = '{"riskLevel":"High","confidence":85,"explanation":"47 reports [E1].","evidenceUsed":["E1"]}';
const bad = '{"riskLevel":"certain","confidence":85,"explanation":"x","evidenceUsed":[]}';
const failure = (code: string) =>
  new CasefileError(reasonCodeOf(code), `the provider says ${code}`, { retryable: true });

function draftOf(outcome: Outcome<Draft>): Draft {
  if (outcome.kind !== 'done') throw new Error(`not done but ${outcome.kind}`);
  expect(draftSchema.safeParse(outcome.artifact).success).toBe(true);
  return outcome.artifact;
}
async function reason(options: FakePortsOptions, on = input) {
  const ports = fakePorts({ playbook: scamVerdict, ...options });
  return { ports, draft: draftOf(await singleShot.reason(on, ports)) };
}

describe('single-shot', () => {
  it('S1-60 takes a mocked answer, asked once under one deadline of 5 s', async () => {
    const { ports, draft } = await reason({ script: [good] });
    expect(draft).toMatchObject({
      method: 'llm',
      strategy: 'single-shot',
      promptId: 'scam-verdict/answer@2',
      confidence: 0.85,
    });
    expect(draft.fallbackReason).toBeUndefined();
    expect(ports.model.calls.map((call) => call.step)).toEqual([1]);
    expect(ports.model.drawnFor).toEqual([5_000, 5_000]);
    expect(ports.model.calls[0]!.deadlineAt).toBe(ports.clock.now() + 5_000);
    expect(ports.lines).toEqual([]);
  });

  it('S1-25 asks once more after an invalid answer and says what was wrong', async () => {
    const { ports, draft } = await reason({ script: [bad, good] });
    expect(draft.method).toBe('llm');
    const [first, second] = ports.model.calls;
    expect(second!.step).toBe(2);
    const asked = second!.request.messages.at(-1)!.content;
    expect(asked).toContain('riskLevel: expected one of');
    expect(asked).toContain('"riskLevel":"certain"');
    expect(second!.deadlineAt).toBe(first!.deadlineAt);
  });

  it('S1-20 fences each step with a mark of its own, the same on a second rendering', async () => {
    const markIn = (content: string) => /<<<DATA ([0-9a-f]{16})\n/.exec(content)?.[1];
    const marks = async () =>
      (await reason({ script: [bad, good] })).ports.model.calls.map((call) =>
        markIn(call.request.messages[1]!.content),
      );
    const [one, two] = await marks();
    expect(one).toBeDefined();
    expect(two).not.toBe(one);
    expect(await marks()).toEqual([one, two]);
  });

  it('S1-64 counts the answers that could not be read, also one that was mended', async () => {
    const unreadable = async (...script: Parameters<typeof reason>[0]['script'][]) =>
      Promise.all(script.map(async (one) => (await reason({ script: one })).draft.unreadable));
    expect(await unreadable([good], [bad, good], [bad, bad])).toEqual([undefined, 1, 2]);
  });

  it('S1-60 malformed twice: the heuristic, with both failures on the log', async () => {
    const { ports, draft } = await reason({ script: [bad, 'no json at all'] });
    expect(draft).toMatchObject({
      method: 'heuristic',
      fallbackReason: 'invalid_answer',
      answer: { score: 85, riskLevel: 'high' },
    });
    expect(draft.promptId).toBeUndefined();
    expect(ports.model.calls).toHaveLength(2);
    expect(ports.lines.filter((line) => line.level === 'warn').map((line) => line.facts['reason'])).toEqual([
      'invalid_answer',
      'invalid_answer',
    ]);
  });

  it.each([
    'rate_limited',
    'quota_exhausted',
    'bad_key',
    'timeout',
    'network',
    'server_error',
    'bad_request',
    'refused',
    'circuit_open',
  ])('S1-25 falls back at once on %s, logged with case, provider and reason, never thrown', async (code) => {
    const { ports, draft } = await reason({ script: [failure(code)] });
    expect(draft).toMatchObject({ method: 'heuristic', fallbackReason: code });
    expect(ports.model.calls).toHaveLength(1);
    expect(ports.lines).toEqual([
      expect.objectContaining({
        level: 'warn',
        facts: expect.objectContaining({ caseId: 'case-1', provider: 'fake', reason: code }),
      }),
    ]);
  });

  it('S1-25 also when the retry meets a failing provider, or a bug behind the port', async () => {
    expect((await reason({ script: [bad, failure('server_error')] })).draft.fallbackReason).toBe(
      'server_error',
    );
    expect((await reason({ script: [bad] })).draft.fallbackReason).toBe('unexpected');
  });

  it.each(['empty_answer', 'cut_answer'])('S1-25 takes %s as an invalid answer: one retry', async (code) => {
    const { ports, draft } = await reason({ script: [failure(code), good] });
    expect(draft.method).toBe('llm');
    expect(ports.model.calls).toHaveLength(2);
  });

  it('S1-25 S1-60 one deadline covers both tries: no second call when the first used it up', async () => {
    const { ports, draft } = await reason({ script: [bad, good], msPerCall: 3_000 });
    expect(draft.fallbackReason).toBe('timeout');
    expect(ports.model.calls.map((call) => call.deadlineAt)).toEqual([
      ports.clock.now() - 1_000,
      ports.clock.now() - 1_000,
    ]);
  });

  it('S1-60 a provider that never answers: the heuristic when 5 s are over, and not before', async () => {
    jest.useFakeTimers();
    try {
      const ports = fakePorts({ script: ['never'], clock: { now: () => Date.now() } });
      let settled = false;
      const reasoned = singleShot.reason(input, ports).finally(() => (settled = true));
      await jest.advanceTimersByTimeAsync(4_999);
      expect(settled).toBe(false);
      await jest.advanceTimersByTimeAsync(1);
      expect(draftOf(await reasoned)).toMatchObject({ method: 'heuristic', fallbackReason: 'timeout' });
    } finally {
      jest.useRealTimers();
    }
  });

  it('S1-25 the deadline is an option of the playbook', async () => {
    const { ports } = await reason({ script: [good], settings: { options: { deadlineMs: 800 } } });
    expect(ports.model.drawnFor).toEqual([800, 800]);
  });

  it('S1-62 without any provider the heuristic answers, says so, and nothing is drawn or called', async () => {
    const { ports, draft } = await reason({ script: null });
    expect(draft).toMatchObject({ method: 'heuristic', fallbackReason: 'no_provider' });
    expect(ports.model.drawnFor).toEqual([]);
    expect(ports.lines).toEqual([expect.objectContaining({ level: 'info' })]);
  });

  it.each(['aborted', 'stale_lease', 'stopping', 'store_unreachable'])(
    'hands %s on to the executor',
    async (code) => {
      await expect(singleShot.reason(input, fakePorts({ script: [failure(code)] }))).rejects.toMatchObject({
        reasonCode: code,
      });
    },
  );

  it('hands on whatever was thrown when the stage itself was stopped', async () => {
    const ports = fakePorts({ script: [failure('network')], signal: AbortSignal.abort() });
    await expect(singleShot.reason(input, ports)).rejects.toMatchObject({ reasonCode: 'network' });
  });

  it('waits for the provider where the playbook prefers that, without a deadline', async () => {
    const error = new CasefileError('rate_limited', 'slow down', { retryAfterMs: 7_000 });
    const ports = fakePorts({ script: [error], settings: { onOutage: 'later' } });
    await expect(singleShot.reason(input, ports)).resolves.toEqual({
      kind: 'later',
      delayMs: 7_000,
      reasonCode: 'rate_limited',
    });
    expect(ports.model.drawnFor).toEqual([null]);
  });

  it('S1-60 no evidence, all tools failed and conflicting evidence are put before the model as what they are', async () => {
    const asked = async (on: typeof input) =>
      (await reason({ script: [good] }, on)).ports.model.calls[0]!.request.messages[1]!.content;
    expect(await asked(anInput())).toContain('No evidence was collected.');
    expect(await asked(anInput(evidenceOf(failedItem('exa_search'), failedItem('scam_db'))))).toMatch(
      /(the tool failed[\s\S]*){2}/,
    );
    const conflict = await asked(anInput(evidenceOf(reports(50), domainRisk('low', 0))));
    expect(conflict).toMatch(/50 reports[\s\S]*low risk, 0 engines/);
  });

  it('S1-60 the heuristic answers all of these when the model cannot', async () => {
    const level = async (on: typeof input) =>
      (await reason({ script: [failure('timeout')] }, on)).draft.answer['riskLevel'];
    expect(await level(anInput())).toBe('low');
    expect(await level(anInput(evidenceOf(failedItem('exa_search'), failedItem('scam_db'))))).toBe('low');
    expect(await level(anInput(evidenceOf(reports(50), domainRisk('low'))))).toBe('medium');
  });
});
