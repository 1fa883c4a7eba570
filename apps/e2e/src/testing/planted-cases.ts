import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject, LanguageModel } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import { startSimulator } from '@casefile/llm-simulator/simulator';
import { questionText } from '@casefile/kit/demonstration/question';
import { playResearch } from './research-simulator.js';
import { importSamplePolicy, sampleBundles } from './sample-policy.js';
import { simulatedModel } from './simulated-model.js';
import { realWorld, type World } from './world.js';

/** Begins every planted word. No text of the product contains it. */
export const PLANTED = 'kanarie7';
/** Fields that words are planted in. */
export type PlantedField =
  | 'text'
  | 'payload'
  | 'label'
  | 'conversation'
  | 'extra'
  | 'evidence'
  | 'message'
  | 'source'
  | 'entity'
  | 'reasoning'
  | 'raw'
  | 'answer'
  | 'critique'
  | 'annotation'
  | 'comment'
  | 'feedback'
  | 'letter'
  | 'refusal'
  | 'explanation'
  | 'name'
  | 'title'
  | 'query';
export const plantedWord = (field: PlantedField): string => `${PLANTED}${field}`;

const SAMPLES = new URL('../../../../samples/', import.meta.url);
const sample = (name: string) => readFileSync(new URL(name, SAMPLES));
const isResearch = (system: string) => system.includes('查證研究') || system.startsWith('你負責交叉查核');

/** A record whose marked fields each hold a planted word, with cases of every kind. */
export interface PlantedRecord {
  world: World;
  /** Values of the parameters of paths, for the case with an image. */
  values: Record<string, string>;
  /** Ids of the cases by kind. */
  cases: Record<string, string>;
  close(): Promise<void>;
}

/** Adds planted words to what a model answers and thinks. */
function plantingModel(model: LanguageModel): LanguageModel {
  return {
    ...model,
    complete: async (request, options) => {
      const response = await model.complete(request, options);
      return {
        ...response,
        content: response.content
          .replace(/"critique":\s*""/, `"critique":"${plantedWord('critique')}"`)
          .replace(
            /"(explanation|summary|rootCause|cause|draft|reasoning)":\s*"/g,
            `"$1":"${plantedWord('explanation')} `,
          )
          .replace(/"riskLevel":/, `"planted":"${plantedWord('answer')}","riskLevel":`),
        raw: { body: response.raw, planted: plantedWord('raw') },
        reasoning: { content: `I wonder about ${plantedWord('reasoning')}.`, source: 'reasoning_content' },
      };
    },
  };
}

/** Opens a record on real Postgres and fills it. */
export async function plantedRecord(): Promise<PlantedRecord> {
  const simulator = await startSimulator({
    answer: (question) => (isResearch(questionText(question, 'system')) ? playResearch(0)(question) : null),
  });
  const { privateKey } = generateKeyPairSync('ed25519');
  const settings = join(temporaryFolder('planted'), 'config.yaml');
  const pages = fileURLToPath(new URL('pages.json', SAMPLES));
  const playbooks = { research: { reuseForMs: 0 } };
  writeFileSync(settings, JSON.stringify({ evidence: { pages }, playbooks }));
  const world = await realWorld('inline', plantingModel(simulatedModel(simulator)), {
    CASEFILE_CONFIG: settings,
    CASEFILE_SIGNING_KEY: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  });
  const { values, cases } = await fill(world);
  const close = async () => {
    await world.close();
    await simulator.close();
  };
  return { world, values, cases, close };
}

async function fill(world: World): Promise<Pick<PlantedRecord, 'values' | 'cases'>> {
  const { platform } = world;
  await importSamplePolicy(platform.knowledge.policies);
  await platform.knowledge.seed({
    runbooks: [{ name: 'disk.md', bytes: Buffer.from('# Disk'), source: 'disk.md', address: null }],
  });
  const cases: Record<string, string> = {};
  const judge = async (playbook: string, alert: JsonObject) => {
    const { caseId } = await world.accept({ playbook, ...alert });
    cases[playbook] = caseId;
    return world.ended(caseId);
  };
  await judge('message-screening', {
    text: `Your account is blocked, ${plantedWord('text')}, send your OTP to http://bank-kyc.example/${plantedWord('name')} now`,
    collect: false,
  });
  await judge('policy-check', { payload: { ...sampleBundles[0], title: plantedWord('title') } });
  const [question] = JSON.parse(sample('research.json').toString()) as [JsonObject];
  await judge('research', withQuery(question));
  await judge('incident', { payload: incident });
  const { alerts, runs } = await judge('scam-verdict', {
    text: `Your parcel is held. Pay the fee at https://parcel.example/pay/${plantedWord('name')}\n${plantedWord('text')}`,
    image: { mediaType: 'image/png', base64: sample('screenshot-bank.png').toString('base64') },
    conversation: plantedWord('conversation'),
    labels: { team: plantedWord('label') },
    evidence: [suppliedEvidence],
    collect: false,
    remark: plantedWord('extra'),
  });
  const caseId = cases['scam-verdict'] ?? '';
  const runId = runs[0]?.id ?? '';
  const { batchId } = await platform.rerun.createBatch({ filter: {}, lane: 'replay' });
  const letterId = platform.ids.id();
  const payload = { text: plantedWord('letter') };
  const message = `no field ${plantedWord('refusal')}`;
  await platform.store.deadLetters.bury({ id: letterId, reasonCode: 'invalid_input', message, payload });
  const [session] = (await platform.store.engagements.find({ limit: 1 })).engagements;
  const importId = platform.ids.id();
  await platform.store.imports.open(importId, 'policy');
  const values = {
    caseId,
    id: caseId,
    alertId: alerts[0]?.id ?? '',
    runId,
    a: runId,
    b: runId,
    batchId: batchId ?? '',
    letterId,
    engagementId: session?.id ?? '',
    import: importId,
    policyId: 'claims-handling',
    version: 'current',
    name: 'disk',
  };
  return { values, cases };
}

/** Returns the alert of a research whose question contains a planted word. */
function withQuery(alert: JsonObject): JsonObject {
  const { payload } = alert as { payload?: JsonObject };
  const planted = ` ${plantedWord('query')}`;
  if (typeof alert['text'] === 'string') return { ...alert, text: alert['text'] + planted };
  return { ...alert, payload: { ...payload, query: String(payload?.['query']) + planted } };
}

const incident = {
  status: 'firing',
  labels: { alertname: `DiskFull ${plantedWord('name')}`, severity: 'critical' },
  annotations: {
    summary: `The disk of ${plantedWord('name')} is full`,
    description: plantedWord('annotation'),
  },
  note: plantedWord('payload'),
};

const suppliedEvidence = {
  toolName: 'scam_db',
  entityType: 'phone',
  entityValue: plantedWord('entity'),
  result: { found: true, title: `A report ${plantedWord('title')}`, comment: plantedWord('evidence') },
  message: plantedWord('message'),
  source: plantedWord('source'),
};
