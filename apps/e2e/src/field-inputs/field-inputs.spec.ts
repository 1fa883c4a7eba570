import { readFileSync } from 'node:fs';
import type { CaseDocument, JsonObject, LanguageModel } from '@casefile/contracts';
import { importers, prepareImport, wholeContent } from '@casefile/knowledge';
import { createLanguageModel, readProviderTable, resolveProvider } from '@casefile/llm';
import { systemClock } from '@casefile/runtime';
import { startScriptedModel, type ModelScript, type ScriptedModel } from '../model-shapes/scripted-model.js';
import { realWorld, type World } from '../testing/world.js';

/** Expected results; a field that is left out is not checked. */
interface Expected {
  /** Fields of the verdict. */
  verdict?: JsonObject;
  /** Texts in the verdict's outcome and reasons. */
  outcome?: string[];
  outcomeExcludes?: string[];
  /** Texts in the brief, which holds entities and notes. */
  brief?: string[];
  briefExcludes?: string[];
  /** Texts in the request of the first model call. */
  prompt?: string[];
  /** Text in the reasoning of the last model call. */
  reasoning?: string;
  /** Name of the runbook that the evidence holds. */
  runbook?: string;
  callsAtMost?: number;
  /** The alert opens no case, for this reason. */
  ignored?: string;
}

/** One input as users of other tools sent or reported it. */
interface FieldInput {
  name: string;
  /** Public report or form that the input follows. */
  source: string;
  /** Result that a user expects, in words. */
  right: string;
  import?: { base: 'policy' | 'runbooks'; files: Record<string, string> };
  model?: ModelScript;
  path: string;
  body: JsonObject;
  expect: Expected;
}

const inputsOf = (area: string): FieldInput[] =>
  JSON.parse(readFileSync(new URL(`${area}.json`, import.meta.url), 'utf8')) as FieldInput[];
const INPUTS = ['alerts', 'messages', 'models', 'policies', 'research'].flatMap(inputsOf);

async function importInto({ platform }: World, { base, files }: NonNullable<FieldInput['import']>) {
  const importer = importers.find(({ name }) => name === base)!;
  const sources = Object.entries(files).map(([name, text]) => ({
    name,
    path: name,
    content: wholeContent(() => Buffer.from(text)),
  }));
  const put = prepareImport(importer, { name: 'field', origin: 'field', files: sources }, {});
  const failures: string[] = [];
  await put({
    knowledge: platform.knowledge,
    embeddingModel: '',
    cases: platform.store.record,
    signal: new AbortController().signal,
    summaries: null,
    news: {
      result: () => undefined,
      failure: (line) => void failures.push(line),
      note: () => undefined,
      progress: () => ({ to: () => undefined, end: () => undefined }),
    },
  });
  expect(failures).toEqual([]);
}

async function judgeInput(
  world: World,
  { path, body, import: before, expect: expected }: FieldInput,
): Promise<CaseDocument | null> {
  if (before !== undefined) await importInto(world, before);
  const answer = await fetch(`${world.ingestUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const accepted = (await answer.json()) as { caseId?: string; results?: { caseId: string }[] };
  expect([answer.status, accepted]).toEqual([202, expect.anything()]);
  if (expected.ignored !== undefined) {
    expect(accepted).toMatchObject({ ignored: expected.ignored });
    return null;
  }
  return world.ended((accepted.results?.[0]?.caseId ?? accepted.caseId)!);
}

function expectAll(text: string, holds: string[] = [], excludes: string[] = []): void {
  for (const one of holds) expect(text).toContain(one);
  for (const one of excludes) expect(text).not.toContain(one);
}

function check(judged: CaseDocument | null, expected: Expected): void {
  if (judged === null) return;
  const { runs } = judged;
  const [{ verdict, artifacts, interactions }] = runs as [CaseDocument['runs'][0]];
  const written = (name: string) =>
    JSON.stringify(artifacts.filter(({ artifact }) => artifact === name).map(({ body }) => body));
  expect(verdict).not.toBeNull();
  expect(verdict).toMatchObject(expected.verdict ?? {});
  expectAll(JSON.stringify([verdict?.outcome, verdict?.reasons]), expected.outcome, expected.outcomeExcludes);
  expectAll(written('brief'), expected.brief, expected.briefExcludes);
  expectAll(JSON.stringify(interactions[0]?.request ?? null), expected.prompt);
  if (expected.reasoning !== undefined)
    expect(interactions.at(-1)?.reasoningContent).toContain(expected.reasoning);
  if (expected.runbook !== undefined)
    expect(JSON.stringify(verdict?.outcome['runbook']).toLowerCase()).toContain(expected.runbook);
}

it('gives each input a name of its own', () => {
  expect(new Set(INPUTS.map(({ name }) => name)).size).toBe(INPUTS.length);
});

describe('inputs from the field, without a model', () => {
  let world: World;
  beforeAll(async () => void (world = await realWorld('inline', null)));
  afterAll(() => world.close());

  const ruled = INPUTS.filter(({ model }) => model === undefined);
  it.each(ruled.map((input) => [input.name, input.right, input] as const))(
    '%s: %s',
    async (_name, _right, input) => check(await judgeInput(world, input), input.expect),
  );
});

describe('inputs from the field, with a model server', () => {
  let world: World;
  let server: ScriptedModel;
  let model: LanguageModel;
  beforeAll(async () => {
    server = await startScriptedModel();
    world = await realWorld('inline', {
      provider: 'vllm',
      model: 'scripted',
      complete: (request, options) => model.complete(request, options),
    });
  });
  // Each input gets a new model, because a model remembers the parameters that its server refuses.
  beforeEach(() => {
    const own = { table: readProviderTable(), name: 'vllm', env: {}, baseUrl: server.baseUrl };
    model = createLanguageModel(resolveProvider(own).entry, { apiKey: null, clock: systemClock });
  });
  afterAll(async () => {
    await world.close();
    await server.close();
  });

  const asked = INPUTS.flatMap(({ model: script, ...input }) =>
    script === undefined ? [] : [{ ...input, script }],
  );
  it.each(asked.map((input) => [input.name, input.right, input] as const))(
    '%s: %s',
    async (name, _right, { script, ...input }) => {
      server.play(script);
      const { text, payload, ...rest } = input.body;
      // A marker of its own opens a case of its own for each input.
      const marked: JsonObject =
        typeof text === 'string'
          ? { text: `${text} (${name})` }
          : { payload: { ...(payload as JsonObject), title: name } };
      const body = input.path === '/v1/alerts' ? { ...rest, ...marked } : input.body;
      check(await judgeInput(world, { ...input, body }), input.expect);
      if (input.expect.callsAtMost !== undefined)
        expect(server.requests().length).toBeLessThanOrEqual(input.expect.callsAtMost);
    },
  );
});
