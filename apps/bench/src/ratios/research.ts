import type { JsonObject, LanguageModel, ModelRequest } from '@casefile/contracts';
import { setTimeout as sleep } from 'node:timers/promises';
import { instantModel } from '@casefile/e2e/testing/instant-model';
import { FIRST_DRAFT, QUESTION, ROLES } from '@casefile/e2e/testing/research-model';
import { judgePaced } from './with-bulk.js';
import { median, percentile, type Row } from './report.js';
import { closedLoop, type Stores } from './rows.js';
import { startSpine, type Spine } from './spine.js';

/** Duration of a model call for a scam verdict next to waiting researches. */
const LIVE_MS = 300;
/** Duration of each model call of these researches. */
const SLOW_MS = 5_000;
/** Calls of one research of three rounds: three drafts, three reviews, a report. */
const CALLS = 7;

const researchOf = (i: number): object => ({
  playbook: 'research',
  payload: { ...QUESTION, query: `${QUESTION.query}第${i}題` },
});

/** The first two reviews each find a new problem. The third passes. */
function answerOf({ answerSchema, messages }: ModelRequest): JsonObject | null {
  const prompt = messages.map(({ content }) => content).join('\n');
  const review = { critique: '', suggestions: [], modeCompliance: '符合' };
  switch (answerSchema?.name) {
    case ROLES.analyst:
      return { status: 'DRAFT_READY', newQueries: [], draft: FIRST_DRAFT, reasoningChain: '' };
    case ROLES.critic:
      if (prompt.includes('第二個缺口')) return { ...review, status: 'PASS', logicalGaps: [] };
      return {
        ...review,
        status: 'REJECT',
        logicalGaps: [prompt.includes('第一個缺口') ? '第二個缺口' : '第一個缺口'],
      };
    case ROLES.writer:
      return { finalReport: FIRST_DRAFT, sourcesUsed: [], confidenceLevel: 'High' };
    default:
      return null;
  }
}

/**
 * Returns one model for both kinds.
 * @param slowMs Duration of each call of a research.
 */
function modelOf(liveMs: number, slowMs: number): LanguageModel & { researched(): number } {
  const scam = instantModel(liveMs);
  let researched = 0;
  return {
    ...scam,
    researched: () => researched,
    complete: async (request, context) => {
      const answer = answerOf(request);
      if (answer === null) return scam.complete(request, context);
      researched += 1;
      if (slowMs > 0) await sleep(slowMs);
      const usage = { inputTokens: 800, outputTokens: 80, reasoningTokens: 0, cachedTokens: 0 };
      const content = JSON.stringify(answer);
      const response = { content, toolCalls: [], finishReason: 'stop', reasoning: null, raw: {}, costUsd: 0 };
      return { provider: 'simulator', model: 'instant', usage, ...response };
    },
  };
}

/** Compares researches of three rounds with seven immediate calls to scam verdicts in the same run. */
export async function research(stores: Stores, cases: number, live: number, waiting: number): Promise<Row[]> {
  return [await throughput(stores, cases), await fairness(stores, live, waiting)];
}

async function throughput(stores: Stores, cases: number): Promise<Row> {
  const model = modelOf(0, 0);
  const spine = await startSpine(await stores.newDatabase(), stores.redisUrl, model);
  const ofResearch: Pick<Spine, 'judge'> = { judge: (i) => spine.judge(i, researchOf) };
  try {
    await closedLoop(spine, cases);
    await closedLoop(ofResearch, Math.ceil(cases / 4), 500_000);
    const before = model.researched();
    const pairs: { scam: number; own: number }[] = [];
    for (let round = 1; round <= 3; round += 1) {
      const scam = await closedLoop(spine, cases, round * 1_000_000);
      pairs.push({ scam, own: await closedLoop(ofResearch, cases, round * 1_000_000) });
    }
    const calls = (model.researched() - before) / (3 * cases);
    if (calls !== CALLS) throw new Error(`a research made ${calls} calls, not ${CALLS}`);
    const [own, scam] = [median(pairs.map((pair) => pair.own)), median(pairs.map((pair) => pair.scam))];
    return {
      name: `a research of 3 rounds with ${CALLS} calls answered at once`,
      figure: `${own.toFixed(0)} cases/s, scam verdicts ${scam.toFixed(0)}`,
      ratio: median(pairs.map((pair) => pair.own / pair.scam)),
      wanted: '>= 0.2 x scam verdicts',
    };
  } finally {
    await spine.stop();
  }
}

/**
 * Measures live scam verdicts next to researches with a slow model. Waiting researches must not hold worker
 * slots.
 */
async function fairness(stores: Stores, live: number, waiting: number): Promise<Row> {
  const spine = await startSpine(await stores.newDatabase(), stores.redisUrl, modelOf(LIVE_MS, SLOW_MS));
  try {
    await judgePaced(spine, 10, 0);
    const alone = await judgePaced(spine, live, 1_000_000);
    const all = Promise.all(Array.from({ length: waiting }, (_, i) => spine.judge(i, researchOf)));
    const loaded = await judgePaced(spine, live, 3_000_000);
    await all;
    const [with95, alone95] = [percentile(loaded, 95), percentile(alone, 95)];
    return {
      name: `live scam verdicts with ${waiting} researches on a model of 5 s against alone, p95`,
      figure: `${with95.toFixed(0)} ms, alone ${alone95.toFixed(0)} ms`,
      ratio: with95 / alone95,
      wanted: '<= 1.2',
    };
  } finally {
    await spine.stop();
  }
}
