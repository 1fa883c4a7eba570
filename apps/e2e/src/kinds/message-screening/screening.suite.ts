import type { CaseDocument, Json, JsonObject, LanguageModel, VerdictMessage } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import { startSimulator, type Simulator } from '@casefile/llm-simulator/simulator';
import { simulatedModel } from '../../testing/simulated-model.js';
import type { World } from '../../testing/world.js';

const ENGLISH =
  'Dear customer, your KYC has expired and your account will be blocked, verify your account today';
const TAMIL = 'உங்கள் வங்கிக் கணக்கு இன்று முடக்கப்படும், உடனே சரிபார்க்கவும்';
/** A scam with a link, and two harmless messages. An answer in their words is one that the second question supports. */
const TAMIL_LINK = `${TAMIL} http://kyc-update.example/otp`;
const LUNCH = 'Running ten minutes late, can you start the rice and feed the cat? Love you';
const TAMIL_LUNCH = 'நாளை மதியம் வழக்கமான இடத்தில் சந்திப்போம், குடையை மறக்காதே';
/** The third is the first again. */
const TWO = ['threat', 'asks for a code', 'Threat.'];
const FEW = 'insufficient indicators';
const MEDIUM = 'medium confidence and indicators';
const FLAGS = ['threat', 'asks for a code', 'strange link'];
const answer = (over: Record<string, Json>) => ({
  isScam: true,
  confidence: 0.9,
  primaryCategory: 'kyc_banking',
  reasoning: 'It threatens and asks for a code.',
  matchedPatterns: [1],
  redFlags: FLAGS,
  legitimacyIndicators: [],
  ...over,
});
const PATTERN = {
  id: 'kyc',
  title: 'Account blocked for missing KYC',
  category: 'kyc_banking',
  scamType: 'credential_theft',
  texts: { en: 'Dear customer, your KYC has expired and your account will be blocked, verify today' },
  redFlags: ['threat'],
  source: 'test',
  version: 1,
};

type MakeWorld = (model: LanguageModel, env: Record<string, string>) => Promise<World>;
/** Tests the verdicts of screened messages, in each of these worlds. */
export function screensMessages(worlds: readonly [string, MakeWorld][]): void {
  describe.each(worlds)('a message is screened: %s', (_name, makeWorld) => {
    let world: World;
    let simulator: Simulator;
    const sent: VerdictMessage[] = [];
    beforeAll(async () => {
      simulator = await startSimulator();
      const env = { EMBEDDINGS_URL: `${simulator.origin}/v1`, EMBEDDINGS_MODEL: 'simulated' };
      world = await makeWorld(simulatedModel(simulator), env);
      await world.platform.knowledge.scamPatterns.importPatterns([[PATTERN]]);
      const { queue } = world.platform;
      const publish = queue.publishVerdicts.bind(queue);
      jest.spyOn(queue, 'publishVerdicts').mockImplementation((messages) => {
        sent.push(...messages);
        return publish(messages);
      });
    });
    afterAll(async () => {
      await world.close();
      await simulator.close();
    });
    afterEach(() => simulator.reset());

    const screen = async (text: string): Promise<CaseDocument> => {
      const { caseId } = await world.accept({ playbook: 'message-screening', text });
      return world.ended(caseId);
    };
    const saying = (over: Record<string, Json>) =>
      simulator.setScript({ replies: [{ kind: 'answer', content: JSON.stringify(answer(over)) }] });
    /** The outcome that left; a case has ended a moment before. */
    const deliveredOf = async (caseDocument: CaseDocument): Promise<JsonObject> => {
      const message = () => sent.find(({ runId }) => runId === caseDocument.runs[0]?.id);
      await until('the outcome is delivered', () => message() !== undefined);
      return message()!.verdict.outcome;
    };
    const verdictOf = (caseDocument: CaseDocument) => caseDocument.runs[0]!.verdict!;

    it.each<[row: string, text: string, answer: Record<string, Json>, action: string, reason: string]>([
      ['row 1: normal, 0.7', ENGLISH, { confidence: 0.7, redFlags: [] }, 'engage', 'high confidence'],
      ['row 2: normal, 0.5', ENGLISH, { confidence: 0.5 }, 'probe', 'medium confidence'],
      ['row 3: normal, 0.49', ENGLISH, { confidence: 0.49 }, 'ignore', 'low confidence'],
      ['row 4: normal, no scam', LUNCH, { isScam: false, confidence: 0.95 }, 'ignore', 'not a scam'],
      [
        'row 4: strict, no scam',
        TAMIL_LUNCH,
        { isScam: false, confidence: 0.95, reasoning: TAMIL_LUNCH },
        'ignore',
        'not a scam',
      ],
      [
        'row 5: strict, 0.85, 3 flags',
        TAMIL_LINK,
        { confidence: 0.85, reasoning: TAMIL },
        'engage',
        'high confidence and indicators',
      ],
      ['row 6: strict, 0.85, 2 flags', TAMIL, { confidence: 0.85, redFlags: TWO }, 'ignore', FEW],
      ['row 7: strict, 0.7, 2 flags', TAMIL, { confidence: 0.7, redFlags: TWO }, 'probe', MEDIUM],
      ['row 8: strict, 0.84, 1 flag', TAMIL, { confidence: 0.84, redFlags: ['a'] }, 'ignore', FEW],
      ['row 9: strict, 0.69, 3 flags', TAMIL, { confidence: 0.69 }, 'ignore', 'low confidence'],
    ])('S3-40 S3-42 S3-43 %s', async (_row, text, fields, action, reason) => {
      saying(fields);
      const found = await screen(text);
      const run = found.runs[0]!;
      const verdict = verdictOf(found);
      const mode = [ENGLISH, LUNCH].includes(text) ? 'normal' : 'strict';
      expect(verdict).toMatchObject({ degraded: false, method: 'llm', outcome: { action, mode, reason } });
      const asked = run.interactions.filter(({ stage }) => stage === 'reason');
      expect(asked.map(({ promptId }) => promptId)).toEqual([`message-screening/${mode}@1`]);
      const session = await world.platform.store.engagements.get(run.id);
      const delivered = await deliveredOf(found);
      if (action === 'ignore') {
        expect(session).toBeNull();
        expect(delivered).toMatchObject({ reply: null, action: 'ignore' });
        return;
      }
      const { confidence } = verdict;
      expect(session).toMatchObject({ id: run.id, caseId: found.id, stage: 'opened', action, confidence });
      expect(delivered).toMatchObject({ action, engagement: { id: run.id, stage: 'opened', confidence } });
    });

    it('S3-45 messages of one conversation share one engagement session, those of another sender have their own', async () => {
      saying({});
      const judgeFrom = async (source: string) => {
        const message = { playbook: 'message-screening', text: ENGLISH, conversation: 'chat-7', source };
        return world.ended((await world.accept(message)).caseId);
      };
      const [first, second, other] = [
        await judgeFrom('shop'),
        await judgeFrom('shop'),
        await judgeFrom('bank'),
      ];
      const idOf = (found: CaseDocument) =>
        (verdictOf(found).outcome['engagement'] as { id: string; conversation: string }).id;
      expect(idOf(second)).toBe(idOf(first));
      expect(idOf(other)).not.toBe(idOf(first));
      const session = await world.platform.store.engagements.get(idOf(first));
      expect(session).toMatchObject({ conversation: 'chat-7', messages: 2, stage: 'continued' });
      expect(session?.history.map(({ caseId }) => caseId)).toEqual([second.id, first.id]);
      const stages = [];
      for (const found of [first, second, other]) stages.push((await deliveredOf(found))['engagement']);
      expect(stages).toMatchObject([{ stage: 'opened' }, { stage: 'continued' }, { stage: 'opened' }]);
    });

    it('S3-01 S3-10 S3-11 routing is on the brief and the matches are on the record as evidence', async () => {
      saying({});
      const [run] = (await screen(ENGLISH)).runs;
      const body = (name: string) => run!.artifacts.find(({ artifact }) => artifact === name)?.body;
      expect(body('brief')).toMatchObject({ mode: 'normal', language: { code: 'en' } });
      expect(body('evidence')).toMatchObject({
        items: [
          {
            id: 'E1',
            toolName: 'find_similar_scams',
            success: true,
            result: {
              patterns: 1,
              matches: [{ number: 1, patternId: 'kyc', level: 'HIGH', category: 'kyc_banking' }],
            },
          },
          { id: 'E2', toolName: 'text_signals', success: true },
        ],
      });
      expect(verdictOf(await screen(ENGLISH)).citations.length).toBeLessThanOrEqual(1);
      expect(run!.verdict).toMatchObject({ citations: ['E1'], outcome: { category: 'kyc_banking' } });
    });

    it('S3-20 no known pattern is looked up for a message in another language', async () => {
      saying({});
      const [run] = (await screen(TAMIL)).runs;
      expect(run!.toolCalls.map(({ tool }) => tool)).toEqual(['text_signals']);
      expect(run!.interactions.map(({ stage }) => stage)).toEqual(['reason', 'critique']);
    });

    it('S3-41 an answer that cannot be read is asked for once more, then the safe default', async () => {
      const bad = { kind: 'answer', content: 'no json' } as const;
      simulator.setScript({ replies: [bad, { kind: 'answer', content: JSON.stringify(answer({})) }] });
      expect(verdictOf(await screen(ENGLISH))).toMatchObject({ outcome: { action: 'engage' } });
      simulator.setScript({ replies: [bad, bad] });
      const verdict = verdictOf(await screen(ENGLISH));
      expect(verdict).toMatchObject({
        degraded: true,
        disposition: 'review',
        confidence: 0,
        outcome: { action: 'ignore', scamDetected: false, reply: null },
      });
      expect(verdict.reasons.join(' ')).toContain('the language model gave no usable answer');
    });

    it('S3-41 embeddings down: the safe default, visible, and no model is paid', async () => {
      simulator.setScript({ embeddings: { replies: Array(4).fill({ kind: 'status', status: 500 }) } });
      const found = await screen(ENGLISH);
      expect(verdictOf(found)).toMatchObject({
        degraded: true,
        outcome: { action: 'ignore', reason: 'not judged' },
      });
      expect(verdictOf(found).reasons.join(' ')).toContain(
        'find_similar_scams gave no answer: its provider failed',
      );
      expect(found.runs[0]!.interactions).toEqual([]);
    });

    it('S3-41 embeddings of another dimension: the safe default, visible, and no model is paid', async () => {
      simulator.setScript({ embeddings: { dimensions: 64 } });
      const found = await screen(ENGLISH);
      expect(verdictOf(found)).toMatchObject({ degraded: true, outcome: { action: 'ignore' } });
      expect(verdictOf(found).reasons.join(' ')).toContain(
        'find_similar_scams gave no answer: the answer could not be used',
      );
      expect(found.runs[0]!.interactions).toEqual([]);
    });

    it.each([
      ['letters of another script in its words', ENGLISH.replaceAll('o', '\u043e').replaceAll('e', '\u0435')],
      ['1,500 emoji', `${ENGLISH} ${'🎁'.repeat(1_500)}`],
    ])('S3-10 a message is looked up and judged in normal mode for all of %s', async (_what, text) => {
      saying({});
      const found = await screen(text);
      expect(verdictOf(found)).toMatchObject({
        degraded: false,
        outcome: { action: 'engage', mode: 'normal' },
      });
      const body = found.runs[0]!.artifacts.find(({ artifact }) => artifact === 'evidence')?.body;
      expect(body).toMatchObject({
        items: [{ success: true, result: { matches: [{ patternId: 'kyc' }] } }, { toolName: 'text_signals' }],
      });
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

    it.each([
      ['without any text', ''],
      ['of blanks', ' \n '],
      ['with half a character', `${ENGLISH} \ud83c`],
    ])('S3-41 a message %s is refused at the door, by its field', async (_what, text) => {
      await expect(screen(text)).rejects.toMatchObject({
        reasonCode: 'invalid_input',
        message: expect.stringContaining('text'),
      });
    });

    // The last one: the circuit may stay open.
    it('S3-41 the model down: the safe default', async () => {
      simulator.setScript({ then: { kind: 'status', status: 402, code: 'insufficient_quota' } });
      expect(verdictOf(await screen(ENGLISH))).toMatchObject({
        degraded: true,
        outcome: { action: 'ignore' },
      });
    });
  });
}
