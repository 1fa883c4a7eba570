import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CasefileError, type LanguageModel, type Tool, type VerdictMessage } from '@casefile/contracts';
import { kinds } from '@casefile/shipped/loaded';
import { temporaryFolder } from '@casefile/contracts/testing';
import { createToolRunner, toolBox } from '@casefile/evidence';
import { parseDocument } from '@casefile/knowledge';
import { createLanguageModel, readProviderTable, resolveProvider } from '@casefile/llm';
import {
  assemble,
  connect,
  readConfig,
  startService,
  stopServices,
  systemClock,
  type Platform,
  type RunningService,
  OneModel,
} from '@casefile/runtime';
import { FIVE } from './spine.js';

const SAMPLES = new URL('../../../../samples/', import.meta.url);
const POLICY = 'claims-handling';
const GRACE_MS = 2_000;

/** All five services in this process on real stores, with the sample policy imported. */
export interface PolicyWorld {
  platform: Platform;
  /** Submits an alert. Returns its case; `decided` resolves when its verdict is delivered. */
  submit(body: object): Promise<{ caseId: string; decided: Promise<void> }>;
  stop(): Promise<void>;
}

export interface PolicyWorldOptions {
  databaseUrl: string;
  queueUrl: string;
  model: LanguageModel;
  /** YAML merged into the shipped configuration. */
  yaml?: string;
  /** Replaces a tool. */
  change?(tool: Tool): Tool;
  /** Time limit of a verdict from its submission, in milliseconds. */
  verdictWithinMs: number;
}

/** Starts the services and the sweeper. */
export async function startPolicyWorld(options: PolicyWorldOptions): Promise<PolicyWorld> {
  const { databaseUrl, queueUrl, model, yaml = '{}', change = (tool) => tool, verdictWithinMs } = options;
  const dir = temporaryFolder('policy-world');
  writeFileSync(join(dir, 'own.yaml'), yaml);
  const ports = ['INGEST', 'EVIDENCE_COLLECTOR', 'REASONER', 'CRITIC_WRITER', 'DECISION'];
  const config = readConfig(
    {
      ...Object.fromEntries(ports.map((name) => [`${name}_PORT`, '0'])),
      DATABASE_URL: databaseUrl,
      QUEUE_URL: queueUrl,
      LLM_PROVIDER: 'simulator',
      LOG_LEVEL: 'error',
      RDAP_BASE_URL: 'off',
      CASEFILE_DATA: dir,
      CASEFILE_CONFIG: join(dir, 'own.yaml'),
    },
    kinds,
  );
  const { adapters, close } = await connect(config, []);
  const verdicts = awaitedVerdicts(verdictWithinMs);
  const queue = Object.assign(Object.create(adapters.queue) as typeof adapters.queue, {
    publishVerdicts: async (messages: VerdictMessage[]) => {
      await adapters.queue.publishVerdicts(messages);
      for (const { runId } of messages) verdicts.arrive(runId);
    },
  });
  const listed = [...adapters.tools.allowed.keys()].map((name) => adapters.tools.named(name));
  const tools = toolBox(listed.filter((tool) => tool !== null).map(change));
  const runner = createToolRunner({ ...adapters, tools });
  const platform = assemble({ ...adapters, models: new OneModel(model), queue, tools, runner });
  const services: RunningService[] = [];
  for (const definition of FIVE) services.push(await startService(definition, platform));
  platform.sweeper.start();
  await importSample(platform);
  // A queue without its sentinel counts as emptied, and all due work as lost.
  while (!(await adapters.queue.hasSentinel())) await new Promise((resolve) => setTimeout(resolve, 50));
  return {
    platform,
    submit: async (body) => {
      const { caseId, runId } = await platform.intake.accept(body);
      return { caseId, decided: verdicts.of(runId) };
    },
    stop: async () => {
      await stopServices(services, platform, GRACE_MS);
      await close();
    },
  };
}

/** Returns the adapter of a simulator at this URL. */
export function simulatedModel(baseUrl: string): LanguageModel {
  const { entry } = resolveProvider({ table: readProviderTable(), name: 'simulator', env: {}, baseUrl });
  return createLanguageModel(entry, { apiKey: null, clock: systemClock });
}

/** A sample case in the form in which it is submitted. */
export interface SampleCase {
  title: string;
  facts: object[];
  criteria: { id: string; text: string }[];
}

export function sampleCases(): SampleCase[] {
  return JSON.parse(readFileSync(new URL('policy-cases.json', SAMPLES), 'utf8')) as SampleCase[];
}

/** Returns an alert with this case bundle. */
export function bundleAlert({ title, facts, criteria }: SampleCase): object {
  return { playbook: 'policy-check', source: 'bench', payload: { title, policy: POLICY, facts, criteria } };
}

async function importSample({ knowledge }: Platform): Promise<void> {
  const name = `${POLICY}.md`;
  const parsed = await parseDocument({ name, bytes: readFileSync(new URL(`policies/${name}`, SAMPLES)) });
  await knowledge.policies.importPolicy({ ...parsed, policyId: POLICY, language: 'en' });
}

function awaitedVerdicts(withinMs: number) {
  const waiting = new Map<string, () => void>();
  const early = new Set<string>();
  return {
    arrive(runId: string): void {
      const resolve = waiting.get(runId);
      if (resolve === undefined) early.add(runId);
      else resolve();
      waiting.delete(runId);
    },
    of(runId: string): Promise<void> {
      if (early.delete(runId)) return Promise.resolve();
      return new Promise((resolve, reject) => {
        const late = setTimeout(
          () => reject(new CasefileError('timeout', `run ${runId} has no verdict after ${withinMs} ms`)),
          withinMs,
        );
        waiting.set(runId, () => (clearTimeout(late), resolve()));
      });
    },
  };
}
