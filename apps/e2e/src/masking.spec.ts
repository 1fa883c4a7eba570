import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSamples } from '@casefile/cli/up/samples';
import {
  isObject,
  PERSONAL_DATA,
  type CaseDocument,
  type Json,
  type JsonObject,
  type LanguageModel,
  type Masking,
  type ModelRequest,
} from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import { questionText } from '@casefile/kit/demonstration/question';
import { startSimulator, type Simulator } from '@casefile/llm-simulator/simulator';
import { Pseudonyms } from '@casefile/masking';
import { diffRuns } from '@casefile/pipeline';
import { startingSet } from '@casefile/runtime';
import { playbooks } from '@casefile/shipped/loaded';
import { verdictBytes } from './testing/recorded-samples.js';
import { playResearch } from './testing/research-simulator.js';
import { simulatedModel } from './testing/simulated-model.js';
import { inlineWorld, type World } from './testing/world.js';

/** Planted values, each with the form in which it must not leave. */
const VALUES = {
  EMAIL: 'jane.kanarie@mail.example',
  PHONE: '+49 170 7654321',
  IBAN: 'DE89370400440532013000',
  CARD: '4111 1111 1111 1111',
  IP: '203.0.113.77',
  ID: '529.982.247-25',
  CUSTOMER: 'KD-20261127',
};
const PLANT = Object.values(VALUES).join(' ; ');
const MASKING: Masking = {
  rules: 1,
  personalData: [...PERSONAL_DATA],
  patterns: [{ name: 'customer', pattern: String.raw`KD-\d{8}` }],
};
const KINDS = playbooks.map(({ name }) => name);
const PSEUDONYM = new RegExp(`\\[(?:${Object.keys(VALUES).join('|')})-[A-Z]{6}(?:-[A-Z]{2})?\\]`, 'g');
const isResearch = (system: string) => system.includes('查證研究') || system.startsWith('你負責交叉查核');

let simulator: Simulator;
let world: World;
/** Requests that reached the provider, in order. */
const sent: ModelRequest[] = [];
const cases = new Map<string, { found: CaseDocument; requests: ModelRequest[] }>();

function config(): string {
  const { personalData, patterns } = MASKING;
  const named = Object.fromEntries(patterns.map(({ name, pattern }) => [name, pattern]));
  const masking = { personalData, patterns: named };
  const own: Record<string, JsonObject> = { research: { reuseForMs: 0 } };
  const playbooks = Object.fromEntries(KINDS.map((kind) => [kind, { ...own[kind], masking }]));
  const file = join(temporaryFolder('masking'), 'config.yaml');
  writeFileSync(file, JSON.stringify({ playbooks }));
  return file;
}

/** Adds the values to every text of a value that consists of words. */
function planted(value: Json): Json {
  if (typeof value === 'string') return /\s|[^\0-\x7f]{4}/.test(value) ? `${value} ${PLANT}` : value;
  if (Array.isArray(value)) return value.map(planted);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value as JsonObject).map(([name, one]) => [name, planted(one)]));
}

const evidence = [
  {
    toolName: 'scam_db',
    entityType: 'phone',
    entityValue: VALUES.PHONE,
    result: { found: true, title: `A report ${PLANT}`, comment: PLANT },
    message: PLANT,
    source: PLANT,
  },
];

beforeAll(async () => {
  simulator = await startSimulator({
    answer: (question) => (isResearch(questionText(question, 'system')) ? playResearch(0)(question) : null),
  });
  const model = simulatedModel(simulator);
  const capturing: LanguageModel = {
    ...model,
    complete: (request, options) => {
      sent.push(request);
      return model.complete(request, options);
    },
  };
  world = await inlineWorld(capturing, { CASEFILE_CONFIG: config() });
  const { alerts, lookedUp } = await readSamples();
  await world.platform.knowledge.seed(await startingSet());
  await world.platform.knowledge.seed(lookedUp);
  for (const kind of KINDS) {
    const { text, payload, ...rest } = alerts.find(({ playbook }) => playbook === kind)!;
    const from = sent.length;
    const { caseId } = await world.accept({
      ...rest,
      ...(text === undefined ? {} : { text: planted(text) }),
      ...(payload === undefined ? {} : { payload: planted(payload) }),
      ...(kind === 'scam-verdict' ? { evidence } : {}),
    });
    cases.set(kind, {
      found: await world.ended(caseId),
      requests: sent.slice(from),
    });
  }
}, 300_000);
afterAll(async () => {
  await world.close();
  await simulator.close();
});

const tight = (text: string) => text.replaceAll(/[ -]/g, '');

describe('S2-21 masking of personal data', () => {
  it.each(KINDS)('no request of a case of %s has a planted value', (kind) => {
    const { requests, found } = cases.get(kind)!;
    expect(requests.length).toBeGreaterThan(0);
    const text = tight(JSON.stringify(requests));
    for (const value of Object.values(VALUES)) expect(text).not.toContain(tight(value));
    expect(text).toContain('[EMAIL');
    const recorded = tight(JSON.stringify(found.runs.flatMap(({ interactions }) => interactions)));
    for (const value of Object.values(VALUES)) expect(recorded).not.toContain(tight(value));
  });

  it.each(KINDS)('the record, verdict and report of %s have values, and no pseudonym', (kind) => {
    const { runs } = cases.get(kind)!.found;
    const texts = runs.map(({ artifacts, verdict, toolCalls }) =>
      JSON.stringify([artifacts, verdict, toolCalls]),
    );
    expect(texts.join('').match(PSEUDONYM)).toBeNull();
    expect(texts.join('')).toContain(VALUES.EMAIL);
  });

  it('a value has one pseudonym in all requests of a case, and another one in another case', async () => {
    const pseudonyms = await Promise.all(
      KINDS.map((kind) => new Pseudonyms(cases.get(kind)!.found.id, MASKING).mask(VALUES.EMAIL)),
    );
    expect(new Set(pseudonyms).size).toBe(KINDS.length);
    for (const [i, kind] of KINDS.entries()) {
      const text = JSON.stringify(cases.get(kind)!.requests);
      expect(pseudonyms.filter((one) => text.includes(one))).toEqual([pseudonyms[i]]);
    }
  });

  it.each(KINDS)('a replay of %s asks the same and decides the same, without the model', async (kind) => {
    const { id, runs } = cases.get(kind)!.found;
    const before = sent.length;
    const { runId } = await world.platform.rerun.open(id, { lane: 'replay' });
    const after = await world.ended(id);
    const run = after.runs.find((one) => one.id === runId)!;
    expect([run.status, run.message]).toEqual([runs[0]!.status, runs[0]!.message]);
    expect(verdictBytes(run)).toBe(verdictBytes(runs[0]!));
    expect(diffRuns(runs[0]!, run)).toMatchObject({
      same: true,
      firstDivergence: null,
    });
    expect(sent).toHaveLength(before);
  });
});
