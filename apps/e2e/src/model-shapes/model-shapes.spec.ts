import { readFileSync } from 'node:fs';
import type { CaseDocument, JsonObject, LanguageModel } from '@casefile/contracts';
import { pause } from '@casefile/contracts/testing';
import { parseDocument } from '@casefile/knowledge';
import { createLanguageModel, readProviderTable, resolveProvider } from '@casefile/llm';
import { systemClock } from '@casefile/runtime';
import { inlineWorld, type World } from '../testing/world.js';
import { startScriptedModel, type ModelScript, type ScriptedModel } from './scripted-model.js';

/** Expected result of a shape. An absent field is not checked. */
interface Expected {
  method?: string;
  riskLevel?: string;
  confidence?: number;
  degraded?: boolean;
  degradedBy?: string[];
  /** Stands in the reasoning of the last call on the record. */
  reasoning?: string;
  /** Stands in a reason of the verdict. */
  reasons?: string;
  /** Stands in the rationale of the first criterion. */
  rationale?: string;
  calls?: number;
  callsAtMost?: number;
}

interface Shape extends ModelScript {
  name: string;
  alert: JsonObject;
  expect: Expected;
}

const SHAPES = JSON.parse(
  readFileSync(new URL('shapes.json', import.meta.url), 'utf8'),
) as unknown as Shape[];
const POLICY =
  '# Claims of shapes\n\n## 1 Notice\n\nA loss must be notified within 30 days of the loss date.\n';

describe('answers of models as users report them, through the whole flow', () => {
  let world: World;
  let server: ScriptedModel;
  let model: LanguageModel;
  beforeAll(async () => {
    server = await startScriptedModel();
    world = await inlineWorld({
      provider: 'vllm',
      model: 'scripted',
      complete: (request, options) => model.complete(request, options),
    });
    const parsed = await parseDocument({ name: 'shape-claims.md', bytes: Buffer.from(POLICY) });
    await world.platform.knowledge.policies.importPolicy({
      ...parsed,
      policyId: 'shape-claims',
      language: 'en',
    });
  });
  // A new model for each shape: what a server refuses is remembered.
  beforeEach(() => {
    const { entry } = resolveProvider({
      table: readProviderTable(),
      name: 'vllm',
      env: {},
      baseUrl: server.baseUrl,
    });
    model = createLanguageModel(entry, { apiKey: null, clock: systemClock });
  });
  // A server that answers every attempt with an error opens its circuit.
  afterEach(async () => {
    const { providers } = world.platform.store;
    if ((await providers.states()).every(({ state }) => state === 'closed')) return;
    await providers.succeeded('vllm');
    await pause(1_000, 'a process reads the circuits once a second');
  });
  afterAll(async () => {
    await world.close();
    await server.close();
  });

  const played = async (shape: Shape): Promise<CaseDocument['runs'][number]> => {
    server.play(shape);
    const { text, ...alert } = shape.alert;
    // The name makes it a case of its own.
    const alertText = typeof text === 'string' ? { text: `${text} (${shape.name})` } : {};
    const { caseId } = await world.accept({ ...alert, ...alertText });
    const { runs } = await world.ended(caseId);
    return runs[0]!;
  };

  it.each(SHAPES.map((shape) => [shape.name, shape] as const))('%s', async (_name, shape) => {
    const { verdict, interactions } = await played(shape);
    const { expect: expected } = shape;
    expect(verdict).not.toBeNull();
    const { outcome, degraded, degradedBy, method, confidence, reasons } = verdict!;
    const criteria = (outcome['criteria'] ?? []) as JsonObject[];
    const seen = { method, riskLevel: outcome['riskLevel'], confidence, degraded, degradedBy };
    const named = Object.keys(seen).filter((key) => key in expected);
    expect(seen).toMatchObject(
      Object.fromEntries(named.map((key) => [key, expected[key as keyof Expected]])),
    );
    if (expected.reasoning !== undefined)
      expect(interactions.at(-1)?.reasoningContent).toContain(expected.reasoning);
    if (expected.reasons !== undefined) expect(reasons.join(' ')).toContain(expected.reasons);
    if (expected.rationale !== undefined) expect(criteria[0]?.['rationale']).toContain(expected.rationale);
    if (expected.calls !== undefined) expect(server.requests()).toHaveLength(expected.calls);
    if (expected.callsAtMost !== undefined)
      expect(server.requests().length).toBeLessThanOrEqual(expected.callsAtMost);
  });
});
