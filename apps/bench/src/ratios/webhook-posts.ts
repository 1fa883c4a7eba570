import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Playbook } from '@casefile/pipeline';
import { defineKind } from '@casefile/kit';
import { kinds } from '@casefile/shipped/loaded';
import { instantModel } from '@casefile/e2e/testing/instant-model';
import { outage } from '@casefile/e2e/toy-kind/outage/index';
import { parcelSize } from '@casefile/e2e/toy-kind/parcel-size/index';
import { percentile, type Row } from './report.js';
import type { Stores } from './rows.js';
import { startSpine, type Spine } from './spine.js';

/** Longer than the bench takes, so that waiting cases wait until its end. */
const MODEL_MS = 60_000;
const ALERTS = 10;
/** Interval between posts. */
const EVERY_MS = 150;

/** The same kind with a slow model, so that its runs are active when the sender resolves the alerts. */
const slowOutage: Playbook = { ...outage, strategies: parcelSize.strategies, strategy: parcelSize.strategy };

/**
 * Measures the response time of a post of ten alerts while `waiting` cases wait for a model, and the time to
 * record a resolution.
 */
export async function webhookPosts(
  stores: Stores,
  dir: string,
  waiting: number,
  posts: number,
): Promise<Row[]> {
  const file = join(dir, 'webhook-posts.yaml');
  writeFileSync(file, `playbooks: { scam-verdict: { deadlineMs: ${MODEL_MS * 2} } }`);
  const databaseUrl = await stores.newDatabase();
  const env = { CASEFILE_CONFIG: file };
  const installed = { kinds: [defineKind({ playbook: slowOutage }), ...kinds] };
  const spine = await startSpine(databaseUrl, stores.redisUrl, instantModel(MODEL_MS), env, installed);
  try {
    await Promise.all(Array.from({ length: waiting }, (_, i) => spine.submit(i)));
    await sleep(2_000);
    const took: number[] = [];
    const over: number[] = [];
    for (let i = -5; i < posts; i += 1) {
      const { ms, caseId } = await post(spine, i, 'firing');
      const from = performance.now();
      await post(spine, i, 'resolved');
      while ((await spine.resolvedAt(caseId)) === null) await sleep(5);
      if (i >= 0) {
        took.push(ms);
        over.push(performance.now() - from);
      }
      await sleep(EVERY_MS);
    }
    const row = (name: string, times: number[], limit: number): Row => {
      const ms = percentile(times, 95);
      const figure = `${ms.toFixed(0)} ms, p50 ${percentile(times, 50).toFixed(0)} ms`;
      return { name, figure, ratio: ms / limit, wanted: `<= ${limit} ms` };
    };
    return [
      row(`a post of ${ALERTS} alerts with ${waiting} cases waiting, p95`, took, 100),
      row('the end of an alert whose run is under way, until it is on the record, p95', over, 1_000),
    ];
  } finally {
    await spine.stop();
  }
}

async function post(
  { ingestUrl }: Pick<Spine, 'ingestUrl'>,
  i: number,
  status: 'firing' | 'resolved',
): Promise<{ ms: number; caseId: string }> {
  const alerts = Array.from({ length: ALERTS }, (_, n) => ({
    status,
    labels: { alertname: 'ProbeFailed', instance: `host-${i}-${n}` },
    annotations: { summary: 'A probe fails' },
    startsAt: '2026-01-05T10:00:00Z',
    fingerprint: `print-${i}-${n}`,
  }));
  const from = performance.now();
  const answer = await fetch(`${ingestUrl}/v1/webhooks/alertmanager`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ version: '4', status, alerts }),
  });
  const ms = performance.now() - from;
  const { results = [] } = (await answer.json()) as { results?: { caseId: string }[] };
  if (answer.status !== 202) throw new Error(`a post was answered ${answer.status}`);
  return { ms, caseId: results[0]?.caseId ?? '' };
}
