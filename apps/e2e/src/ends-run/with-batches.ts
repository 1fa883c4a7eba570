import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { MOST_OPEN_BATCHES } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import type { Limits } from './run-row.js';
import { RunningProgram } from './running-program.js';

const CASEFILE = join(fileURLToPath(import.meta.url), '../../../../cli/dist/main.js');
const CASES = 300;
const BATCHES = 40;
/** Time for which runs of a batch are opened before the next batches replace it. */
const OPENS_FOR_MS = 1_500;
const LOOK_EVERY_MS = 200;
/** Long enough for runs of many batches to be in progress. */
const WORKS_FOR_MS = 5_000;

// Only some batches may be open at a time, so earlier ones are discarded while their runs wait.
async function openBatches(url: string): Promise<void> {
  for (let opened = 0; opened < BATCHES;) {
    const ids: string[] = [];
    for (; ids.length < MOST_OPEN_BATCHES && opened < BATCHES; opened += 1)
      ids.push(((await sent(url, { filter: {} })) as { batchId: string }).batchId);
    await sleep(OPENS_FOR_MS);
    if (opened < BATCHES) for (const id of ids) await sent(`${url}/${id}/discard`, {});
  }
}

async function sent(url: string, body: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

/**
 * Judges 300 cases again in 40 batches, ends the program by SIGTERM, and counts the processes that are left.
 */
export async function withBatches(args: string[], limits: Limits) {
  const dir = temporaryFolder('ends');
  const command = [process.execPath, CASEFILE, ...args];
  const running = await RunningProgram.start(command, dir, 'start', { LLM_PROVIDER: 'none' });
  try {
    const [, intake = ''] = await running.untilOutput(/intake\s+POST (\S+)/);
    const [, consoleUrl = ''] = await running.untilOutput(/console\s+(\S+)/);
    await running.untilOutput(/Ready after/);
    for (let at = 0; at < CASES; at += 1)
      await sent(intake, { playbook: 'scam-verdict', text: `Call +1 555 010 4477 with the OTP. Case ${at}` });
    await running.untilEmpty(`${consoleUrl}/api/v1/cases?status=open&limit=1`, LOOK_EVERY_MS);
    await openBatches(`${consoleUrl}/api/v1/batches`);
    await sleep(WORKS_FOR_MS);
    const signalledAt = Date.now();
    running.child.kill('SIGTERM');
    const code = await running.exitCode(limits.endMs);
    const endedAt = Date.now();
    const leftovers = await running.leftAfter(limits.leftMs);
    return {
      code,
      endedMs: endedAt - signalledAt,
      leftovers,
      runs: CASES * BATCHES,
      written: running.written,
    };
  } finally {
    await running.clear();
    rmSync(dir, { recursive: true, force: true });
  }
}
