import {
  CasefileError,
  type CaseDocument,
  type Json,
  type LanguageModel,
  type ModelRequest,
  type ModelResponse,
  type RunSettings,
} from '@casefile/contracts';
import { kinds } from '@casefile/shipped/loaded';
import { temporaryFolder } from '@casefile/contracts/testing';
import { testEnvironment } from '@casefile/e2e/testing/world';
import { scamPatternSeed } from '@casefile/e2e/testing/screening-samples';
import { createToolRunner } from '@casefile/evidence';
import { ImportFile, wholeContent } from '@casefile/knowledge';
import { connect, datasetPipeline, readConfig, OneModel } from '@casefile/runtime';
import { testDatabase } from '@casefile/store/testing';
import { asksToExamine, examine } from './examiner.js';
import { policyFile } from './policy-cases.js';
import type { PolicyScenario } from './read-set.js';
import { setTools } from './set-tools.js';
import { KINDS, type Examiner, type Kind, type Reply, type TrustCase } from './trust-case.js';

/** The whole flow in one process, with models and tools that answer from the sets. */
export interface TrustWorld {
  judge(one: TrustCase, examiner: Examiner): Promise<CaseDocument>;
  close(): Promise<void>;
}

interface Sets {
  cases: readonly TrustCase[];
  policies: readonly PolicyScenario[];
  /** Tiers of the sources that the research set cites, by site. */
  tiers: ReadonlyMap<string, number>;
  /** false: claims are compared with the record by program only. Default: true. */
  crossExamine?: boolean;
  /** Number of planted claims per examination. Default: that of each kind. */
  plantedClaims?: number;
  /** Receives each request with the content of its answer. Default: nobody. */
  observe?: (request: ModelRequest, content: string) => void;
}

/**
 * Creates a database with the starting patterns and the policies of the set. Runs one case per kind at a
 * time.
 */
export async function trustWorld({
  cases,
  policies,
  tiers,
  crossExamine = true,
  plantedClaims,
  observe,
}: Sets): Promise<TrustWorld> {
  const database = await testDatabase();
  const urls = {
    DATABASE_URL: database.url,
    QUEUE_URL: database.url,
    CASEFILE_DATA: temporaryFolder('trust'),
  };
  const { adapters, close } = await connect(
    readConfig(testEnvironment({ ...urls, LLM_PROVIDER: 'simulator' }), kinds),
    [],
  );
  await adapters.knowledge.seed(scamPatternSeed());
  const used = new Set(cases.map(({ alert: { payload } }) => payload?.['policy']));
  for (const policy of policies.filter(({ id }) => used.has(id))) {
    const { id, language } = policy;
    const path = `${id}.md`;
    const content = wholeContent(() => Buffer.from(policyFile(policy)));
    const file = { path, policyId: id, file: new ImportFile({ name: path, path, content }) };
    const imported = await adapters.knowledge.importPolicyFile(file, { language });
    if ('error' in imported) throw imported.error;
  }
  const current = new Map<Kind, { one: TrustCase; examiner: Examiner }>();
  const tools = setTools(adapters.tools, cases, () => current.get('incident')?.one ?? null);
  const outside = [...tools.allowed.keys()].filter((name) => !adapters.tools.allowed.has(name));
  const { clock, log, telemetry } = adapters;
  const pipeline = datasetPipeline(
    {
      ...adapters,
      tools,
      runner: createToolRunner({ tools, clock, log, telemetry, mask: unmasked }),
      models: new OneModel(modelOf((kind) => current.get(kind), observe)),
    },
    {
      dataset: 'trust',
      change: (settings) => changed(settings, outside, tiers, { crossExamine, plantedClaims }),
    },
  );
  return {
    judge: async (one, examiner) => {
      current.set(one.kind, { one, examiner });
      return pipeline.judge(one.alert);
    },
    close: async () => {
      await pipeline.close();
      await close();
      await database.drop();
    },
  };
}

// The sets have no secrets.
const unmasked = async (value: Json): Promise<{ value: Json }> => ({ value });

function modelOf(
  currentOf: (kind: Kind) => { one: TrustCase; examiner: Examiner } | undefined,
  observe: Sets['observe'],
): LanguageModel {
  let last: Kind = 'policy-check';
  return {
    provider: 'simulator',
    model: 'set',
    complete: async (request) => {
      // A tool has its own prompt for searches of a policy, so the kind of the previous request counts.
      last = KINDS.find((kind) => request.promptId.startsWith(`${kind}/`)) ?? 'policy-check';
      const currentCase = currentOf(last);
      if (currentCase === undefined) throw new CasefileError('llm_error', `No case of ${last} is under way.`);
      const reply = replyTo(request, currentCase);
      observe?.(request, reply.content);
      return responseOf(reply);
    },
  };
}

function replyTo(request: ModelRequest, { one, examiner }: { one: TrustCase; examiner: Examiner }): Reply {
  if (!asksToExamine(request)) return one.reply(request);
  return examiner === 'none' ? { content: 'No answer.' } : examine(request, one, examiner);
}

// Cross-examination is on for kinds that have it. Cases of the same question do not share answers.
function changed(
  settings: RunSettings,
  outside: readonly string[],
  tiers: ReadonlyMap<string, number>,
  examination: { crossExamine: boolean; plantedClaims: number | undefined },
): RunSettings {
  const { options, tools } = settings;
  const changes: Record<string, unknown> = {
    crossExamine: examination.crossExamine,
    ...(examination.plantedClaims === undefined ? {} : { plantedClaims: examination.plantedClaims }),
    reuseForMs: 0,
    sourceTiers: [...tiers].map(([name, tier]) => ({ name, tier, type: 'set', domains: [] })),
  };
  const own = Object.fromEntries(Object.entries(changes).filter(([name]) => name in options));
  return {
    ...settings,
    options: { ...options, ...own } as RunSettings['options'],
    tools: [...tools, ...outside],
  };
}

function responseOf({ content, toolCalls = [] }: Reply): ModelResponse {
  return {
    provider: 'simulator',
    model: 'set',
    content,
    toolCalls,
    finishReason: toolCalls.length > 0 ? 'tool_calls' : 'stop',
    usage: { inputTokens: 100, outputTokens: 20, reasoningTokens: 0, cachedTokens: 0 },
    reasoning: null,
    raw: null,
    costUsd: 0,
  };
}
