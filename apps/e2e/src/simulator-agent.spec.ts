import { startSimulator, type Simulator } from '@casefile/llm-simulator/simulator';
import { kinds } from '@casefile/shipped/loaded';
import type { ScriptInput } from '@casefile/llm-simulator/script';
import type { ModelMessage, ModelToolCall, ModelToolSpec } from '@casefile/contracts';
import { createLanguageModel, readProviderTable, resolveProvider } from '@casefile/llm';
import { aModelRequest, someCallOptions } from '@casefile/llm/testing';
import { chooseSections, drawMark, questionRequest } from '@casefile/pipeline';
import { readConfig, systemClock } from '@casefile/runtime';

/** Models that insist on their reasoning, each with what shows it. */
const ENTRIES = {
  'openai-chat': { path: '/v1', model: 'any' },
  'openai-responses': { path: '/v1', model: 'any', reasoningParams: { reasoning: { summary: 'auto' } } },
  anthropic: {
    path: '',
    model: 'claude-opus-5-5',
    reasoningParams: { thinking: { type: 'adaptive', display: 'summarized' } },
  },
  gemini: {
    path: '/v1beta',
    model: 'gemini-3-simulated',
    reasoningParams: { thinkingConfig: { includeThoughts: true } },
  },
} as const;
type Protocol = keyof typeof ENTRIES;
const KEY = 'SIMULATED_KEY';
const PROTOCOLS = Object.keys(ENTRIES) as Protocol[];
const CASES = PROTOCOLS.flatMap((protocol) => [false, true].map((stream) => [protocol, stream] as const));

const fence = (text: string) => `<<<DATA 0123abcd\n${text}\nDATA 0123abcd>>>`;
const TOOLS: ModelToolSpec[] = ['pi_search', 'facts_get', 'spans_tighten', 'finish'].map((name) => ({
  name,
  description: `The tool ${name}.`,
  parameters: { type: 'object', properties: {} },
}));
const CRITERION_MESSAGES: ModelMessage[] = [
  { role: 'system', content: 'Check one criterion with the tools.' },
  {
    role: 'user',
    content: `Criterion\n${fence('Was the claim notified in time?')}\nFacts on file\n${fence('loss_date, notified_on')}`,
  },
];
/** The answer that the agent finishes with. */
const POLICY_ANSWERS = [
  {
    criterion: 'Was the claim notified in time?',
    status: 'MET',
    quotes: ['A claim must be notified within 30 days of the loss date.'],
    facts: ['loss_date', 'notified_on'],
  },
] satisfies ScriptInput['policyAnswers'];
const RESULTS: Record<string, string> = {
  pi_search:
    // Cut, so that its exact words are asked for.
    '[0042] 4.1 Notice of claims (p. 3)\n  A claim must be notified within 30 days of the loss date. Where…',
  spans_tighten: '[0042] "A claim must be notified within 30 days of the loss date." (p. 3)',
  loss_date: 'fact loss_date#1: loss_date = 2026-04-02 (confidence 0.97, form.pdf p. 1)',
  notified_on: 'fact notified_on#1: notified_on = 2026-04-30 (confidence 0.97, form.pdf p. 1)',
};

/** A conversation over the real adapter, at most so many turns. */
async function converse(simulator: Simulator, protocol: Protocol, stream: boolean, most = 8) {
  const { path, ...entry } = ENTRIES[protocol];
  const simulated = { protocol, ...entry, stream, keyVariable: KEY, baseUrl: simulator.origin + path };
  const table = readProviderTable({ simulated });
  const resolved = resolveProvider({ table, name: 'simulated', env: { [KEY]: 'made-up' } });
  const model = createLanguageModel(resolved.entry, { apiKey: resolved.apiKey, clock: systemClock });
  const messages = [...CRITERION_MESSAGES];
  const turns: ModelToolCall[][] = [];
  while (turns.length < most) {
    const request = aModelRequest({ messages, tools: TOOLS, toolChoice: 'required', maxOutputTokens: 4_000 });
    const { content, toolCalls, providerState } = await model.complete(request, someCallOptions());
    turns.push(toolCalls);
    if (toolCalls.some(({ name }) => name === 'finish')) break;
    const state = providerState === undefined ? {} : { providerState };
    messages.push({ role: 'assistant', content, toolCalls, ...state });
    messages.push(...toolCalls.map((call, index) => resultOf(call, index === toolCalls.length - 1)));
    if (toolCalls.length === 0) messages.push({ role: 'user', content: 'Call a tool.' });
  }
  return turns;
}

function resultOf({ id, name, args }: ModelToolCall, last: boolean): ModelMessage {
  const key = typeof args === 'object' && args !== null && 'name' in args ? String(args.name) : name;
  const content = RESULTS[key];
  if (content === undefined)
    return { role: 'tool', toolCallId: id, content: 'error: unknown', isError: last };
  return { role: 'tool', toolCallId: id, content: fence(content) };
}

it('S4-10 the simulator names sections in answer to the prompt that asks for them', async () => {
  const simulator = await startSimulator();
  const table = readProviderTable();
  const { entry } = resolveProvider({ table, name: 'simulator', env: {}, baseUrl: `${simulator.origin}/v1` });
  const model = createLanguageModel(entry, { apiKey: null, clock: systemClock });
  const sections = [
    ['0001', 'Claims', 'how claims are handled', 0],
    ['0002', 'Notice of travel claims', 'within 21 days of the loss', 1],
    ['0003', 'Police', 'theft is reported at once', 1],
    ['0004', 'Notice of household claims', 'within 30 days of the loss', 1],
  ].map(([nodeId, title, summary, depth]) => ({
    nodeId: String(nodeId),
    title: String(title),
    summary: String(summary),
    depth: Number(depth),
    below: 0,
  }));
  const offered = { query: 'notice of a household claim', sections, limit: 2 };
  const question = chooseSections(offered, readConfig({}, kinds).prompts);
  const request = questionRequest(question, drawMark({ seed: 'drawn', deadlineAt: null }, 1));
  const { content } = await model.complete(request, someCallOptions());
  expect(question.read(content)).toEqual({ value: ['0004', '0002'] });
  await simulator.close();
});

describe('the simulated agent over every protocol', () => {
  let simulator: Simulator;
  beforeAll(async () => void (simulator = await startSimulator()));
  afterAll(() => simulator.close());
  afterEach(() => simulator.reset());

  const script = (then: ScriptInput['then']) =>
    simulator.setScript({
      then,
      policyAnswers: POLICY_ANSWERS,
      chat: { requireReasoning: true, reasoningField: 'reasoning_content' },
    });

  it.each(CASES)(
    'S4-01 S4-02 S4-03 on %s, streamed: %s, with its reasoning and ids sent back as they came',
    async (protocol, stream) => {
      script({ kind: 'rules' });
      const turns = await converse(simulator, protocol, stream);
      expect(turns.map((calls) => calls.map(({ name }) => name))).toEqual([
        ['pi_search', 'facts_get'],
        ['spans_tighten'],
        ['facts_get'],
        ['finish'],
      ]);
      expect(turns.at(-1)?.[0]?.args).toMatchObject({
        status: 'MET',
        citations: [
          { kind: 'quote', nodeId: '0042', page: 3 },
          { kind: 'fact', fact: 'loss_date#1' },
          { kind: 'fact', fact: 'notified_on#1' },
        ],
      });
      // Nothing was refused, and nothing asked for again.
      expect(simulator.calls().byKind).toEqual({ rules: 4 });
    },
  );

  it.each(PROTOCOLS)('S4-04 misbehaves on %s as it is scripted', async (protocol) => {
    script({ kind: 'agent', fault: 'twelve-calls' });
    const [first = []] = await converse(simulator, protocol, false, 2);
    expect(new Set(first.map(({ id }) => id)).size).toBe(12);
    script({ kind: 'agent', fault: 'prose' });
    expect(await converse(simulator, protocol, false, 3)).toEqual([[], [], []]);
    script({ kind: 'agent', fault: 'unknown-tool' });
    const unknown = await converse(simulator, protocol, true, 3);
    expect(unknown.flat().map(({ name }) => name)).toEqual(Array.from({ length: 3 }, () => 'delete_policy'));
    script({ kind: 'agent', fault: 'fixed-turns', n: 5 });
    expect(await converse(simulator, protocol, false)).toHaveLength(5);
    expect(simulator.calls().byKind).toEqual({ agent: 13 });
  });
});
