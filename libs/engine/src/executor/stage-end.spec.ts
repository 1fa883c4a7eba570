import { playbookNamed } from '@casefile/pipeline';
import { kinds, playbooks } from '@casefile/shipped/loaded';
import {
  CasefileError,
  draftSchema,
  noTelemetry,
  type ClaimedWork,
  type JsonObject,
  type Labels,
  type Telemetry,
} from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { METRICS } from '@casefile/telemetry';
import { measureDraft, measureReview, namedFault, verdictFacts } from './stage-end.js';

const example = kinds.flatMap((kind) => kind.example ?? [])[0]!;

function measured(body: JsonObject): Record<string, [value: number, labels: Labels | undefined]> {
  const seen: Record<string, [number, Labels | undefined]> = {};
  const telemetry: Telemetry = {
    ...noTelemetry,
    count: (name, labels, by = 1) => void (seen[name] = [by, labels]),
    measure: (name, value, labels) => void (seen[name] = [value, labels]),
  };
  const settings = aRunSettings({ playbook: 'policy-check', provider: 'grok', strategy: 'react' });
  measureDraft(telemetry, settings, playbookNamed(settings.playbook, playbooks), body);
  return seen;
}

const draft = (over: JsonObject = {}): JsonObject => ({
  answer: {},
  explanation: '',
  claims: [],
  evidenceUsed: [],
  confidence: 0.8,
  confidenceSource: 'llm',
  method: 'llm',
  strategy: 'react',
  promptId: 'p/ask@1',
  remarks: [],
  ...over,
});
const action = (cached: boolean) => ({
  tool: 'pi_search',
  args: {},
  observation: '',
  cut: false,
  cached,
  reasonCode: null,
  toolCallId: null,
  durationMs: null,
});
const turn = (iteration: number, forced: boolean, actions: JsonObject[]) => ({
  iteration,
  step: iteration,
  forced,
  thought: '',
  actions,
  tokens: { input: 1, output: 1 },
  costUsd: null,
});
const criterion = (over: JsonObject = {}): JsonObject => ({
  id: 'c1',
  text: 'In time?',
  status: 'UNCERTAIN',
  confidence: 0.5,
  rationale: 'r',
  citations: [],
  refuted: [
    {
      citation: { kind: 'absence', of: 'fact', asked: 'x' },
      state: 'unproven',
      problem: 'never_looked_up',
      instead: [],
    },
  ],
  reasonCode: 'low_confidence',
  claimed: null,
  policy: { policyId: 'p', version: 1 },
  strategy: 'react',
  promptId: 'p/react@1',
  model: 'm',
  iterations: 2,
  costUsd: 0.02,
  trace: [turn(1, false, [action(false), action(true)]), turn(2, true, [])],
  tokens: { input: 4_000, output: 200 },
  ...over,
});

describe('what a judgement is measured by', () => {
  const labels = { playbook: 'policy-check', provider: 'grok', prompt_id: 'p/ask@1' };

  it('S1-64 is its confidence, its fallback and what could not be read, by playbook, provider and prompt id', () => {
    expect(measured(draft())).toEqual({
      'casefile.drafts': [1, { ...labels, method: 'llm' }],
      'casefile.draft.confidence': [0.8, { ...labels, method: 'llm' }],
    });
    expect(
      measured(draft({ fallbackReason: 'invalid_answer', method: 'heuristic', unreadable: 2 })),
    ).toMatchObject({
      'casefile.draft.fallbacks': [1, { ...labels, reason: 'invalid_answer' }],
      'casefile.answers.unreadable': [2, labels],
    });
    // An answer that the second try corrected.
    expect(measured(draft({ unreadable: 1 }))).toMatchObject({ 'casefile.answers.unreadable': [1, labels] });
  });

  it('S4-37 is of a check what it took, forced ends, abstentions, refuted citations and cached calls', () => {
    const of = { prompt_id: 'p/react@1', model: 'm' };
    expect(measured(draft({ answer: criterion() }))).toMatchObject({
      'casefile.check.iterations': [2, of],
      'casefile.check.tokens': [4_200, of],
      'casefile.check.cost': [0.02, of],
      'casefile.check.forced_ends': [1, of],
      'casefile.check.abstentions': [1, { ...of, reason: 'low_confidence' }],
      'casefile.check.refuted_citations': [1, of],
      'casefile.check.cached_calls': [1, of],
    });
    const names = Object.keys(measured(draft({ answer: criterion({ costUsd: null, model: null }) })));
    expect(names.filter((name) => name.startsWith('casefile.check'))).toEqual([]);
    expect(measured(draft({ answer: criterion({ costUsd: null }) }))).not.toHaveProperty(
      'casefile.check.cost',
    );
  });

  it('has a name of the one list, whatever kind of case it is of', () => {
    const read = draftSchema.parse(draft({ answer: criterion() }));
    const names = playbooks
      .flatMap(({ strategies }) => Object.values(strategies))
      .flatMap(({ measures }) => measures?.(read) ?? [])
      .map(({ name }) => name);
    expect(names).not.toHaveLength(0);
    expect(names.filter((name) => !(Object.values(METRICS) as string[]).includes(name))).toEqual([]);
  });
});

describe('a ruling on a draft', () => {
  it('S5-26 is counted by its prompt, so that a critic that always passes is seen', () => {
    const seen: [string, Labels | undefined][] = [];
    const telemetry: Telemetry = { ...noTelemetry, count: (name, labels) => void seen.push([name, labels]) };
    const review = { ruling: 'PASS', findings: [], reviewer: 'critic', promptId: 'research/critic-zh@1' };
    measureReview(telemetry, aRunSettings({ playbook: 'research' }), review);
    measureReview(telemetry, aRunSettings({ playbook: 'research' }), {
      ...review,
      promptId: undefined as never,
    });
    const labels = { playbook: 'research', reviewer: 'critic', ruling: 'PASS' };
    expect(seen).toEqual([
      [METRICS.reviews, { ...labels, prompt_id: 'research/critic-zh@1' }],
      [METRICS.reviews, { ...labels, prompt_id: 'none' }],
    ]);
  });
});

describe('what the log says of a verdict', () => {
  it('S1-64 is its outcome, answer, confidence and method, in the words of its kind of case', () => {
    const [scamVerdict] = playbooks;
    const { presenting } = scamVerdict!;
    expect(verdictFacts(example.verdict, presenting)).toEqual({
      disposition: 'act',
      outcome: 'scam',
      answer: 'high risk',
      confidence: 0.91,
      method: 'llm',
      degradedBy: [],
      degradedNote: '',
    });
  });

  it('S1-64 has words for a verdict of any kind, whatever its outcome holds', () => {
    const { verdict } = example;
    const outcomes: JsonObject[] = [{}, { action: 3 }, { status: null }, { riskLevel: [] }];
    for (const { presenting } of playbooks)
      for (const outcome of outcomes)
        expect(verdictFacts({ ...verdict, outcome }, presenting)).toMatchObject({
          outcome: expect.any(String),
          answer: expect.any(String),
        });
  });
});

describe('what a stage threw', () => {
  const work = {
    settings: aRunSettings({ playbook: 'policy-check' }),
    lease: { stage: 'gather' },
  } as ClaimedWork;

  it('is named by its kind of case and stage if its code is at fault, and is tried again as before', () => {
    const facts = { retryable: true, retryAfterMs: 500, details: { page: 2 } };
    expect(namedFault(new CasefileError('ocr_failed', 'no text', facts), work)).toMatchObject({
      ...facts,
      reasonCode: 'ocr_failed',
      message: 'kind policy-check, stage gather: no text',
    });
    expect(namedFault(new TypeError('x is null'), work)).toMatchObject({
      reasonCode: 'unexpected',
      retryable: false,
    });
  });

  it('stays as it is if something else is at fault', () => {
    const full = new CasefileError('redis_missing', 'not installed');
    expect(namedFault(full, work)).toBe(full);
  });
});
