import { performance } from 'node:perf_hooks';
import { criterionResultSchema, type CaseDocument, type LanguageModel } from '@casefile/contracts';
import { startSimulator, type Simulator } from '@casefile/llm-simulator/simulator';
import {
  bundleAlert,
  sampleCases,
  simulatedModel,
  startPolicyWorld,
  type PolicyWorld,
  type SampleCase,
} from './policy-world.js';
import { percentile, type Row } from './report.js';
import type { Stores } from './rows.js';

/** Duration of a model answer. */
const ANSWER_MS = 1_000;
const CASES = 10;
/** Turns of each criterion of a case: four on average, and 50 criteria in all. */
const TURNS = [3, 3, 4, 5, 5];
const TARGET_TOKENS = 6_000;
const VERDICT_WITHIN_MS = 120_000;

type Search = 'keywords' | 'model';

/** Measurements of one checked criterion. */
interface Checked {
  /** Time from acceptance of the case to the recorded draft of the criterion. */
  seconds: number;
  tokens: number;
  /** Tokens of all its calls, including those of its cross-examination. */
  allTokens: number;
  calls: number;
}

/**
 * Simulators that finish after the number of turns in a criterion's name, and the model that selects the
 * right one.
 */
interface Turners {
  model: LanguageModel;
  simulators: Map<string, Simulator>;
  close(): Promise<void>;
}

/**
 * Runs 50 criteria concurrently, four turns each on average, with a model that answers in a second. Measures
 * the seconds from acceptance of the case to the draft, next to the same chains of calls by plain fetch, and
 * the tokens and calls per criterion.
 */
export async function react(stores: Stores, batches: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const on of ['Redis', 'Postgres'] as const)
    for (const search of ['keywords', 'model'] as const)
      rows.push(...(await atOnce(stores, on, search, batches)));
  return [...rows, ...(await tokensOfSamples(stores))];
}

async function atOnce(
  stores: Stores,
  on: 'Redis' | 'Postgres',
  search: Search,
  batches: number,
): Promise<Row[]> {
  const databaseUrl = await stores.newDatabase();
  const turners = await startTurners();
  const world = await startPolicyWorld({
    databaseUrl,
    queueUrl: on === 'Redis' ? stores.redisUrl : databaseUrl,
    model: turners.model,
    change: searchingBy(search),
    verdictWithinMs: VERDICT_WITHIN_MS,
  });
  try {
    const chains = await warmUp(world, turners);
    const [own, floor]: [Checked[], number[]] = [[], []];
    for (let batch = 0; batch < batches; batch += 1) {
      floor.push(...(await plainCalls(chains)));
      own.push(
        ...(await check(
          world,
          Array.from({ length: CASES }, (_, i) => aCase(i)),
        )),
      );
    }
    return rowsOf(
      `${search === 'model' ? 'searches led by a model' : 'searches by words'}, ${on}`,
      own,
      floor,
    );
  } finally {
    await world.stop();
    await turners.close();
  }
}

function searchingBy(search: Search): Parameters<typeof startPolicyWorld>[0]['change'] {
  if (search === 'model') return undefined;
  return (tool) =>
    tool.name === 'pi_search'
      ? { ...tool, run: (args, context) => tool.run({ ...args, by: 'keywords' }, context) }
      : tool;
}

async function startTurners(): Promise<Turners> {
  const simulators = new Map<string, Simulator>();
  const models = new Map<string, LanguageModel>();
  for (const n of new Set(TURNS)) {
    const then = { kind: 'agent', fault: 'fixed-turns', n, delayMs: ANSWER_MS } as const;
    const simulator = await startSimulator({ script: { then } });
    simulators.set(String(n), simulator);
    models.set(String(n), simulatedModel(simulator.baseUrl));
  }
  return {
    simulators,
    model: {
      provider: 'simulator',
      model: 'by-turns',
      complete: (request, options) => {
        const model = models.get(turnsOf(options.callKey));
        if (model === undefined) throw new Error(`no simulator for ${options.callKey}`);
        return model.complete(request, options);
      },
    },
    close: async () => void (await Promise.all([...simulators.values()].map((one) => one.close()))),
  };
}

/** The second part of a call's key is the unit, whose name contains the number of turns. */
const turnsOf = (callKey: string): string => /^[^/]+\/turns-(\d+)-/.exec(callKey)?.[1] ?? '';

// Uses texts of the samples, so that searches and results are those of a real check.
function aCase(i: number): SampleCase {
  const samples = sampleCases();
  const texts = samples.flatMap(({ criteria }) => criteria.map(({ text }) => text));
  const { title = '', facts = [] } = samples[i % samples.length] ?? {};
  const criteria = TURNS.map((turns, j) => ({
    id: `turns-${turns}-${j}`,
    text: texts[(i * TURNS.length + j) % texts.length] ?? '',
  }));
  return { title, facts, criteria };
}

async function check(world: PolicyWorld, cases: SampleCase[]): Promise<Checked[]> {
  const submitted = await Promise.all(cases.map((one) => world.submit(bundleAlert(one))));
  await Promise.all(submitted.map(({ decided }) => decided));
  const documents = await Promise.all(
    submitted.map(({ caseId }) => world.platform.store.record.getCase(caseId)),
  );
  return documents.flatMap((one) => (one === null ? [] : checkedOf(one)));
}

function checkedOf({ runs: [run] }: CaseDocument): Checked[] {
  if (run === undefined) return [];
  return run.artifacts
    .filter(({ artifact }) => artifact === 'draft')
    .map(({ unit, body, createdAt }) => {
      const { tokens } = criterionResultSchema.parse(body['answer']);
      const own = run.interactions.filter((one) => one.unit === unit);
      return {
        seconds: (Date.parse(createdAt) - Date.parse(run.createdAt)) / 1000,
        tokens: tokens.input + tokens.output,
        allTokens: own.reduce(
          (sum, { usage }) => sum + (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0),
          0,
        ),
        calls: own.length,
      };
    });
}

/**
 * Returns the bodies of one criterion's calls in order, per number of turns. The baseline sends them again.
 */
async function warmUp(
  world: PolicyWorld,
  { simulators }: Turners,
): Promise<Map<string, { url: string; bodies: string[] }>> {
  await check(world, [aCase(0)]);
  return new Map(
    [...simulators].map(([turns, simulator]) => {
      const [first = ''] = simulator.requests().map(unitOf);
      const own = simulator.requests().filter((request) => unitOf(request) === first);
      return [
        turns,
        { url: `${simulator.baseUrl}/chat/completions`, bodies: own.map(({ body }) => JSON.stringify(body)) },
      ];
    }),
  );
}

const unitOf = ({ callKey }: { callKey: string | null }): string =>
  callKey?.split('/').slice(0, 2).join('/') ?? '';

/** Runs only the same chains of calls, concurrently. Returns the seconds of each. */
function plainCalls(chains: Map<string, { url: string; bodies: string[] }>): Promise<number[]> {
  const all = Array.from({ length: CASES }, () => TURNS).flat();
  return Promise.all(
    all.map(async (turns) => {
      const { url = '', bodies = [] } = chains.get(String(turns)) ?? {};
      const from = performance.now();
      const headers = { 'content-type': 'application/json' };
      for (const body of bodies) await (await fetch(url, { method: 'POST', headers, body })).text();
      return (performance.now() - from) / 1000;
    }),
  );
}

function rowsOf(how: string, own: Checked[], floor: number[]): Row[] {
  const seconds = own.map((one) => one.seconds);
  const row = (p: number, limit: number): Row => {
    const [ours, plain] = [percentile(seconds, p), percentile(floor, p)];
    return {
      name: `a criterion of ${CASES * TURNS.length} at once, ${how}, p${p}`,
      figure: `${ours.toFixed(2)} s, plain calls ${plain.toFixed(2)} s (${(ours / plain).toFixed(2)} times that)`,
      ratio: ours / limit,
      wanted: `< ${limit} s`,
    };
  };
  return [row(50, 8), row(95, 20), tokensRow(how, own)];
}

function tokensRow(how: string, own: Checked[]): Row {
  const tokens = own.map((one) => one.tokens);
  const figures = [mean(tokens), percentile(tokens, 50), percentile(tokens, 95)].map((one) => one.toFixed(0));
  const calls = mean(own.map((one) => one.calls)).toFixed(1);
  return {
    name: `its tokens, ${how}`,
    figure: `mean ${figures[0]}, p50 ${figures[1]}, p95 ${figures[2]}; ${calls} calls of the model (${own.length} criteria)`,
    ratio: mean(tokens) / TARGET_TOKENS,
    wanted: `about ${TARGET_TOKENS}`,
  };
}

const mean = (values: number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

/** Runs the sample cases with an agent that looks up only what it needs, to measure typical tokens. */
async function tokensOfSamples(stores: Stores): Promise<Row[]> {
  const databaseUrl = await stores.newDatabase();
  const simulator = await startSimulator();
  const model = simulatedModel(simulator.baseUrl);
  const world = await startPolicyWorld({
    databaseUrl,
    queueUrl: stores.redisUrl,
    model,
    verdictWithinMs: VERDICT_WITHIN_MS,
  });
  try {
    const checked = await check(world, sampleCases());
    const row = (name: string, own: Checked[]): Row => {
      const tokens = own.map((one) => one.tokens);
      return {
        ...tokensRow(name, own),
        // At a ratio of at most 1, the hard limit of production does not end an ordinary check.
        ratio: Math.max(percentile(tokens, 50) / 5_000, percentile(tokens, 95) / TARGET_TOKENS),
        wanted: `p50 <= 5000, p95 <= ${TARGET_TOKENS}`,
      };
    };
    const examined = checked.map((one) => ({ ...one, tokens: one.allTokens }));
    const name = 'the sample cases, simulated agent';
    return [row(name, checked), row(`${name}, with the cross-examination`, examined)];
  } finally {
    await world.stop();
    await simulator.close();
  }
}
