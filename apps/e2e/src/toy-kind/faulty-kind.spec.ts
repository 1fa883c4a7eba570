import { done, type Draft, type JsonObject } from '@casefile/contracts';
import { defineKind } from '@casefile/kit';
import { checkPlaybooks, definePlaybook, lookUps, type Strategy } from '@casefile/pipeline';
import { kinds } from '@casefile/shipped/loaded';
import { instantModel } from '../testing/instant-model.js';
import { realWorld, type World } from '../testing/world.js';
import { parcelSize } from './parcel-size/index.js';

const KIND = 'faulty-parcel';
const draftOf = (answer: JsonObject): Draft => ({
  answer: { size: 'small', confidence: 1, why: 'why', ...answer },
  explanation: '',
  claims: [],
  evidenceUsed: [],
  confidence: 1,
  confidenceSource: 'heuristic',
  method: 'heuristic',
  strategy: 'by-fault',
  remarks: [],
});
const itself: JsonObject = {};
itself['itself'] = itself;

/** What the reasoning of the kind does, by the contents of the parcel, and how its case ends. */
const FAULTS: Record<string, { reason: Strategy['reason']; ends: [string, RegExp] }> = {
  'throws an error': {
    reason: async () => {
      throw new TypeError('cannot read sides of undefined');
    },
    ends: ['unexpected', /: cannot read sides of undefined$/],
  },
  'rejects with a text': {
    reason: () => Promise.reject('no error'),
    ends: ['unexpected', /: no error$/],
  },
  'returns nothing': {
    reason: async () => undefined as never,
    ends: ['unexpected', /undefined/],
  },
  'returns another artifact': {
    reason: async () => done({ ruling: 'PASS' } as never),
    ends: ['bad_artifact', /its draft is wrong: .*explanation/s],
  },
  'returns too much': {
    reason: async () => done(draftOf({ why: 'x'.repeat(30_000_000) })),
    ends: ['bad_artifact', /its draft is wrong: it has more than 20,000,000 characters$/],
  },
  'returns a value that contains itself': {
    reason: async () => done(draftOf(itself)),
    ends: ['bad_artifact', /its draft is wrong: it has more than 200 levels, or contains itself$/],
  },
  'returns a bigint': {
    reason: async () => done(draftOf({ count: 1n as never })),
    ends: ['bad_artifact', /its draft is wrong: it has a bigint/],
  },
  'asks without end': {
    reason: (_, { model }) => {
      const question = { promptId: 'p@1', kind: 'answer' as const, maxOutputTokens: 10 };
      const askFrom = async (step: number): Promise<never> => {
        const messages = [{ role: 'user' as const, content: `Is it small? ${step}` }];
        await model.call(step, { ...question, messages }, null);
        return askFrom(step + 1);
      };
      return askFrom(1);
    },
    ends: ['stage_asks_too_much', /it made more than 200 calls of a model$/],
  },
};

/** Asks for a tool that no process has. */
const NAMES_NO_TOOL = 'names a tool that does not exist';

const faulty = definePlaybook({
  ...parcelSize,
  name: KIND,
  intake: { ...parcelSize.intake, claims: () => null },
  collect: lookUps({
    plan: ({ brief }) =>
      brief.input?.['contents'] === NAMES_NO_TOOL ? [{ tool: 'weigh_parcel', args: {} }] : [],
    waitMs: () => 1_000,
  }),
  strategies: {
    'by-fault': {
      prompts: {},
      reason: async (input, ports) =>
        FAULTS[String(input.brief.input?.['contents'])]?.reason(input, ports) ?? done(draftOf({})),
    },
  },
  strategy: 'by-fault',
});

describe('a kind of case with faults', () => {
  let world: World;
  beforeAll(async () => {
    const all = [...kinds, defineKind({ playbook: parcelSize }), defineKind({ playbook: faulty })];
    world = await realWorld('inline', instantModel(), {}, all);
  });
  afterAll(() => world.close());
  const ended = async (playbook: string, contents: string) => {
    const payload = { parcel: { contents, sidesCm: [20, 20, 10] } };
    const { runs } = await world.ended((await world.accept({ playbook, payload })).caseId);
    return runs[0]!;
  };

  it('its cases end with a reason that names the kind, and other kinds go on', async () => {
    const names = Object.keys(FAULTS);
    const runs = await Promise.all(names.map((fault) => ended(KIND, fault)));
    const { items } = await world.platform.store.deadLetters.find({ limit: 20 });
    for (const [i, fault] of names.entries()) {
      const [reasonCode, message] = FAULTS[fault]!.ends;
      expect([fault, runs[i]]).toMatchObject([fault, { status: 'quarantined', reasonCode }]);
      const letter = items.find(({ runId }) => runId === runs[i]!.id);
      expect(letter?.message).toMatch(message);
      expect(letter?.message).toMatch(new RegExp(`^kind ${KIND}, stage reason: `));
    }
    expect(await ended(KIND, 'a lamp')).toMatchObject({ status: 'decided' });
    expect(await ended('parcel-size', 'a lamp')).toMatchObject({ status: 'decided' });
  });

  it('a plan that names a tool which does not exist ends its case, and a list that does stops the start', async () => {
    const { id, status, reasonCode } = await ended(KIND, NAMES_NO_TOOL);
    expect([status, reasonCode]).toEqual(['quarantined', 'bad_playbook']);
    const { items } = await world.platform.store.deadLetters.find({ limit: 20 });
    expect(items.find(({ runId }) => runId === id)?.message).toBe(
      `kind ${KIND}, stage collect: its plan asks the tool "weigh_parcel", which is not in its list of tools`,
    );
    const listing = { playbooks: [{ ...faulty, tools: ['weigh_parcel'] }], tools: ['facts_get'] };
    expect(() => checkPlaybooks(listing)).toThrow(
      `playbook "${KIND}" names the tool "weigh_parcel", which does not exist`,
    );
  });
});
