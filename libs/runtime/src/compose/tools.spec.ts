import { readFileSync } from 'node:fs';
import { noTelemetry, silentLogger, type LanguageModel, type ModelRequest } from '@casefile/contracts';
import { countingIds, manualClock } from '@casefile/contracts/testing';
import { createToolRunner, createTools, toolBox } from '@casefile/evidence';
import { openKnowledge, parseDocument } from '@casefile/knowledge';
import { silentPorts } from '@casefile/knowledge/testing';
import { testRecord } from '@casefile/store/testing';
import { ToolExecutor } from '@casefile/engine';
import { anAnswer, freeCalls, waitingRun, alwaysModel } from '@casefile/engine/testing';
import { readPrompts } from '../config/installed-prompts.js';
import { chooseSectionsPrompt } from '@casefile/pipeline';
import { askForSections } from './tools.js';

const SAMPLE = new URL('../../../../samples/policies/claims-handling.md', import.meta.url);

const record = testRecord();

/** Runs a search over the sample policy as a separate job, led by this model. */
async function searchLedBy(answer: (request: ModelRequest) => string) {
  const clock = manualClock();
  const ids = countingIds();
  const { store } = record();
  const { policies, scamReports } = openKnowledge(store.database, silentPorts());
  const parsed = await parseDocument({ name: 'claims-handling.md', bytes: readFileSync(SAMPLE) });
  await policies.importPolicy({ ...parsed, policyId: 'claims', language: 'en' });
  const args = { policyId: 'claims', version: 1, query: 'How soon must a household claim be notified?' };
  const call = { id: ids.id(), tool: 'pi_search', args };
  const wait = { step: 2, calls: [call], timeoutMs: 60_000 };
  const accepted = await waitingRun(store, ids, wait);
  const asked: ModelRequest[] = [];
  const model: LanguageModel = {
    provider: 'fake',
    model: 'm',
    complete: async (request) => (asked.push(request), anAnswer({ content: answer(request) })),
  };
  const shared = { clock, log: silentLogger, telemetry: noTelemetry };
  const settings = {
    exa: { baseUrl: 'http://127.0.0.1:1' },
    virusTotal: { baseUrl: 'http://127.0.0.1:1' },
    rdap: {},
  };
  const prompts = readPrompts([chooseSectionsPrompt]);
  const tools = createTools(settings, {
    scamReports,
    policies,
    chooseSections: askForSections(prompts),
  });
  const executor = new ToolExecutor(
    {
      store,
      nudger: { nudge: async () => undefined },
      ids,
      ...shared,
      runner: createToolRunner({ tools: toolBox(tools), ...shared }),
      models: alwaysModel(model),
      prompts,
      calls: freeCalls(),
      modelFeatures: {},
    },
    6_000,
  );
  await executor.handle({ toolCallId: call.id });
  const run = (await store.record.getCase(accepted.caseId))!.runs[0]!;
  return { asked, call: run.toolCalls[0]!, interactions: run.interactions, tree: parsed.sections };
}

describe('S4-10 a model that leads a search', () => {
  it('S2-20 S4-33 is asked once about a policy of over a hundred sections, for little, on the record', async () => {
    const named = (request: ModelRequest) => {
      const line = /\[(\d+)\] [^\n]*household/i.exec(request.messages.at(-1)!.content);
      return JSON.stringify({ nodeIds: [line?.[1]] });
    };
    const { asked, call, interactions, tree } = await searchLedBy(named);
    expect(tree.length).toBeGreaterThan(100);
    expect(asked.map(({ promptId }) => promptId)).toEqual(['pi-search/choose@2']);
    // About four characters of English per token, so about 1,400 tokens.
    expect(JSON.stringify(asked[0]!.messages).length).toBeLessThan(5_600);
    expect(call).toMatchObject({
      state: 'succeeded',
      result: { by: 'model', fallbackReason: null, found: 1, usage: { inputTokens: 1, outputTokens: 1 } },
    });
    expect(interactions).toMatchObject([
      { toolCallId: call.id, promptId: 'pi-search/choose@2', state: 'completed', step: 1 },
    ]);
  });

  it('is left out of it when it answers in prose', async () => {
    const { call, interactions } = await searchLedBy(() => 'I would look at the household chapter.');
    expect(call).toMatchObject({ result: { by: 'keywords', fallbackReason: 'invalid_answer' } });
    expect(interactions).toHaveLength(1);
  });
});
