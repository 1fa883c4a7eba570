import {
  CasefileError,
  UnusableAnswer,
  type ModelRequest,
  type ModelResponse,
  type PolicySection,
} from '@casefile/contracts';
import { testRecord } from '@casefile/store/testing';
import { postgresPolicies } from './postgres-policies.js';
import type { PolicyInput } from './policy-base.js';
import { planSummaries, summarise, writeSummaries } from './summaries.js';
import type { SummaryModel } from './summary-model.js';

const record = testRecord();
const POLICY = { policyId: 'claims', version: 1 };

/** A chapter whose own text is short, with 60 rules below it: ten calls. */
const BOOK: PolicyInput = {
  ...POLICY,
  title: 'Claims',
  language: 'en',
  format: 'markdown',
  source: 'claims.md',
  pages: null,
  sourceDigest: '0'.repeat(64),
  sections: Array.from({ length: 61 }, (_, i) => ({
    nodeId: String(i).padStart(4, '0'),
    parentId: i === 0 ? null : '0000',
    level: i === 0 ? 1 : 2,
    title: `Rule ${i}`,
    text: i === 0 ? 'A preamble.' : `rule ${i} `.repeat(60),
    pages: null,
    lines: null,
    summary: i === 1 ? 'extracted Below: parts' : 'extracted',
  })),
};

/** The ids of the sections that a request asks about. */
const idsIn = (request: ModelRequest): string[] =>
  [...(request.messages.at(-1)?.content.matchAll(/^Section (\d+)$/gm) ?? [])].map(([, id]) => id ?? '');
const written = (request: ModelRequest) =>
  anAnswer({
    content: JSON.stringify({
      summaries: idsIn(request).map((nodeId) => ({ nodeId, summary: `says ${nodeId}` })),
    }),
    costUsd: 0.01,
  });

const USAGE = { inputTokens: 1, outputTokens: 1, reasoningTokens: 0, cachedTokens: 0 };
function anAnswer(over: Partial<ModelResponse>): ModelResponse {
  const said = { content: '', toolCalls: [], finishReason: 'stop', reasoning: null, raw: {}, costUsd: 0.1 };
  return { provider: 'fake', model: 'm', ...said, usage: USAGE, ...over };
}

/** Asks about sections by their ids, and takes whatever is JSON. */
function questionAbout(title: string, sections: readonly PolicySection[]) {
  const content = [title, ...sections.map(({ nodeId }) => `Section ${nodeId}`)].join('\n');
  const request = { promptId: 'p@1', messages: [{ role: 'user', content }] } as unknown as ModelRequest;
  const read: ReturnType<SummaryModel['questionAbout']>['read'] = (answer) => {
    if (!answer.startsWith('{')) return { problem: 'expected JSON' };
    return { value: (JSON.parse(answer) as { summaries: { nodeId: string; summary: string }[] }).summaries };
  };
  return { request, read };
}

async function setUp(
  complete: (request: ModelRequest, n: number) => Promise<ModelResponse>,
  worstUsd: number | null = 0.02,
) {
  const store = postgresPolicies(record().store.database);
  await store.importPolicy(BOOK);
  const asked: ModelRequest[] = [];
  const waits: number[] = [];
  const model: SummaryModel = {
    name: 'fake/m',
    byDefault: true,
    questionAbout,
    worstUsd: () => worstUsd,
    complete: (request) => complete(request, asked.push(request)),
    sleep: async (ms) => void waits.push(ms),
  };
  const plan = () => planSummaries(store, POLICY, model);
  const progress: [number, number][] = [];
  const write = async () =>
    writeSummaries(await plan(), store, model, (done, total) => progress.push([done, total]));
  const tree = () => store.policyTree(POLICY);
  return { store, model, asked, waits, progress, plan, write, tree };
}

describe('S4-10 summaries that a model writes', () => {
  it('are said beforehand: how many, in how many calls, for how much at most', async () => {
    const { plan, asked } = await setUp(async (request) => written(request));
    const { sections, calls, worstUsd } = await plan();
    expect({ sections, calls: calls.length }).toEqual({ sections: 60, calls: 10 });
    expect(worstUsd).toBeCloseTo(0.2);
    expect(asked).toEqual([]);
  });

  it('are kept with who wrote them, and never paid for again', async () => {
    const { plan, write, tree, asked, progress } = await setUp(async (request) => written(request));
    const { sections, calls } = await plan();
    const done = await write();
    expect(done).toMatchObject({ written: sections, failure: null });
    expect(done.costUsd).toBeCloseTo(calls.length * 0.01);
    expect(progress.at(-1)).toEqual([calls.length, calls.length]);
    const [chapter, first, second] = await tree();
    expect(chapter).toMatchObject({ summary: 'extracted', summaryBy: null });
    // What stands below a section is still said.
    expect(first).toMatchObject({ summary: 'says 0001 Below: parts', summaryBy: 'fake/m' });
    expect(second).toMatchObject({ summary: 'says 0002', summaryBy: 'fake/m' });
    asked.length = 0;
    expect([(await plan()).calls, await write(), asked]).toMatchObject([[], { written: 0 }, []]);
  });

  it('go on after a break where they were', async () => {
    const down = new CasefileError('network', 'cut off');
    let broken = true;
    const { write, plan, asked } = await setUp(async (request, n) => {
      if (broken && n > 4) throw down;
      return written(request);
    });
    const before = (await plan()).sections;
    const first = await write();
    expect(first.failure).toBe(down);
    expect(first.written).toBeGreaterThan(0);
    // The calls that were under way with the one that failed were the last.
    expect(asked).toHaveLength(8);
    broken = false;
    const rest = await write();
    expect([rest.failure, first.written + rest.written]).toEqual([null, before]);
  });

  it('of an answer that cannot be used stay what they were, and what it cost is counted', async () => {
    const { write, tree } = await setUp(async (request, n) => {
      if (n === 1) throw new UnusableAnswer('refused', 'no', anAnswer({ costUsd: 0.5 }));
      if (n === 2) return anAnswer({ content: 'Here you are.', costUsd: 0.5 });
      return written(request);
    });
    const done = await write();
    expect(done).toMatchObject({ written: 48, failure: { reasonCode: 'refused' } });
    expect(done.costUsd).toBeCloseTo(1.08);
    const extracted = (await tree()).filter(({ summaryBy }) => !summaryBy);
    expect(extracted).toHaveLength(13);
    expect(extracted.every(({ summary }) => summary.startsWith('extracted'))).toBe(true);
  });

  it('S4-30 wait for a provider that asks for time, and no longer than that is worth', async () => {
    const limited = new CasefileError('rate_limited', 'slow down', { retryable: true, retryAfterMs: 1_500 });
    const { write, waits, asked } = await setUp(() => Promise.reject(limited));
    expect((await write()).failure).toBe(limited);
    expect(waits.toSorted((a, b) => a - b)).toEqual([1_500, 2_000, 4_000].flatMap((ms) => [ms, ms, ms, ms]));
    expect(asked).toHaveLength(16);
  });
});

describe('S4-10 summaries by a model', () => {
  /** Summarises the book, and hears what is said, and after how many calls. */
  async function aWriter(
    complete: (request: ModelRequest, n: number) => Promise<ModelResponse>,
    worstUsd?: number | null,
  ) {
    const at = await setUp(complete, worstUsd);
    const notes: string[] = [];
    const heard: number[] = [];
    const note = (line: string) => void (notes.push(line), heard.push(at.asked.length));
    const progress = () => ({ to: () => undefined, end: () => undefined });
    return { notes, heard, run: () => summarise(at.store, POLICY, at.model, { note, progress }) };
  }

  it('say what they cost at most before the first call', async () => {
    const { notes, heard, run } = await aWriter(async (request) => written(request));
    expect(await run()).toEqual({
      written: 60,
      costUsd: expect.closeTo(0.1),
      model: 'fake/m',
      failure: null,
    });
    expect(notes).toEqual([
      'claims: fake/m writes summaries of 60 sections in 10 calls, for $0.2000 at most (--summaries extract does without)',
    ]);
    expect(heard).toEqual([0]);
  });

  it('own up to an unknown price', async () => {
    const { notes, run } = await aWriter(async (request) => written(request), null);
    await run();
    expect(notes.join()).toContain('at a price that is not known');
  });

  it('say nothing where none is lacking', async () => {
    const { notes, run } = await aWriter(async (request) => written(request));
    await run();
    notes.length = 0;
    expect([await run(), notes]).toEqual([null, []]);
  });

  it('say why some are missing, and how to have them', async () => {
    const failure = new CasefileError('bad_key', 'the key is not taken');
    const { notes, run } = await aWriter((request, n) =>
      n > 4 ? Promise.reject(failure) : Promise.resolve(written(request)),
    );
    expect(await run()).toMatchObject({ written: 24, failure: { reasonCode: 'bad_key' } });
    expect(notes[1]).toContain('36 sections keep the summaries extracted');
    expect(notes[1]).toContain('bad_key: the key is not taken');
  });
});
