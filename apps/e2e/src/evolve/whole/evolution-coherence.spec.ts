import { until } from '@casefile/contracts/testing';
import { randomUUID } from 'node:crypto';
import type { CaseDocument, EvolutionEntry, JsonObject, Review } from '@casefile/contracts';
import { openKnowledge } from '@casefile/knowledge';
import { silentPorts } from '@casefile/knowledge/testing';
import { asksForAgent, FINISH, readConversation } from '@casefile/llm-simulator/agent/conversation';
import { agentTurn } from '@casefile/llm-simulator/agent/react-agent';
import { questionText, type Question } from '@casefile/kit/demonstration/question';
import type { BehaviourInput } from '@casefile/llm-simulator/script';
import { startSimulator, type Simulator } from '@casefile/llm-simulator/simulator';
import type { EvolutionReport, EvolutionState } from '@casefile/pipeline';
import type { PostgresStore } from '@casefile/store';
import type { ConfiguredWorld } from '../../testing/configured-world.js';
import { importSamplePolicy } from '../../testing/sample-policy.js';
import { evolvingWorld, reflectedWith, startEvolutionIn } from '../evolving-world.js';

// Status, confidence and citations of every answer are the same. Only its reason depends on the prompt, and only the
// cross-examination reads the reason, so that the score can rise by reasoning coherence alone.

const CASES = 20;
const PROMPT = { playbook: 'policy-check', name: 'react' };
const HIDDEN = 'Take the reason from the words of the policy.';
const FROM_POLICY = 'Water that escaped for more than 14 days before it was found is not sudden.';
const FROM_NOWHERE = 'Neighbours praised the gardener.';
const COHERENCE = { citations: 0, coherence: 1, calibration: 0, status: 0 };

let simulator: Simulator;
let world: ConfiguredWorld;
const store = (): PostgresStore => world.platform.store as PostgresStore;

beforeAll(async () => {
  simulator = await startSimulator({ answer: answered });
  world = await evolvingWorld(simulator);
  await importSamplePolicy(openKnowledge(store().database, silentPorts()).policies);
});
afterAll(async () => {
  await world.close();
  await simulator.close();
});

/** Decides a criterion that rules leave open, for a reason that depends on the prompt. */
function answered(question: Question): BehaviourInput | null {
  const words = questionText(question, 'system', 'user');
  if (words.includes('You improve the prompt of another language model'))
    return { kind: 'answer', content: JSON.stringify(reflectedWith(words, HIDDEN)) };
  if (!asksForAgent(question)) return null;
  const turn = agentTurn(readConversation(question));
  const rationale = words.includes(HIDDEN) ? FROM_POLICY : FROM_NOWHERE;
  const toolCalls = (turn.toolCalls ?? []).map((call) => {
    if (call.name !== FINISH) return call;
    const args = JSON.parse(String(call.arguments)) as JsonObject;
    return {
      ...call,
      arguments: JSON.stringify({ ...args, status: 'NOT_MET', confidence: 0.9, rationale }),
    };
  });
  return { kind: 'answer', content: turn.content ?? '', toolCalls };
}

/** Judges cases with one criterion each, and labels them. */
async function labelled(): Promise<CaseDocument[]> {
  const accepted: { caseId: string; runId: string }[] = [];
  for (let n = 0; n < CASES; n += 1) {
    const cause = `a pipe that dripped for ${20 + n} days`;
    const payload = {
      policy: 'claims-handling',
      title: `Wet wall number ${n}`,
      facts: [{ name: 'cause', value: cause, confidence: 0.98, document: 'report.pdf', page: 1 }],
      criteria: [{ id: 'sudden', text: 'Was the escape of water sudden in the meaning of the policy?' }],
      combine: { rule: 'all' },
    };
    accepted.push(await world.accept({ playbook: PROMPT.playbook, payload }));
  }
  const cases = await world.ended(
    accepted.map(({ caseId }) => caseId),
    200_000,
  );
  for (const { caseId, runId } of accepted)
    await store().feedback.give({
      id: randomUUID(),
      caseId,
      runId,
      agrees: false,
      outcome: { status: 'NOT_MET' },
      by: 'ann',
      note: null,
      at: new Date().toISOString(),
    });
  return cases;
}

it('S4-61 the score of an evolution reflects how the cross-examination answers claims', async () => {
  const cases = await labelled();
  for (const { runs } of cases) {
    const review = runs[0]!.artifacts.findLast(({ artifact }) => artifact === 'review')?.body as
      Review | undefined;
    expect(review?.crossExamination).toMatchObject({ failed: null, claims: [{ answer: 'not_in_it' }] });
  }
  const { id } = await startEvolutionIn(world, { ...PROMPT, weights: COHERENCE, mostEvaluations: 60 });
  let evolution: EvolutionEntry | null = null;
  await until('the evolution has ended', async () => {
    evolution = await store().evolutions.get(id);
    return evolution !== null && evolution.state !== 'running';
  });
  const entry: EvolutionEntry = evolution!;
  const state = entry.progress as unknown as EvolutionState;
  const report = entry.report as unknown as EvolutionReport;
  expect(report).toMatchObject({ result: 'improved' });
  expect(state.candidates[report.best]!.text).toContain(HIDDEN);
  for (const rows of [report.validation, report.heldOut])
    for (const objective of ['score', 'coherence'])
      expect(rows.find((row) => row.objective === objective)).toMatchObject({ live: 0, candidate: 1 });
  // The same citations are verified in both.
  const citations = report.heldOut.find(({ objective }) => objective === 'citations')!;
  expect(citations.live).toBeGreaterThan(0);
  expect(citations.candidate).toBe(citations.live);
}, 400_000);
