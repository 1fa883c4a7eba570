import { readdirSync, readFileSync } from 'node:fs';
import { DISPOSITIONS, jsonObjectSchema, z, type CaseDocument } from '@casefile/contracts';
import { kinds } from '@casefile/shipped/loaded';
import type { ScriptInput } from '@casefile/llm-simulator/script';
import { startSimulator, type Simulator } from '@casefile/llm-simulator/simulator';
import { connect, readConfig } from '@casefile/runtime';
import { testDatabase, type TestDatabase } from '@casefile/store/testing';
import { configuredWorld, type ConfiguredWorld } from '../testing/configured-world.js';
import { importPolicy, importSamplePolicy } from '../testing/sample-policy.js';
import { scamPatternSeed } from '../testing/screening-samples.js';
import { testEnvironment } from '../testing/world.js';

/** Results that an analyst would accept for a case in one state of the models. */
const expectedSchema = z.object({
  disposition: z.array(z.enum(DISPOSITIONS)).min(1).max(2),
  outcome: z.record(z.string(), z.array(z.union([z.string(), z.boolean()]))).default({}),
});
const caseSchema = z.object({
  id: z.string(),
  why: z.string(),
  alert: jsonObjectSchema,
  expect: z.object({ none: expectedSchema, failing: expectedSchema, simulator: expectedSchema }),
});
type ProductCase = z.infer<typeof caseSchema>;
type State = keyof ProductCase['expect'];

const TABLES = { 'scam-verdict': 20, 'message-screening': 20, 'policy-check': 20, 'other-policies': 6 };
const CASES = Object.entries(TABLES).flatMap(([name, count]) => {
  const file = new URL(`../product-cases/${name}.json`, import.meta.url);
  return z
    .array(caseSchema)
    .length(count)
    .parse(JSON.parse(readFileSync(file, 'utf8')));
});
/** Answers of the honest model to every criterion of a policy. */
const POLICY_ANSWERS = JSON.parse(
  readFileSync(new URL('../product-cases/policy-answers.json', import.meta.url), 'utf8'),
) as ScriptInput['policyAnswers'];
/** Policies of the cases that are not under the sample policy. */
const POLICIES = new URL('../product-cases/policies/', import.meta.url);

/** Rule of the requirements that the expectations of a playbook follow. */
const IDS: Record<string, string> = {
  'scam-verdict': 'S1-16 S1-17',
  'message-screening': 'S3-41 S3-44',
  'policy-check': 'S4-40 S4-41',
};
const titleOf = ({ id, why, alert }: ProductCase) => `${IDS[String(alert['playbook'])]} ${id}: ${why}`;

/** Short waits for a model that fails: how long an outage lasts is no matter of what comes of it. */
const SHORT_WAITS = `
playbooks:
  scam-verdict: { deadlineMs: 2000 }
  message-screening: { deadlineMs: 2000 }
  policy-check: { callTimeoutMs: 1000, patienceMs: 2000 }
`;
/** Long ones for a model that answers, and for local look-ups: so many cases at once are slow. */
const LONG_WAITS = `
playbooks:
  scam-verdict: { deadlineMs: 60000 }
  message-screening: { deadlineMs: 60000 }
  policy-check: { callTimeoutMs: 60000, patienceMs: 120000 }
`;
const TOOLS = `
tools:
  find_similar_scams: { timeoutMs: 120000 }
  text_signals: { timeoutMs: 120000 }
  scam_db: { timeoutMs: 120000 }
`;
const PROVIDER = { LLM_PROVIDER: 'simulator' };
const WITHIN_MS = 240_000;

type Then = ScriptInput['then'];

/** Behaviour of the models, and the expectations of a case that apply to it. */
const STATES: [string, State, { provider: boolean; then?: Then }][] = [
  ['no model', 'none', { provider: false }],
  ['a model that answers 500', 'failing', { provider: true, then: { kind: 'status', status: 500 } }],
  ['a model that never answers', 'failing', { provider: true, then: { kind: 'rules', delayMs: 600_000 } }],
  ['an honest simulated model', 'simulator', { provider: true }],
];

/** Database with the knowledge that all states share. */
let sharedDatabase: TestDatabase;
beforeAll(async () => {
  sharedDatabase = await testDatabase();
  const urls = { DATABASE_URL: sharedDatabase.url, QUEUE_URL: sharedDatabase.url };
  const { adapters, close } = await connect(readConfig(testEnvironment(urls), kinds), []);
  const { policies } = adapters.knowledge;
  await adapters.knowledge.seed(scamPatternSeed());
  await importSamplePolicy(policies);
  for (const name of readdirSync(POLICIES)) await importPolicy(policies, new URL(name, POLICIES));
  await close();
});
afterAll(() => sharedDatabase.drop());

describe.each(STATES)('real-looking cases with %s', (_name, state, { provider, then }) => {
  let simulator: Simulator;
  let world: ConfiguredWorld;
  const caseDocuments = new Map<string, CaseDocument>();

  beforeAll(async () => {
    simulator = await startSimulator({ script: { then, policyAnswers: POLICY_ANSWERS } });
    const env = provider ? { ...PROVIDER, LLM_BASE_URL: simulator.baseUrl } : { LLM_PROVIDER: 'none' };
    const waits = then === undefined ? LONG_WAITS : SHORT_WAITS;
    world = await configuredWorld(waits + TOOLS, env, sharedDatabase);
    const accepted = [];
    for (const { alert } of CASES) accepted.push(await world.accept(alert));
    const ended = await world.ended(
      accepted.map(({ caseId }) => caseId),
      WITHIN_MS,
    );
    CASES.forEach(({ id }, index) => caseDocuments.set(id, ended[index]!));
  }, WITHIN_MS + 60_000);
  afterAll(async () => {
    await world.close();
    await simulator.close();
  });

  it.each(CASES.map((one) => [titleOf(one), one] as const))('%s', (_, one) => {
    expectAsAnAnalyst(one);
  });

  function expectAsAnAnalyst(one: ProductCase): void {
    const verdict = caseDocuments.get(one.id)?.runs[0]?.verdict;
    const { disposition, outcome } = one.expect[state];
    expect(disposition).toContain(verdict?.disposition);
    for (const [field, accepted] of Object.entries(outcome))
      expect([field, accepted]).toEqual([field, expect.arrayContaining([verdict?.outcome[field]])]);
    if (state === 'failing') expect(verdict).toMatchObject({ degraded: true, method: 'heuristic' });
  }
});
