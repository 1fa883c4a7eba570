// Sends seeded hostile input to a whole Casefile in one process and prints a table (`npm run fuzz`).
// Options: [--seed 1] [--rounds 20] [--only requests]. Input: upgrades, images, bodies of many values, keys
// named like members of Object, odd requests of every operation, answers of a hostile model. Exit code 1: the
// process ended, answered input with 5xx, or did not decide an ordinary alert afterwards.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { seededRandom } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import { childEnvironment } from '@casefile/runtime';
import { ATTACKS, type Attack, type Below, type Target } from '@casefile/e2e/fuzz/attacks';
import { startHostileModel } from '@casefile/e2e/fuzz/hostile-model';

const CLI = join(fileURLToPath(import.meta.url), '../../../../cli/dist/main.js');
/** Timeout for a hang. No part of an attack may take longer. */
const HANG_MS = 120_000;
const args = process.argv.slice(2);
const figure = (name: string, fallback: number) =>
  args.includes(name) ? Number(args[args.indexOf(name) + 1]) : fallback;
const only = args.includes('--only') ? args[args.indexOf('--only') + 1] : undefined;
const seed = figure('--seed', 1);
const rounds = figure('--rounds', 20);
const random = seededRandom(seed);
const below: Below = (n) => Math.floor(random() * n);

/** Baseline without input: a busy machine answers late even then. */
const rest: Attack = async () => {
  await new Promise((resolve) => setTimeout(resolve, 500));
  return [];
};

/** Starts a whole Casefile in a separate process. */
async function startCasefile(modelUrl: string, data: string) {
  const ports = ['CONSOLE', 'INGEST', 'EVIDENCE_COLLECTOR', 'REASONER', 'CRITIC_WRITER', 'DECISION'];
  const env = childEnvironment({
    ...Object.fromEntries(ports.map((name) => [`${name}_PORT`, '0'])),
    CASEFILE_DATA: data,
    LLM_PROVIDER: 'simulator',
    LLM_BASE_URL: modelUrl,
    RDAP_BASE_URL: 'off',
    LOG_LEVEL: 'error',
  });
  const child = spawn(process.execPath, [CLI, 'up'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => (output += bytes.toString()));
  const target = await until(() => {
    if (child.exitCode !== null) throw new Error(`it did not start:\n${output}`);
    const consoleUrl = /console +(http:\S+)/.exec(output)?.[1];
    const ingestUrl = /POST (http:\S+)\/v1\/alerts/.exec(output)?.[1];
    return consoleUrl !== undefined && ingestUrl !== undefined && output.includes('Ready after')
      ? { consoleUrl, ingestUrl }
      : null;
  });
  return { target, child, ended, printed: () => output };
}

async function until<T>(look: () => T | null | Promise<T | null>, withinMs = HANG_MS): Promise<T> {
  const end = Date.now() + withinMs;
  for (;;) {
    const result = await look();
    if (result !== null) return result;
    if (Date.now() > end) throw new Error(`nothing came within ${withinMs / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Polls whether the process is alive. Its slowest response is its longest block. */
function watch({ consoleUrl }: Target) {
  let longestMs = 0;
  let over = false;
  const done = (async () => {
    while (!over) {
      const from = performance.now();
      await fetch(`${consoleUrl}/health/live`)
        .then((answer) => answer.arrayBuffer())
        .catch(() => undefined);
      longestMs = Math.max(longestMs, performance.now() - from);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  return async () => {
    over = true;
    await done;
    return longestMs;
  };
}

function peakMegabytes(pid: number): number {
  const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
  return Math.round(Number(kilobytes) / 1024);
}

/** Resolves when an ordinary alert has its verdict. */
async function judges({ ingestUrl, consoleUrl }: Target): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ text: `Are we still on for lunch at ${below(1_000_000)}?` });
  const { caseId } = await until(async () => {
    const answer = await fetch(`${ingestUrl}/v1/alerts`, { method: 'POST', headers, body });
    return answer.status === 202 ? ((await answer.json()) as { caseId: string }) : null;
  });
  await until(async () => {
    const caseBody = (await (await fetch(`${consoleUrl}/api/v1/cases/${caseId}`)).json()) as {
      status: string;
    };
    return caseBody.status === 'decided' ? true : null;
  });
}

const data = temporaryFolder('fuzz');
const model = await startHostileModel(below);
const { target, child, ended, printed } = await startCasefile(model.url, data);
const rows: string[][] = [['attack', 'sent', 'answers', 'longest block ms', 'peak MB', 'judges after']];
let failed = false;
try {
  for (const [name, attack] of [
    ['nothing', rest] as const,
    ...Object.entries(ATTACKS),
    ['hostile model', null] as const,
  ]) {
    if (only !== undefined && only !== name) continue;
    const stop = watch(target);
    const before = model.answered();
    const answers: number[] = [];
    for (let i = 0; attack !== null && i < rounds; i += 1) answers.push(...(await attack(target, below)));
    // Every case calls the hostile model. In this run, the model's answers are the whole attack.
    for (let i = 0; attack === null && i < rounds; i += 1) await judges(target);
    await judges(target);
    const counts = new Map<number, number>();
    for (const status of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
    failed ||= answers.some((status) => status >= 500 && status !== 503) || child.exitCode !== null;
    const statusCounts = [...counts]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => `${count} x ${status || 'closed'}`);
    const sent = attack === null ? `${model.answered() - before} answers` : String(answers.length);
    const block = Math.round(await stop());
    rows.push([
      name,
      sent,
      statusCounts.join(', ') || '-',
      String(block),
      String(peakMegabytes(child.pid ?? 0)),
      'yes',
    ]);
  }
} catch (error) {
  failed = true;
  console.error(error, printed().slice(-3_000));
} finally {
  child.kill('SIGTERM');
  const code = await ended;
  failed ||= code !== 0;
  model.close();
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0))) ?? [];
  console.log(rows.map((row) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')).join('\n'));
  console.log(`seed ${seed}, ${rounds} rounds; ended with code ${code}${failed ? ': FAILED' : ''}`);
}
process.exitCode = failed ? 1 : 0;
