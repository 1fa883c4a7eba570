import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kindPrompts } from '@casefile/pipeline';
import { playbooks } from '@casefile/shipped/loaded';
import { CasefileError, type CaseDocument, type LanguageModel } from '@casefile/contracts';
import { pause, temporaryFolder, until } from '@casefile/contracts/testing';
import { answeringModel } from './testing/answering-model.js';
import { testRedis } from './testing/redis-database.js';
import { inlineWorld, realWorld, type World } from './testing/world.js';

const ANSWER = {
  riskLevel: 'HIGH',
  confidence: 91,
  explanation: 'Known number, asks for money.',
  evidenceUsed: ['E1'],
};
const REPORTED = {
  toolName: 'scam_db',
  entityType: 'phone',
  entityValue: '+15550100',
  result: { found: true, reportCount: 10, riskScore: 80 },
};
const alert = (over: object = {}) => ({
  playbook: 'scam-verdict',
  text: `Pay now at https://pay.example/${Math.random()}`,
  evidence: [REPORTED],
  collect: false,
  ...over,
});

const WORLDS: [string, (model: LanguageModel | null) => Promise<World>][] = [
  ['the queue in this process', async (model) => inlineWorld(model)],
  ['Postgres, queue on Postgres', (model) => realWorld('postgres', model)],
  ['Postgres, queue on Redis', (model) => realWorld(testRedis('flow'), model)],
];

const verdictOf = (caseDocument: CaseDocument) => caseDocument.runs[0]?.verdict;

describe.each(WORLDS)('an alert becomes a verdict: %s', (_name, makeWorld) => {
  let world: World;
  const model = { current: answeringModel(JSON.stringify(ANSWER)) };
  const switching: LanguageModel = {
    provider: 'simulator',
    model: 'scripted',
    complete: (...args) => model.current.complete(...args),
  };
  beforeAll(async () => void (world = await makeWorld(switching)));
  afterAll(() => world.close());

  const judge = async (body: object): Promise<CaseDocument> => {
    const { caseId } = await world.accept(body);
    return world.ended(caseId);
  };

  /** Once its verdict is among them: an open transaction of another test on the same server holds events back. */
  async function eventsOf(caseId: string) {
    const read = async () => {
      const all = await world.platform.store.record.eventsAfter(null, 100_000);
      return all.filter((event) => event.caseId === caseId);
    };
    let events = await read();
    await until('the verdict is among the events', async () => {
      events = await read();
      return events.some(({ type }) => type === 'verdict.decided');
    });
    return events;
  }

  it('S2-21 keeps the reasoning with its interaction and lets it go nowhere else', async () => {
    model.current = answeringModel(JSON.stringify(ANSWER));
    const found = await judge(alert());
    const [run] = found.runs;
    const reasoning = 'The sender wants money at once.';
    expect(run?.interactions.map((one) => one.reasoningContent)).toEqual([reasoning, reasoning]);
    const events = await eventsOf(found.id);
    expect(events.filter(({ type }) => type === 'interaction.completed')).toMatchObject([
      { data: { hasReasoning: true } },
      { data: { hasReasoning: true } },
    ]);
    const elsewhere = { events, artifacts: run?.artifacts, verdict: run?.verdict };
    expect(JSON.stringify(elsewhere)).not.toContain('wants money');
  });

  it('S1-26 goes through every stage, each on the record, and ends with one verdict', async () => {
    model.current = answeringModel(JSON.stringify(ANSWER));
    const found = await judge(alert());
    const run = found.runs[0];
    expect(run?.artifacts.map((entry) => entry.artifact)).toEqual([
      'brief',
      'evidence',
      'draft',
      'review',
      'report',
      'verdict',
    ]);
    expect(run?.verdict).toMatchObject({
      outcome: { riskLevel: 'high', confidence: 91, reasoningMethod: 'llm', evidenceUsed: ['E1'] },
      disposition: 'act',
      confidence: 0.91,
      method: 'llm',
      citations: ['E1'],
      degraded: false,
    });
    expect(found.status).toBe('decided');
  });

  it('S2-20 keeps the call with its reasoning, tokens and cost', async () => {
    model.current = answeringModel(JSON.stringify(ANSWER));
    const [interaction, ...others] = (await judge(alert())).runs[0]?.interactions ?? [];
    expect(others.map(({ stage }) => stage)).toEqual(['critique']);
    expect(interaction).toMatchObject({
      stage: 'reason',
      step: 1,
      attempt: 1,
      state: 'completed',
      hasReasoning: true,
      costUsd: 0.001,
      reasoningContent: 'The sender wants money at once.',
      reasoningSource: 'reasoning_content',
      usage: { inputTokens: 100, outputTokens: 20, reasoningTokens: 5, cachedTokens: 0 },
    });
    expect(interaction?.promptId).toMatch(/^scam-verdict\/answer@/);
  });

  it('S1-25 asks once more after an unreadable answer, then takes the heuristic', async () => {
    model.current = answeringModel('no json', 'still none');
    const found = await judge(alert());
    expect(model.current.keys).toHaveLength(2);
    expect(verdictOf(found)).toMatchObject({
      method: 'heuristic',
      degraded: true,
      outcome: { riskLevel: 'medium', confidence: 40 },
    });
  });

  it('S1-25 takes the heuristic within the deadline when the provider fails, every attempt on the record', async () => {
    model.current = answeringModel(new CasefileError('server_error', 'down', { retryable: true }));
    const found = await judge(alert());
    const calls = model.current.keys.length;
    expect(verdictOf(found)).toMatchObject({ method: 'heuristic', degraded: true });
    expect(found.runs[0]?.interactions.map((entry) => [entry.state, entry.errorCode])).toEqual(
      Array(calls).fill(['failed', 'server_error']),
    );
    const { providers } = world.platform.store;
    if (calls === 4)
      expect(await providers.states()).toMatchObject([{ provider: 'simulator', state: 'open' }]);
    await providers.succeeded('simulator');
    await pause(1_000, 'a process reads the circuits once a second');
  });

  it('S1-27 sends an answer that cites what is not there to a person', async () => {
    model.current = answeringModel(JSON.stringify({ ...ANSWER, evidenceUsed: ['E1', 'E9'] }));
    const found = await judge(alert());
    expect(verdictOf(found)).toMatchObject({
      disposition: 'review',
      outcome: { riskLevel: 'unconfirmed' },
      citations: ['E1'],
    });
  });

  it('S1-15 continues when no tool could be asked: gaps with their reasons', async () => {
    model.current = answeringModel(JSON.stringify({ ...ANSWER, evidenceUsed: [] }));
    const found = await judge({
      playbook: 'scam-verdict',
      text: `Look at http://pay-fee.example/${Math.random()} or call +1 650 253 0000`,
    });
    const run = found.runs[0];
    expect(run?.toolCalls.map((call) => [call.tool, call.state, call.reasonCode])).toEqual(
      expect.arrayContaining([['exa_search', 'failed', 'not_configured']]),
    );
    expect(run?.verdict).not.toBeNull();
  });

  it('R11 joins repeats of an open or fresh case, and answers a repeated key with the same ids', async () => {
    const body = alert();
    const first = await world.platform.intake.accept(body, { idempotencyKey: `k-${Math.random()}` });
    const again = await world.platform.intake.accept(body);
    expect(again).toMatchObject({ caseId: first.caseId, joined: true });
    const found = await world.ended(first.caseId);
    expect([found.alerts.length, found.runs.length]).toEqual([2, 1]);
  });

  it('tells what happened in order', async () => {
    model.current = answeringModel(JSON.stringify(ANSWER));
    const types = (await judge(alert())).runs[0]?.trace.map((event) => event.type) ?? [];
    const order = ['stage.completed', 'interaction.started', 'interaction.completed', 'verdict.decided'].map(
      (type) => types.indexOf(type),
    );
    expect(order.every((at) => at >= 0)).toBe(true);
    expect(types.filter((type) => type === 'verdict.decided')).toHaveLength(1);
  });

  // The last one: the circuit stays open.
  it('S1-25 takes the heuristic at once when the provider will not answer this account', async () => {
    model.current = answeringModel(new CasefileError('quota_exhausted', 'pay first'));
    const found = await judge(alert());
    expect(model.current.keys).toHaveLength(1);
    expect(verdictOf(found)).toMatchObject({ method: 'heuristic', degraded: true });
    model.current = answeringModel(JSON.stringify(ANSWER));
    // No tool is called while the circuit is open.
    const next = await judge(alert());
    expect(model.current.keys).toHaveLength(0);
    expect(verdictOf(next)).toMatchObject({ method: 'heuristic', degraded: true });
  });
});

it('S2-20 a model is asked by the text of a folder of the user’s, and the record tells it from the shipped one', async () => {
  const shipped = kindPrompts(playbooks).find(({ id }) => id === 'scam-verdict/answer@2')!;
  const folder = temporaryFolder('prompts');
  const file = join(folder, 'scam-verdict', 'answer@2.md');
  cpSync(shipped.file, file);
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace('You are a fraud analyst.', 'You are a kind analyst.'),
  );
  const world = await inlineWorld(answeringModel(JSON.stringify(ANSWER)), { CASEFILE_PROMPTS: folder });
  try {
    const { caseId } = await world.accept(alert({ text: 'Pay {{schema}} now' }));
    const [run] = (await world.ended(caseId)).runs;
    const changed = expect.stringMatching(/^scam-verdict\/answer@2#[0-9a-f]{12}$/);
    expect(run?.settings.promptIds).toEqual({
      answer: changed,
      crossExamination: 'scam-verdict/cross-examination@1',
    });
    const [interaction] = run?.interactions ?? [];
    expect(interaction?.promptId).toEqual(run?.settings.promptIds['answer']);
    const asked = JSON.stringify(interaction?.request);
    expect(asked).toContain('You are a kind analyst.');
    // Text of an alert that looks like a placeholder stays text.
    expect(asked).toContain('Pay {{schema}} now');
  } finally {
    await world.close();
  }
});
