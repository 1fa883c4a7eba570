import { done, revise, search, type Draft, type EvidenceItem, type JsonObject } from '@casefile/contracts';
import { asRecorded, definePlaybook, fromPayload, lookUps, sifting, type Strategy } from '@casefile/pipeline';
import { kinds } from '@casefile/shipped/loaded';
import { defineKind } from '@casefile/kit';
import { realWorld, type World } from '../testing/world.js';
import { parcelSize } from './parcel-size/index.js';
import { preparedParcel } from './parcel-size/parcel.js';

const draftOf = (why: string, queries: string[]): Draft => ({
  answer: { size: 'small', confidence: 1, why },
  explanation: why,
  claims: [],
  evidenceUsed: [],
  confidence: 1,
  confidenceSource: 'heuristic',
  method: 'heuristic',
  strategy: 'in-rounds',
  remarks: [],
  queries,
});

/** Searches once, and says in its draft what it had before. */
const inRounds: Strategy = {
  prompts: {},
  reason: async ({ evidence, previous }) => {
    const ids = evidence.items.map(({ id, entityValue }) => `${id} ${entityValue}`).join(', ');
    if (previous.draft === undefined) return search(draftOf(`before: ${ids}`, ['weight', 'seal']));
    const findingIds = previous.review?.findings.map(({ id }) => id).join() ?? 'none';
    return done(draftOf(`with ${ids}; findings ${findingIds}`, []));
  },
};

const item = (entityValue: string, from: EvidenceItem): EvidenceItem => ({ ...from, entityValue });

/** A kind whose payload hands evidence in, whose one answer is several findings, and whose reviewer sends one draft back. */
const inspected = definePlaybook({
  ...parcelSize,
  name: 'parcel-inspected',
  intake: { ...parcelSize.intake, claims: () => null },
  triage: fromPayload((alert) => ({
    ...preparedParcel(alert),
    suppliedEvidence: ['label', 'stamp, torn'].map((entityValue) => ({
      toolName: 'seen',
      entityType: 'part',
      entityValue,
      result: null,
      success: true,
      source: '',
      durationMs: 0,
    })),
  })),
  tools: ['facts_get'],
  collect: sifting(
    ({ found }) => ({
      items: found
        .filter(({ entityValue }) => !entityValue.includes('torn'))
        .flatMap((one) => (one.toolName === 'seen' ? [one] : [item('front', one), item('back', one)])),
      leftOut: found
        .filter(({ entityValue }) => entityValue.includes('torn'))
        .map(({ entityValue }) => ({ what: entityValue, why: 'it cannot be read', about: {} })),
    }),
    lookUps({
      plan: ({ previous }) =>
        (previous.draft?.queries ?? []).map((name) => ({ tool: 'facts_get', args: { name, facts: [] } })),
      waitMs: () => 1_000,
    }),
  ),
  strategies: { 'in-rounds': inRounds, rules: parcelSize.strategies['rules']! },
  strategy: 'in-rounds',
  critique: async ({ previous }) => {
    const review = {
      findings: [{ id: 'seal', code: 'seal', message: 'Is it sealed?' }],
      reviewer: 'toy',
      answer: { read: previous.review === undefined ? 1 : 2 },
    };
    return previous.review === undefined
      ? revise({ ...review, ruling: 'REJECT' as const })
      : done({ ...review, ruling: 'PASS' as const });
  },
  decision: {
    ...parcelSize.decision,
    name: 'by-case',
    decide: (units, settings, decidedAt, runId, caseId) => {
      const verdict = parcelSize.decision.decide(units, settings, decidedAt, runId);
      return { ...verdict, outcome: { ...verdict.outcome, caseId: caseId ?? '' } };
    },
  },
  outward: asRecorded,
  maxRounds: 3,
});

describe('a kind of case that works in rounds', () => {
  let world: World;
  beforeAll(
    async () =>
      void (world = await realWorld('inline', null, {}, [...kinds, defineKind({ playbook: inspected })])),
  );
  afterAll(() => world.close());

  it('searches, revises and ends, each round with its own artifacts and evidence on from the last ids', async () => {
    const alert = {
      playbook: inspected.name,
      payload: { parcel: { contents: 'a lamp', sidesCm: [20, 20, 10] } },
    };
    const { id, runs } = await world.ended((await world.accept(alert)).caseId);
    const [run] = runs;
    expect(run?.status).toBe('decided');
    const bodies = (name: string): ({ round: number } & JsonObject)[] =>
      run!.artifacts
        .filter(({ artifact }) => artifact === name)
        .map(({ round, body }) => ({ round, ...body }));
    expect(bodies('draft').map(({ round, explanation }) => [round, explanation])).toEqual([
      [1, 'before: E1 label'],
      [2, 'with E1 label, E2 front, E3 back, E4 front, E5 back; findings none'],
      [3, 'with E1 label, E2 front, E3 back, E4 front, E5 back; findings seal'],
    ]);
    expect(bodies('evidence').map(({ round, leftOut }) => [round, leftOut])).toEqual(
      [1, 2].map((round) => [round, [{ what: 'stamp, torn', why: 'it cannot be read', about: {} }]]),
    );
    expect(bodies('review').map(({ round, ruling, answer }) => [round, ruling, answer])).toEqual([
      [2, 'REJECT', { read: 1 }],
      [3, 'PASS', { read: 2 }],
    ]);
    expect(run?.verdict?.outcome['caseId']).toBe(id);
  });
});
