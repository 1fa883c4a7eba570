import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  answerProblems,
  emptyParts,
  hostileProblems,
  kindProblems,
  replayKind,
  runKind,
} from '@casefile/kit/testing';
import type { Script } from '@casefile/kit/testing';
import kind from './index.ts';
//+tool import type { Json } from '@casefile/kit';
//+tool import { runTool } from '@casefile/kit/testing';
//+tool import { register } from './register.ts';

const request = (amount: number) => ({ payload: { subject: 'Desks', amount } });
/** Answers for a run. Add `tools` and `model` when the kind asks them. */
const script: Script = {}; //-tool,model,policy
//+tool,model,policy const script: Script = {
//+tool,policy   tools: {
//+tool     [register.name]: { answer: () => ({ isKnown: true, limit: 50_000 }) },
//+policy     sections_search: { answer: () => ({ found: 0, nodes: [] }) },
//+tool,policy   },
//+model   model: ({ messages }) => {
//+model     const [, amount = ''] = /"amount":(\d+)/.exec(messages.map(({ content }) => content).join()) ?? [];
//+model     const size = Number(amount) < 1_000 ? 'small' : Number(amount) < 10_000 ? 'medium' : 'large';
//+model     return { size, confidence: 0.9, why: `The amount is ${size}.`, evidenceUsed: [] };
//+model   },
//+tool,model,policy };

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
      // Each declared section of the page has a value.
      assert.deepEqual(emptyParts(kind, run), []);
      assert.deepEqual((await replayKind(kind, run)).verdict, run.verdict);
    });

  it('refuses an amount below 0', async () => {
    await assert.rejects(runKind(kind, request(-1), script), /payload\.amount/);
  });

  //+tool it('passes nothing that the register does not have, or not for this amount', async () => {
  //+tool   const answers: Json[] = [{ isKnown: false }, { isKnown: true, limit: 100 }];
  //+tool   for (const answer of answers) {
  //+tool     const tools = { ...script.tools, [register.name]: { answer: () => answer } };
  //+tool     const { verdict } = await runKind(kind, request(120), { ...script, tools });
  //+tool     assert.equal(verdict.outcome['action'], 'review');
  //+tool   }
  //+tool });

  //+tool it('asks the register', async () => {
  //+tool   const variables = { KIND_CONST_REGISTER_URL: 'http://register.example/v1' };
  //+tool   const get = () => ({ body: { limit: 500 } });
  //+tool   const { result, requests } = await runTool(register, { subject: 'Desks' }, { variables, get });
  //+tool   assert.deepEqual(result, { isKnown: true, limit: 500 });
  //+tool   assert.deepEqual(requests[0]?.path, ['subjects', 'Desks']);
  //+tool   const unknown = await runTool(register, { subject: 'Desks' }, { variables, get: () => 'not-found' });
  //+tool   assert.deepEqual(unknown.result, { isKnown: false });
  //+tool });

  it('holds with hostile evidence', async () => {
    assert.deepEqual(await hostileProblems(kind, request(120), script), []);
  });
});
