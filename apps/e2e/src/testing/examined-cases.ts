import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import { questionText } from '@casefile/kit/demonstration/question';
import { startSimulator, type SimulatorOptions } from '@casefile/llm-simulator/simulator';
import { alertNumber, answer as answerIncident } from '../boundary-run/scripted-incident.js';
import { approveAllTools } from './approve-tools.js';
import { playResearch } from './research-simulator.js';
import { importSamplePolicy, sampleBundles } from './sample-policy.js';
import { simulatedModel } from './simulated-model.js';
import { systemDatabase } from './system-database.js';
import { worldOn, type World } from './world.js';

const SAMPLES = new URL('../../../../samples/', import.meta.url);
const sampleFile = (name: string) => fileURLToPath(new URL(name, SAMPLES));
const [question] = JSON.parse(readFileSync(sampleFile('research.json'), 'utf8')) as [JsonObject];

/** An alert of each kind. Of an incident, a policy check and a research, the verdict rests on examined claims. */
export const EXAMINED_ALERTS: Readonly<Record<string, JsonObject>> = {
  incident: { playbook: 'incident', payload: alertNumber(1) },
  research: question,
  'policy-check': { playbook: 'policy-check', payload: sampleBundles.find(({ id }) => id === 'pc-08')! },
  'scam-verdict': {
    playbook: 'scam-verdict',
    text: 'Your parcel is held. Pay at https://parcel.example/pay',
  },
  'message-screening': {
    playbook: 'message-screening',
    text: 'Your account is blocked, send your OTP to http://bank-kyc.example now',
  },
};

/** Opens a world with models and tools for `EXAMINED_ALERTS`. */
export async function examinedWorld(): Promise<World & { databaseUrl: string }> {
  const simulator = await startSimulator({ answer: scripted });
  const cluster = {
    command: process.execPath,
    args: [sampleFile('cluster/server.mjs')],
    env: { PATH: process.env['PATH'] },
    allow: ['disk_usage', 'metrics', 'logs', 'deployments'],
    kinds: ['incident'],
  };
  const settings = join(temporaryFolder('examined'), 'config.yaml');
  const configuration = {
    evidence: { pages: sampleFile('pages.json') },
    mcp: { servers: { cluster } },
    playbooks: { research: { reuseForMs: 0 }, incident: { pastCases: 1 } },
  };
  writeFileSync(settings, JSON.stringify(configuration));
  const database = await systemDatabase();
  const world = await worldOn(database.url, 'inline', simulatedModel(simulator), {
    CASEFILE_CONFIG: settings,
  });
  await importSamplePolicy(world.platform.knowledge.policies);
  await approveAllTools(world.platform.store, 1);
  const close = async () => {
    await world.close();
    await database.drop();
    await simulator.close();
  };
  return { ...world, databaseUrl: database.url, close };
}

const scripted: SimulatorOptions['answer'] = (asked) => {
  const system = questionText(asked, 'system');
  if (system.includes('查證研究') || system.startsWith('你負責交叉查核')) return playResearch(0)(asked);
  return questionText(asked, 'user').includes('DiskAlmostFull') ? (answerIncident?.(asked) ?? null) : null;
};
