import type { InlineToolCall } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { testRecord } from '../testing/test-record.js';
import { advanceTo, aResult, aVerdict, type StoreBench } from '../testing/store-bench.js';

const aCall = (id: string, over: Partial<InlineToolCall> = {}): InlineToolCall => ({
  id,
  step: 1,
  seq: 0,
  tool: 'look_up',
  args: { of: 'x' },
  state: 'succeeded',
  attempts: 1,
  result: { found: true },
  source: null,
  reasonCode: null,
  message: null,
  durationMs: 3,
  ...over,
});

/** Creates a decided case with one model call and one tool call on its record. */
async function recorded(bench: StoreBench) {
  const { caseId, runId, alertId } = await bench.accept();
  const { lease } = await bench.claim(runId);
  const intent = bench.intent(lease);
  await bench.store.interactions.intend(intent);
  const settledAt = '2026-01-05T10:00:07.000Z';
  await bench.commit(lease, advanceTo('decide'), {
    results: [aResult(intent.interaction.id)],
    inlineToolCalls: [aCall(bench.ids.id(), { settledAt })],
  });
  await bench.decide(runId, { stage: 'decide', body: aVerdict('block') });
  return { caseId, runId, alertId, answer: intent.interaction.id, settledAt };
}

const at = testRecord();

const opening = (bench: StoreBench, of: { caseId: string; runId: string }) => ({
  caseId: of.caseId,
  runId: bench.ids.id(),
  over: of.runId,
  leads: false,
  lane: 'batch' as const,
  settings: aRunSettings({ outward: false, recorded: { run: of.runId, first: of.runId, misses: 'ask' } }),
  firstStage: 'triage',
});

describe('a run that is made again', () => {
  it('S4-62 leaves its case as it is, from its opening to its verdict, and is opened once under its id', async () => {
    const { bench, store } = at();
    const base = await recorded(bench);
    const [before] = (await store.record.listCases({ limit: 1 })).items;
    const request = opening(bench, base);
    await store.runs.open(request);
    await store.runs.open(request);
    const opened = (await bench.events()).filter(
      ({ type, runId }) => type === 'run.created' && runId === request.runId,
    );
    expect(opened).toHaveLength(1);
    expect(await store.record.getCase(base.caseId)).toMatchObject({
      status: 'decided',
      leadingRunId: base.runId,
    });
    await bench.decide(request.runId, { body: aVerdict('other'), deliveryId: null });
    const after = await store.record.getCase(base.caseId);
    expect(after).toMatchObject({ status: 'decided', leadingRunId: base.runId });
    expect(after?.runs.map(({ verdict }) => verdict?.outcome)).toEqual([
      { action: 'block' },
      { action: 'other' },
    ]);
    const [summary] = (await store.record.listCases({ limit: 1 })).items;
    expect(summary?.run).toEqual(before?.run);
    expect((await store.record.listCases({ limit: 1, action: 'block' })).items).toHaveLength(1);
    expect(await store.deliveries.of(request.runId)).toBeNull();
  });

  it('S4-62 is over the alert of the run that it makes again, and of no other case', async () => {
    const { bench, store } = at();
    const [base, other] = [await recorded(bench), await recorded(bench)];
    await store.runs.open(opening(bench, base));
    expect((await store.record.getCase(base.caseId))?.runs[1]?.alertId).toBe(base.alertId);
    const wrong = { ...opening(bench, base), over: other.runId };
    await expect(store.runs.open(wrong)).rejects.toMatchObject({ reasonCode: 'unknown_case' });
  });

  it('R18 S4-62 copies the answers that it read, at no cost, and each once', async () => {
    const { bench, store, other } = at();
    const base = await recorded(bench);
    const { runId } = await store.runs.open(opening(bench, base));
    const { lease } = await bench.claim(runId);
    const read = { id: bench.ids.id(), of: base.answer, step: 1, attempt: 1, toolCallId: null };
    const [call, ofCall] = [bench.ids.id(), bench.ids.id()];
    const answersRead = [read, { ...read, id: bench.ids.id() }, { ...read, id: ofCall, toolCallId: call }];
    const before = (await store.record.pipelineFigures()).models;
    await bench.commit(lease, advanceTo('decide'), {
      answersRead,
      inlineToolCalls: [aCall(call, { readFrom: base.runId, settledAt: base.settledAt })],
    });
    const [first, again] = [(await store.record.getRun(base.runId))!, (await store.record.getRun(runId))!];
    const [made] = first.interactions;
    expect(made).toMatchObject({ state: 'completed', readFrom: null });
    const { createdAt: _made, ...answer } = made!;
    expect(again.interactions).toHaveLength(2);
    for (const [i, one] of again.interactions.entries()) {
      const { createdAt: _read, ...rest } = one;
      const ids = [read.id, ofCall];
      expect(rest).toEqual({
        ...answer,
        runId,
        id: ids[i],
        readFrom: base.answer,
        toolCallId: [null, call][i],
      });
    }
    expect(again.toolCalls).toMatchObject([
      { id: call, readFrom: base.runId, settledAt: base.settledAt, result: { found: true } },
    ]);
    expect(first.toolCalls).toMatchObject([{ readFrom: null, settledAt: base.settledAt }]);
    // A store caches its metrics for a while.
    expect((await other.record.pipelineFigures()).models).toEqual(before);
  });

  it('R18 reads no answer of another case', async () => {
    const { bench, store } = at();
    const [base, other] = [await recorded(bench), await recorded(bench)];
    const { runId } = await store.runs.open(opening(bench, base));
    const { lease } = await bench.claim(runId);
    const read = { id: bench.ids.id(), of: other.answer, step: 1, attempt: 1, toolCallId: null };
    await bench.commit(lease, advanceTo('decide'), { answersRead: [read] });
    expect((await store.record.getRun(runId))?.interactions).toEqual([]);
  });

  it('R18 S4-58 finds the texts of prompts that it was asked by, each kept once', async () => {
    const { store } = at();
    const [one, two] = ['a', 'b'].map((text) => ({ id: 'kind/answer@1', sha256: text.repeat(64), text }));
    const other = { id: 'kind/other@1', sha256: 'c'.repeat(64), text: 'c "quoted"\n{{x}}' };
    await store.prompts.keep({ id: 's1', prompts: [one!, other] });
    await store.prompts.keep({ id: 's1', prompts: [one!, other] });
    await store.prompts.keep({ id: 's2', prompts: [two!, other] });
    expect(await store.prompts.get('s1')).toEqual({ id: 's1', prompts: [one, other] });
    expect(await store.prompts.get('s2')).toEqual({ id: 's2', prompts: [two, other] });
    expect(await store.prompts.get('s3')).toBeNull();
  });

  it('is read by its id alone', async () => {
    const { bench, store } = at();
    const base = await recorded(bench);
    expect(await store.record.getRun(base.runId)).toEqual((await store.record.getCase(base.caseId))?.runs[0]);
    expect(await store.record.getRun(bench.ids.id())).toBeNull();
    expect(await store.record.getRun('no-uuid')).toBeNull();
  });
});
