import { relative } from 'node:path';
import type { Config } from '@casefile/runtime';

/** Where the record, the queue and the answers of this configuration come from: plain words, no key, no password. */
export function announcement(config: Config): string[] {
  return [`record   ${recordOf(config)}`, `queue    ${queueOf(config)}`, `model    ${modelOf(config)}`];
}

/** Who answers, in plain words. */
export function modelOf({ provider, demonstration }: Pick<Config, 'provider' | 'demonstration'>): string {
  if (demonstration !== undefined) {
    return 'DEMONSTRATION: hand-written answers for the bundled samples, at made-up prices. No model is asked; other alerts are judged by rules';
  }
  if (provider === null) {
    return 'none: verdicts come from rules. Set OPENAI_API_KEY (or LLM_PROVIDER) to ask a model, or start with --demo to see answers played';
  }
  const { name, model, baseUrl } = provider.entry;
  const simulated = name === 'simulator' ? ', a simulator whose answers are made up' : '';
  return `${model} of ${name} at ${placeOf(baseUrl)}${simulated}`;
}

function recordOf({ databaseUrl, dataDir }: Config): string {
  if (databaseUrl !== null) return `Postgres at ${placeOf(databaseUrl)}`;
  const near = relative(process.cwd(), dataDir);
  return `embedded Postgres in ${near === '' || near.startsWith('..') ? dataDir : near}/ (delete it to start over)`;
}

function queueOf({ queueUrl }: Config): string {
  if (queueUrl === null) return 'the same Postgres';
  return `${queueUrl.startsWith('redis') ? 'Redis' : 'Postgres'} at ${placeOf(queueUrl)}`;
}

// Addresses may carry a password.
function placeOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host || 'a local socket' : 'its address';
}
