import { jest } from '@jest/globals';
import type { CaseDocument, Json, LanguageModel, VerdictMessage } from '@casefile/contracts';
import { createLanguageModel, readProviderTable, resolveProvider } from '@casefile/llm';
import { startSimulator, type Simulator } from '@casefile/llm-simulator/simulator';
import { systemClock } from '@casefile/runtime';
import { testRedis } from './testing/redis-database.js';
import { memoryWorld, realWorld, type World } from './testing/world.js';

const ENGLISH =
  'Dear customer, your KYC has expired and your account will be blocked, verify your account today';
const TAMIL = 'உங்கள் வங்கிக் கணக்கு இன்று முடக்கப்படும், உடனே சரிபார்க்கவும்';
const FLAGS = ['threat', 'asks for a code', 'strange link'];
const answer = (over: Record<string, Json>) => ({
  ...{
    isScam: true,
    confidence: 0.9,
    primaryCategory: 'kyc_banking',
    reasoning: 'It threatens and asks for a code.',
  },
  ...{ matchedPatterns: [1], redFlags: FLAGS, legitimacyIndicators: [], ...over },
});
const PATTERN = {
  ...{
    id: 'kyc',
    title: 'Account blocked for missing KYC',
    category: 'kyc_banking',
    scamType: 'credential_theft',
  },
  texts: { en: 'Dear customer, your KYC has expired and your account will be blocked, verify today' },
  ...{ redFlags: ['threat'], source: 'test', version: 1 },
};

function modelOf(simulator: Simulator): LanguageModel {
  const baseUrl = `${simulator.origin}/v1`;
  const entry = { protocol: 'openai-chat', baseUrl, model: 'any', keyVariable: null };
  const table = readProviderTable({ simulated: entry });
  const resolved = resolveProvider({ table, name: 'simulated', env: {} });
  return createLanguageModel(resolved.entry, { apiKey: null, clock: systemClock });
}

type MakeWorld = (model: LanguageModel, env: Record<string, string>) => Promise<World>;
const WORLDS: [string, MakeWorld][] = [
  ['memory store, inline queue', async (model, env) => memoryWorld(model, env)],
  ['Postgres, queue on Postgres', (model, env) => realWorld(null, model, env)],
  ['Postgres, queue on Redis', (model, env) => realWorld(testRedis('screening'), model, env)],
];

describe.each(WORLDS)('a message is screened: %s', (_name, makeWorld) => {
  let world: World;
  let simulator: Simulator;
  const sent: VerdictMessage[] = [];
  beforeAll(async () => {
    simulator = await startSimulator();
    const env = { EMBEDDINGS_URL: `${simulator.origin}/v1`, EMBEDDINGS_MODEL: 'simulated' };
    world = await makeWorld(modelOf(simulator), env);
    await world.platform.store.importPatterns([PATTERN]);
    const { queue } = world.platform;
    const publish = queue.publishVerdicts.bind(queue);
    jest.spyOn(queue, 'publishVerdicts').mockImplementation((messages) => {
      sent.push(...messages);
      return publish(messages);
    });
  }, 60_000);
  afterAll(async () => {
    await world.close();
    await simulator.close();
  }, 60_000);
  afterEach(() => simulator.reset());

  const screen = async (text: string): Promise<CaseDocument> => {
    const { caseId } = await world.platform.intake.accept({ playbook: 'message-screening', text });
    return world.ended(caseId);
  };
  const saying = (over: Record<string, Json>) =>
    simulator.setScript({ replies: [{ kind: 'answer', content: JSON.stringify(answer(over)) }] });
  const verdictOf = (found: CaseDocument) => found.runs[0]!.verdict!;

  it.each<[row: string, text: string, answer: Record<string, Json>, action: string]>([
    ['normal, high confidence', ENGLISH, { confidence: 0.7 }, 'engage'],
    ['normal, medium confidence', ENGLISH, { confidence: 0.5 }, 'probe'],
    ['normal, low confidence', ENGLISH, { confidence: 0.49 }, 'ignore'],
    ['normal, no scam', ENGLISH, { isScam: false, confidence: 0.95 }, 'ignore'],
    ['strict, no scam', TAMIL, { isScam: false, confidence: 0.95 }, 'ignore'],
    ['strict, high confidence and 3 flags', TAMIL, { confidence: 0.85 }, 'engage'],
    ['strict, high confidence and 2 flags', TAMIL, { confidence: 0.85, redFlags: ['a', 'b', 'A'] }, 'ignore'],
    ['strict, medium confidence and 2 flags', TAMIL, { confidence: 0.7, redFlags: ['a', 'b'] }, 'probe'],
    ['strict, medium confidence and 1 flag', TAMIL, { confidence: 0.84, redFlags: ['a'] }, 'ignore'],
    ['strict, low confidence', TAMIL, { confidence: 0.69 }, 'ignore'],
  ])('S3-40 S3-42 %s', async (_row, text, said, action) => {
    saying(said);
    const found = await screen(text);
    const run = found.runs[0]!;
    const verdict = verdictOf(found);
    const mode = text === TAMIL ? 'strict' : 'normal';
    expect(verdict).toMatchObject({ degraded: false, method: 'llm', outcome: { action, mode } });
    expect(run.interactions.map(({ promptId }) => promptId)).toEqual([`message-screening/${mode}@1`]);
    const session = await world.platform.store.engagementSession(run.id);
    const delivered = sent.find(({ runId }) => runId === run.id)?.verdict.outcome;
    if (action === 'ignore') {
      expect(session).toBeNull();
      expect(delivered).toMatchObject({ reply: null, action: 'ignore' });
      return;
    }
    const { confidence } = verdict;
    expect(session).toMatchObject({ id: run.id, caseId: found.id, stage: 'opened', action, confidence });
    expect(delivered).toMatchObject({ action, engagement: { id: run.id, stage: 'opened', confidence } });
  });

  it('S3-01 S3-10 S3-11 routing is on the brief and the matches are on the record as evidence', async () => {
    saying({});
    const [run] = (await screen(ENGLISH)).runs;
    const body = (name: string) => run!.artifacts.find(({ artifact }) => artifact === name)?.body;
    expect(body('brief')).toMatchObject({ mode: 'normal', language: { code: 'en' } });
    expect(body('evidence')).toMatchObject({
      items: [
        {
          ...{ id: 'E1', toolName: 'find_similar_scams', success: true },
          result: {
            patterns: 1,
            matches: [{ number: 1, patternId: 'kyc', level: 'HIGH', category: 'kyc_banking' }],
          },
        },
      ],
    });
    expect(verdictOf(await screen(ENGLISH)).citations.length).toBeLessThanOrEqual(1);
    expect(run!.verdict).toMatchObject({ citations: ['E1'], outcome: { category: 'kyc_banking' } });
  });

  it('S3-20 nothing is looked up for a message in another language', async () => {
    saying({});
    const [run] = (await screen(TAMIL)).runs;
    expect(run!.toolCalls).toEqual([]);
    expect(simulator.requests()).toHaveLength(1);
  });

  it('S3-41 an answer that cannot be read is asked for once more, then the safe default', async () => {
    const bad = { kind: 'answer', content: 'no json' } as const;
    simulator.setScript({ replies: [bad, { kind: 'answer', content: JSON.stringify(answer({})) }] });
    expect(verdictOf(await screen(ENGLISH))).toMatchObject({ outcome: { action: 'engage' } });
    simulator.setScript({ replies: [bad, bad] });
    const verdict = verdictOf(await screen(ENGLISH));
    expect(verdict).toMatchObject({
      ...{ degraded: true, disposition: 'review', confidence: 0 },
      outcome: { action: 'ignore', scamDetected: false, reply: null },
    });
    expect(verdict.reasons.join(' ')).toContain('invalid_answer');
  });

  it('S3-41 embeddings down: the safe default, visible, and no model is paid', async () => {
    simulator.setScript({ embeddings: { replies: Array(4).fill({ kind: 'status', status: 500 }) } });
    const found = await screen(ENGLISH);
    expect(verdictOf(found)).toMatchObject({
      degraded: true,
      outcome: { action: 'ignore', reason: 'not judged' },
    });
    expect(verdictOf(found).reasons.join(' ')).toContain('find_similar_scams gave no answer (server_error)');
    expect(found.runs[0]!.interactions).toEqual([]);
  });

  it.each([
    ['one character', 'x'],
    ['emoji only', '👍👍🎉'],
    ['bidi and hidden characters', '\u202e\u2066pay\u200bpal\u2069'],
    ['mixed scripts', 'Dear ग्राहक உங்கள் счёт account'],
    ['100,000 characters', 'verify now '.repeat(9_100)],
  ])('S3-41 bad input reaches a verdict: %s', async (_what, text) => {
    const verdict = verdictOf(await screen(text));
    expect(['engage', 'probe', 'ignore']).toContain(verdict.outcome['action']);
    expect(verdict.degraded).toBe(false);
  });

  it('S3-41 a message without any text is refused at the door, by its field', async () => {
    await expect(screen('')).rejects.toMatchObject({ reasonCode: 'invalid_input' });
  });

  // The last one: the circuit may stay open.
  it('S3-41 the model down: the safe default', async () => {
    simulator.setScript({ then: { kind: 'status', status: 402, code: 'insufficient_quota' } });
    expect(verdictOf(await screen(ENGLISH))).toMatchObject({ degraded: true, outcome: { action: 'ignore' } });
  });
});
