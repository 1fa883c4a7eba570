import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { instantModel } from '@casefile/e2e/testing/instant-model';
import { percentile, type Row } from './report.js';
import type { Stores } from './rows.js';
import { startSpine } from './spine.js';

const WARM_UP = 2;
const LIMIT_MS = 1_000;
/** A page that has not arrived within this time counts as lost. */
const GIVE_UP_MS = 30_000;
/** Duration of a model call, above the time limit: a case that calls the model fails the measurement. */
const MODEL_MS = 2 * GIVE_UP_MS;

/**
 * Measures the time from Alertmanager's post at intake to the request at a receiver that answers as PagerDuty
 * does. The incident is judged by rules, without a model.
 */
export async function pager(stores: Stores, dir: string, alerts: number): Promise<Row[]> {
  const arrived = new Map<string, number>();
  const server = createServer((request, response) => {
    const at = performance.now();
    void json(request).then((body) => {
      const { dedup_key: caseId } = body as { dedup_key: string };
      if (!arrived.has(caseId)) arrived.set(caseId, at);
      response.writeHead(202, { 'content-type': 'application/json' }).end('{"status":"success"}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/pager`;
  const file = join(dir, 'pager.yaml');
  const oncall = { type: 'pagerduty', url, secret: '${PAGER_KEY}', allowPrivate: true };
  writeFileSync(file, JSON.stringify({ destinations: { oncall } }));
  const env = { CASEFILE_CONFIG: file, LLM_PROVIDER: 'none', PAGER_KEY: 'a-routing-key' };
  const databaseUrl = await stores.newDatabase();
  const spine = await startSpine(databaseUrl, stores.redisUrl, instantModel(MODEL_MS), env, {
    delivers: true,
  });
  try {
    const took: number[] = [];
    for (let i = -WARM_UP; i < alerts; i += 1) {
      const from = performance.now();
      const caseId = await post(spine.ingestUrl, i);
      while (!arrived.has(caseId)) {
        if (performance.now() - from > GIVE_UP_MS) throw new Error(`no page of alert ${i} arrived`);
        await sleep(2);
      }
      if (i >= 0) took.push((arrived.get(caseId) ?? Number.NaN) - from);
    }
    const [p50, p95] = [percentile(took, 50), percentile(took, 95)];
    return [
      {
        name: "incident by Alertmanager webhook to the pager's HTTP request, rules only, p95",
        figure: `${p95.toFixed(0)} ms, p50 ${p50.toFixed(0)} ms`,
        ratio: p95 / LIMIT_MS,
        wanted: `<= ${LIMIT_MS} ms`,
      },
    ];
  } finally {
    await spine.stop();
    server.closeAllConnections();
    server.close();
  }
}

/** @returns the id of the case. */
async function post(ingestUrl: string, i: number): Promise<string> {
  const alert = {
    status: 'firing',
    labels: {
      alertname: 'CheckoutDown',
      instance: `host-${i}`,
      severity: 'critical',
      service: `checkout-${i}`,
    },
    annotations: { summary: 'Checkout answers 34.8 % of requests with HTTP 502' },
    startsAt: '2026-01-05T10:00:00Z',
    endsAt: '0001-01-01T00:00:00Z',
    fingerprint: `print-${i}`,
  };
  const answer = await fetch(`${ingestUrl}/v1/webhooks/alertmanager`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ version: '4', status: 'firing', alerts: [alert] }),
  });
  const { results = [] } = (await answer.json()) as { results?: { caseId: string }[] };
  const caseId = results[0]?.caseId;
  if (answer.status !== 202 || caseId === undefined) throw new Error(`a post was answered ${answer.status}`);
  return caseId;
}
