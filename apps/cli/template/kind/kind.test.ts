import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answerProblems, hostileProblems, kindProblems, replayKind, runKind } from '@casefile/kit/testing';
import type { Script } from '@casefile/kit/testing';
import kind from './index.ts';

const request = (amount: number) => ({ payload: { subject: 'Desks', amount } });
/** Answers for a run. Add `tools` and `model` when the kind asks them. */
const script: Script = {};

describe('kind-name', () => {
  it('is a kind that Casefile accepts', () => {
    assert.deepEqual(kindProblems(kind), []);
  });

  const cases: [number, string][] = [
    [120, 'pass'],
    [2_500, 'review'],
    [25_000, 'stop'],
  ];
  for (const [amount, action] of cases)
    it(`has the action ${action} for an amount of ${amount}, also in a replay`, async () => {
      const run = await runKind(kind, request(amount), script);
      assert.equal(run.verdict.outcome['action'], action);
      assert.match(run.report.markdown, /^# Amount of a request/);
      assert.deepEqual(answerProblems(run), []);
      assert.deepEqual((await replayKind(kind, run)).verdict, run.verdict);
    });

  it('refuses an amount below 0', async () => {
    await assert.rejects(runKind(kind, request(-1), script), /payload\.amount/);
  });

  it('holds with hostile evidence', async () => {
    assert.deepEqual(await hostileProblems(kind, request(120), script), []);
  });
});
