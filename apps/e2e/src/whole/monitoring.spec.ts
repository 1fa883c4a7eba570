import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CreateKey } from '@casefile/contracts';
import { temporaryFolder, until } from '@casefile/contracts/testing';
import { createKey } from '@casefile/runtime';
import { openKnowledge } from '@casefile/knowledge';
import { silentPorts } from '@casefile/knowledge/testing';
import { METRICS, metricSeries } from '@casefile/telemetry';
import { FIVE_SERVICES, fiveServices, type FiveServices } from '../testing/five-services.js';
import { startPrometheus, type Prometheus } from '../testing/prometheus.js';
import { importSamplePolicy, sampleBundles } from '../testing/sample-policy.js';

const SERVICES = [...FIVE_SERVICES, 'console'] as const;
/** Labels of the exporter, of Prometheus and of buckets. */
const SCRAPED = new Set(['otel_scope_name', 'job', 'instance', 'le']);
const MONITORING = new URL('../../../../k8s/monitoring/', import.meta.url);

interface Panel {
  title: string;
  targets?: { expr: string; legendFormat: string }[];
}
const { panels } = JSON.parse(readFileSync(new URL('grafana/casefile.json', MONITORING), 'utf8')) as {
  panels: Panel[];
};
const QUERIES = panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr, legendFormat }) => ({ title, expr, legendFormat })),
);

const [bundle] = sampleBundles;
const oneCriterion = { ...bundle, criteria: (bundle!['criteria'] as object[]).slice(0, 1) };

let receiver: Server;
let world: FiveServices;
let prometheus: Prometheus;
beforeAll(async () => {
  receiver = createServer((_request, response) => response.writeHead(204).end()).listen(0, '127.0.0.1');
  await new Promise((resolve) => receiver.once('listening', resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const archive = { type: 'webhook', url, allowPrivate: true };
  world = await fiveServices({ services: SERVICES, settings: { destinations: { archive } } });
  await world.start();
  prometheus = await startPrometheus({
    targets: targets(),
    keyFile: fileURLToPath(new URL('../../config/observability/no-metrics-key', MONITORING)),
    ruleFiles: [fileURLToPath(new URL('alerts.yaml', MONITORING))],
  });
  await importSamplePolicy(openKnowledge(world.store.database, silentPorts()).policies);
  const caseIds = await Promise.all([
    world.alert({ playbook: 'scam-verdict', text: 'Your parcel is held, pay the fee now.' }),
    world.alert({ playbook: 'incident', text: 'checkout answers with 502' }),
    world.alert({ playbook: 'policy-check', payload: oneCriterion }),
  ]);
  for (const caseId of caseIds)
    await until('the case is decided', async () => {
      const found = await world.store.record.getCase(caseId);
      return found?.runs[0]?.status === 'decided';
    });
}, 600_000);
afterAll(async () => {
  await Promise.all([prometheus.stop(), world.close()]);
  receiver.close();
});

const targets = () => SERVICES.map((name) => ({ job: name, address: new URL(world.service(name).url).host }));

/** Prometheus needs two scrapes of a counter for a rate. */
async function series(expr: string): Promise<Awaited<ReturnType<Prometheus['query']>>> {
  const plain = expr.replaceAll('$__rate_interval', '1m').replaceAll('$__range', '1h');
  let found: Awaited<ReturnType<Prometheus['query']>> = [];
  await until(
    `the query has series: ${expr}`,
    async () => (found = await prometheus.query(plain)).length > 0,
  );
  return found;
}

describe('a Prometheus that scrapes six services', () => {
  it('loads every alert rule, and evaluates each without an error', async () => {
    interface Rule {
      name: string;
      health: string;
      lastError?: string;
    }
    let rules: Rule[] = [];
    await until('every rule was evaluated', async () => {
      const answer = await fetch(`${prometheus.url}/api/v1/rules`);
      const { data } = (await answer.json()) as { data: { groups: { rules: Rule[] }[] } };
      rules = data.groups.flatMap((group) => group.rules);
      return rules.length > 0 && rules.every(({ health }) => health !== 'unknown');
    });
    expect(rules.length).toBeGreaterThanOrEqual(20);
    expect(rules.filter(({ health }) => health !== 'ok')).toEqual([]);
  });

  it.each(QUERIES)('has series for $title: $expr', async ({ expr, legendFormat }) => {
    const found = await series(expr);
    const names = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name);
    const labelled = found.filter(({ metric }) => names.every((name) => metric[name]));
    // A counter of faults may have only the series 0 without labels.
    if (!expr.endsWith('or vector(0)')) expect(labelled.length).toBeGreaterThan(0);
  });

  it('gets the type and the labels that the list of metrics states', async () => {
    const stated = new Map(
      (Object.keys(METRICS) as (keyof typeof METRICS)[]).flatMap((key) => {
        const { series: names, labels } = metricSeries(key);
        return names.map((name) => [name, labels] as const);
      }),
    );
    const scraped = await prometheus.query('{__name__=~"casefile_.+|gen_ai_.+"}');
    expect(scraped.length).toBeGreaterThan(100);
    const wrong = scraped.flatMap(({ metric: { __name__: name = '', ...labels } }) => {
      const known = stated.get(name);
      if (known === undefined) return [`${name} is not on the list`];
      const more = Object.keys(labels).filter((label) => !known.includes(label) && !SCRAPED.has(label));
      return more.map((label) => `${name} has the unknown label ${label}`);
    });
    expect([...new Set(wrong)]).toEqual([]);
  });
});

// The last test, because access needs keys from here on.
describe('K4 Prometheus and access keys', () => {
  it('is refused with the file that stands for no key, and scrapes with that of a key', async () => {
    const ports = { keys: world.store.keys, now: () => Date.now() };
    const create = (name: string, rights: Partial<Pick<CreateKey, 'role' | 'scopes'>>) =>
      createKey(ports, { name, reason: '', by: 'test', ...rights }, { actId: name, by: 'test', reason: '' });
    await create('ann', { role: 'admin' });
    const { key } = await create('prometheus', { scopes: ['metrics'] });
    await until('no service is scraped without a key', async () => {
      const up = await prometheus.query('up{job!="prometheus"}');
      return up.length === SERVICES.length && up.every(({ value }) => value[1] === '0');
    });
    const keyFile = join(temporaryFolder('metrics-key'), 'key');
    writeFileSync(keyFile, `${key}\n`);
    // It starts only when each target was scraped.
    const keyed = await startPrometheus({ targets: targets(), keyFile });
    await keyed.stop();
  });
});
