import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { silentLogger, type ScheduleState } from '@casefile/contracts';
import { FeedWorker, importPorts, readFeedSettings, feedSettingsSchema } from '@casefile/runtime';
import { inlineWorld, type World } from './testing/world.js';

const HOUR_MS = 3_600_000;
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const REPORTS = 'entity_type,entity_value,report_count,risk_score\nphone,+14155550123,7,80\n';

interface Answer {
  status?: number;
  body?: string;
  etag?: string;
  hangs?: boolean;
}

describe('feeds that are fetched', () => {
  let world: World;
  let server: Server;
  let url: string;
  let answer: Answer;
  let requests: IncomingHttpHeaders[];
  let now: number;
  let workers: FeedWorker[];

  beforeAll(async () => {
    world = await inlineWorld(null);
    server = createServer((request, response) => {
      requests.push(request.headers);
      // A collected timeout never ends the wait.
      if (answer.hangs === true) return collectGarbage();
      const { etag, status = 200, body = '' } = answer;
      if (etag !== undefined && request.headers['if-none-match'] === etag)
        return response.writeHead(304).end();
      return response.writeHead(status, etag === undefined ? {} : { etag }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/reports.csv`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await world.close();
  });
  beforeEach(() => {
    [answer, requests, workers] = [{}, [], []];
    now = Date.parse('2026-01-01T05:30:00Z');
  });
  afterEach(() => Promise.all(workers.map((one) => one.stop())));

  const worker = (name: string, feed: object, variables: Record<string, string> = {}) => {
    const feedSettings = {
      [name]: { cron: '0 * * * *', into: 'scam-reports', url, allowPrivate: true, ...feed },
    };
    const { feeds, problems } = readFeedSettings(feedSettingsSchema.parse(feedSettings), variables);
    expect(problems).toEqual([]);
    const { store } = world.platform;
    const ports = importPorts(world.platform, { model: () => null });
    const one = new FeedWorker({ feeds, store, ports, clock: { now: () => now }, log: silentLogger });
    workers.push(one);
    return one;
  };
  const state = async (name: string): Promise<ScheduleState | undefined> =>
    (await world.platform.store.schedules.states()).find((one) => one.name === name);
  const findReports = (type: string, value: string) => world.platform.knowledge.scamReports.find(type, value);

  it('S1-11 import reports immediately and at each time, and ask with the validators of the last answer', async () => {
    answer = { body: REPORTS, etag: '"one"' };
    const one = worker(
      'reports',
      { headers: { authorization: 'Bearer ${TOKEN}' } },
      { TOKEN: 'secret-token' },
    );
    await one.tick();
    expect(requests).toHaveLength(1);
    expect(requests[0]?.authorization).toBe('Bearer secret-token');
    expect(await findReports('phone', '+14155550123')).toMatchObject({ reportCount: 7, riskScore: 80 });
    expect(await state('reports')).toMatchObject({
      problem: null,
      fetched: { etag: '"one"', result: '1 new, 0 replaced' },
    });
    await one.tick();
    expect(requests).toHaveLength(1);
    now += HOUR_MS;
    await one.tick();
    expect(requests[1]?.['if-none-match']).toBe('"one"');
    expect((await state('reports'))?.fetched?.result).toBe('unchanged');
    expect(JSON.stringify(await state('reports'))).not.toContain('secret-token');
  });

  it.each<[string, Answer, RegExp]>([
    ['broken', { body: `${REPORTS}phone,12,x,80\n` }, /line 3: .*expected a number/],
    ['a page', { body: '<html><body>Sign in</body></html>' }, /expected at least one report/],
    ['failing', { status: 503 }, /answered with HTTP 503/],
    ['too large', { body: REPORTS.padEnd(5_000, '\n') }, /more than 1000 bytes|too large|at most/i],
    ['silent', { hangs: true }, /did not answer in time/],
  ])(
    'S1-11 keep the old entries when the feed is %s, and state since when and why',
    async (kind, wrong, why) => {
      const name = kind.replaceAll(' ', '-');
      answer = { body: REPORTS };
      // Longer than an answer takes on a busy machine.
      const one = worker(name, { timeoutSeconds: 'hangs' in wrong ? 10 : 60, maxBytes: 1_000 });
      await one.tick();
      const before = await state(name);
      answer = wrong;
      now += HOUR_MS;
      await one.tick();
      const since = new Date(now).toISOString();
      expect(await state(name)).toMatchObject({
        failingSince: since,
        problem: expect.stringMatching(why) as string,
        fetched: before?.fetched,
      });
      expect(await findReports('phone', '+14155550123')).not.toBeNull();
      now += 30_000;
      await one.tick();
      expect(requests).toHaveLength(2);
      now += 31_000;
      answer = { body: REPORTS };
      await one.tick();
      expect(await state(name)).toMatchObject({ failingSince: null, problem: null });
    },
  );

  it('S1-11 import a threat feed of one value per line', async () => {
    answer = { body: '# bad\nEvil-feed.example\n' };
    await worker('threats', { into: 'threat-feed', type: 'domain', risk: 95 }).tick();
    expect(await findReports('domain', 'evil-feed.example')).toMatchObject({ riskScore: 95 });
  });

  it('reach no private address unless it is allowed', async () => {
    answer = { body: REPORTS };
    await worker('private', { url: url.replace('http:', 'https:'), allowPrivate: false }).tick();
    expect(requests).toEqual([]);
    expect((await state('private'))?.problem).toMatch(/127\.0\.0\.1/);
  });

  it('are fetched by one process at a time', async () => {
    answer = { body: REPORTS };
    const both = [worker('shared', {}), worker('shared', {})];
    await Promise.all(both.map((one) => one.tick()));
    expect(requests).toHaveLength(1);
  });

  it.each([
    [{ url: 'http://feeds.example/a.csv' }, 'feeds.one.url', 'expected https://...'],
    [{ url: 'https://u:p@feeds.example/a' }, 'feeds.one.url', 'expected no name or password'],
    [{ url: 'https://feeds.example/${UNSET}' }, 'feeds.one.url', 'UNSET'],
  ])('name the wrong field of %j', (over, path, message) => {
    const feed = { cron: '0 * * * *', into: 'scam-reports', ...over };
    const { problems } = readFeedSettings(feedSettingsSchema.parse({ one: feed }), {});
    expect(problems).toMatchObject([{ path, message: expect.stringContaining(message) as string }]);
  });

  it('take secrets only from the environment', () => {
    const feed = { cron: '0 * * * *', into: 'scam-reports', url: 'https://feeds.example/a' };
    const parsed = (over: object) => feedSettingsSchema.safeParse({ one: { ...feed, ...over } });
    expect(parsed({ headers: { 'x-api-key': 'literal' } }).error?.issues[0]).toMatchObject({
      path: ['one', 'headers', 'x-api-key'],
    });
    expect(parsed({ type: 'url' }).error?.issues[0]).toMatchObject({ path: ['one', 'type'] });
    expect(parsed({ headers: { 'x-api-key': '${KEY}', accept: 'text/csv' } }).success).toBe(true);
  });
});
