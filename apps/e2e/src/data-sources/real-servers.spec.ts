import type { JsonObject } from '@casefile/contracts';
import { shippedSources } from '@casefile/runtime';
import { startAlertmanager, type Alertmanager } from '../testing/alertmanager.js';
import { startPrometheus, type Prometheus } from '../testing/prometheus.js';
import { found, shippedSource, sourceTool } from './testing/look-up.js';

let prometheus: Prometheus;
let alertmanager: Alertmanager;
beforeAll(async () => {
  prometheus = await startPrometheus();
  const group = { groupBy: 'alertname', groupSeconds: 60, repeatSeconds: 60 };
  alertmanager = await startAlertmanager({ webhookUrl: 'http://127.0.0.1:9/', ...group });
  const at = { annotations: { summary: 'Little space' }, startsAt: new Date().toISOString() };
  await alertmanager.fire([
    { labels: { alertname: 'DiskAlmostFull', instance: 'db-2' }, ...at },
    { labels: { alertname: 'Errors', instance: 'shop' }, ...at },
  ]);
}, 300_000);
afterAll(async () => {
  await prometheus?.stop();
  await alertmanager?.stop();
});

const looked = (name: string, url: string, request: string, args: JsonObject): Promise<string> =>
  found(sourceTool(shippedSource(name), { url }, request), args);

const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z`;

describe('T-61 Prometheus', () => {
  const ask = (request: string, args: JsonObject) => looked('prometheus', prometheus.url, request, args);

  it('answers its probe, and a value with subject, unit and time', async () => {
    const { probe } = shippedSources().find(({ name }) => name === 'prometheus')!;
    expect(await ask(probe.request, probe.arguments as JsonObject)).toMatch(
      new RegExp(`^${TIME} \\{\\} = 1$`),
    );
    expect(await ask('query', { expr: 'prometheus_tsdb_lowest_timestamp_seconds' })).toMatch(
      new RegExp(
        `^${TIME} prometheus_tsdb_lowest_timestamp_seconds\\{instance="[^"]+",job="prometheus"\\} = \\S+ s$`,
      ),
    );
    expect(await ask('query', { expr: 'no_such_metric' })).toBe('0 results');
  });

  it('answers a range with one line per value, at most 60 of a series, with the greatest', async () => {
    const text = await ask('range', { expr: 'vector(time())', start: '-2h', end: 'now', step: '10s' });
    const lines = text.split('\n');
    expect(lines).toHaveLength(60);
    const times = lines.map((line) => Number(/ = (\S+)$/.exec(line)?.[1]));
    expect(times.at(-1)! - times[0]!).toBe(7_200);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it('passes on why an expression is refused', async () => {
    await expect(ask('query', { expr: 'up{' })).rejects.toThrow(/HTTP 400: .*parse error/);
    await expect(ask('query', { expr: 'scalar(vector(1))' })).rejects.toMatchObject({
      reasonCode: 'bad_answer',
    });
    expect(await ask('alerts', {})).toBe('0 results');
  });
});

describe('T-61 Alertmanager', () => {
  it('lists the alerts that a filter selects, and silences', async () => {
    const ask = (request: string, args: JsonObject) =>
      looked('alertmanager', alertmanager.url, request, args);
    expect(await ask('alerts', { filter: 'instance="db-2"' })).toMatch(
      new RegExp(
        `^${TIME} \\{alertname="DiskAlmostFull",instance="db-2"\\} (?:active|unprocessed): Little space$`,
      ),
    );
    expect((await ask('alerts', {})).split('\n')).toHaveLength(2);
    expect(await ask('silences', {})).toBe('0 results');
  });
});

describe('T-61 the HTTP probe', () => {
  it('reads status and time of a page, also of one that does not exist', async () => {
    expect(await looked('http-probe', `${prometheus.url}/-`, 'path', { path: 'ready' })).toMatch(
      /HTTP status 200 after \d+ ms, \d+ bytes$/,
    );
    expect(await looked('http-probe', prometheus.url, 'path', { path: 'nothing' })).toMatch(
      /HTTP status 404/,
    );
  });
});
