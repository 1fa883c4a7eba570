import { CasefileError, InvalidInput, silentLogger, type JsonObject } from '@casefile/contracts';
import { manualClock, pause } from '@casefile/contracts/testing';
import type { Platform } from '../compose/platform.js';
import { exampleGroup } from './formats/alertmanager.js';
import { intakeFormats } from './formats/index.js';
import { takeMany, takePost } from './take-post.js';

const formatNamed = (name: string) => intakeFormats.find((format) => format.name === name) as never;

function setUp({ takes = ['alertmanager'] }: { takes?: string[] } = {}) {
  const taken: { alert: JsonObject; key: string | undefined }[] = [];
  const buried = new Map<string, { message: string; payload: unknown }>();
  const over = { full: false };
  const accept = async (alert: JsonObject, { idempotencyKey: key }: { idempotencyKey?: string }) => {
    if (over.full) throw new CasefileError('overloaded', 'full', { retryable: true, retryAfterMs: 7_000 });
    const { instance } = alert['labels'] as { instance?: string };
    if (instance === 'bad') throw new InvalidInput([{ path: 'payload.alert', message: 'no' }], 'alert');
    if (instance === 'last') over.full = true;
    taken.push({ alert, key });
    return { alertId: 'a', caseId: instance ?? '', runId: 'r', joined: false };
  };
  const platform = {
    intake: { receive: accept },
    store: { deadLetters: { bury: async (entry: never) => void buried.set(entry['id'], entry) } },
    config: {
      settings: { intake: { maxBatch: 1_000, cloudEventTypes: {}, playbookBy: [] } },
      playbooks: [
        { name: 'other', intake: { entrances: [] } },
        { name: 'trouble', intake: { entrances: takes.map((format) => ({ format })) } },
      ],
    },
    clock: manualClock(),
    log: silentLogger,
  } as unknown as Platform;
  const send = (...instances: string[]) => {
    const [first] = exampleGroup['alerts'] as JsonObject[];
    const alerts = instances.map((instance) => ({
      ...first,
      ...(instance === 'misshapen' ? { startsAt: 'x' } : {}),
      labels: { alertname: 'x', instance },
    }));
    const body = { version: '4', ...exampleGroup, alerts };
    return takePost(
      platform,
      formatNamed('alertmanager'),
      { body, raw: new Uint8Array(), headers: {} },
      undefined,
    );
  };
  return { platform, send, taken, buried, over };
}

describe('a post of alerts', () => {
  it('S2-40 is answered for each alert by its place, as one of the kind that takes its format', async () => {
    const { send, taken } = setUp();
    expect(await send('a', 'b')).toMatchObject({
      results: [
        { index: 0, caseId: 'a' },
        { index: 1, caseId: 'b' },
      ],
    });
    expect(taken.map(({ alert }) => alert['playbook'])).toEqual(['trouble', 'trouble']);
  });

  it('S2-40 of which some are wrong takes the others, says which, and keeps the wrong ones once', async () => {
    const { send, taken, buried } = setUp();
    for (let again = 0; again < 2; again += 1) {
      const { results } = await send('a', 'bad', 'misshapen', 'd');
      expect(results).toMatchObject([
        { caseId: 'a' },
        { index: 1, problem: { status: 400, errors: [{ path: 'payload.alert' }] } },
        { index: 2, problem: { status: 400, errors: [{ path: 'alerts[2].startsAt' }] } },
        { caseId: 'd' },
      ]);
    }
    expect(taken).toHaveLength(4);
    expect([...buried.values()].map(({ message }) => message)).toEqual([
      expect.stringContaining('payload.alert'),
      expect.stringContaining('alerts[2].startsAt'),
    ]);
    expect([...buried.values()][0]?.payload).toMatchObject({ playbook: 'trouble' });
  });

  it('S2-40 of which nothing can be taken is answered for each alert, and each is kept', async () => {
    const { send, buried } = setUp();
    const { results } = await send('bad', 'misshapen');
    expect(results).toMatchObject([
      { index: 0, problem: { status: 400, errors: [{ path: 'payload.alert' }] } },
      { index: 1, problem: { status: 400, errors: [{ path: 'alerts[1].startsAt' }] } },
    ]);
    expect(buried.size).toBe(2);
  });

  it('S2-40 whose only alert is wrong is answered for it, and the alert is kept', async () => {
    const { send, buried } = setUp();
    expect((await send('misshapen')).results).toMatchObject([{ index: 0, problem: { status: 400 } }]);
    expect([...buried.values()]).toMatchObject([{ payload: { startsAt: 'x' } }]);
  });

  it.each([
    ['of another form', { ...exampleGroup, version: 4 }],
    ['without alerts', { version: '4', alerts: [] }],
    ['that is no object', 'page me'],
  ])('S2-40 %s is kept whole, once, and answered with what is wrong', async (_what, body) => {
    const { platform, taken, buried } = setUp();
    for (let again = 0; again < 2; again += 1) {
      const post = { body, raw: new Uint8Array(), headers: {} };
      const { results } = await takePost(platform, formatNamed('alertmanager'), post, undefined);
      expect(results).toMatchObject([{ index: 0, problem: { status: 400, reasonCode: 'invalid_input' } }]);
    }
    expect(taken).toEqual([]);
    expect([...buried.values()].map(({ payload }) => payload)).toEqual([body]);
  });

  it('S2-40 goes to no kind that happens to match where none takes its format, and is kept', async () => {
    const { send, taken, buried } = setUp({ takes: ['pager'] });
    expect((await send('a')).results).toMatchObject([
      {
        problem: {
          errors: [{ path: 'playbook', message: expect.stringContaining('takes alerts of alertmanager') }],
        },
      },
    ]);
    expect(taken).toEqual([]);
    expect(buried.size).toBe(1);
  });

  it('S2-40 S2-45 is refused whole, to be sent again, where one alert of it cannot be taken now', async () => {
    const { send, over, buried } = setUp();
    const instances = ['a', 'bad', 'last', ...Array.from({ length: 200 }, (_, i) => `i${i}`)];
    await expect(send(...instances)).rejects.toMatchObject({ reasonCode: 'overloaded', retryAfterMs: 7_000 });
    expect(buried.size).toBe(0);
    over.full = false;
    expect((await send('a', 'c')).results).toHaveLength(2);
  });

  it('S2-40 with a secret that is set and no valid signature is refused before anything of it is read', async () => {
    const { platform, taken } = setUp({ takes: ['grafana', 'alertmanager'] });
    const body = { version: '1', ...exampleGroup };
    const post = { body, raw: Buffer.from(JSON.stringify(body)), headers: {} };
    const refused = takePost(platform, formatNamed('grafana'), post, 'a-secret-of-grafana');
    await expect(refused).rejects.toMatchObject({ reasonCode: 'bad_signature' });
    expect(taken).toEqual([]);
    const open = setUp({ takes: ['grafana'] });
    expect((await takePost(open.platform, formatNamed('grafana'), post, undefined)).results).toHaveLength(1);
  });
});

describe('takeMany', () => {
  it('keeps the place of each, and begins no more than fifty at once', async () => {
    let underWay = 0;
    let most = 0;
    const taken = await takeMany(300, async (index) => {
      most = Math.max(most, (underWay += 1));
      await pause(index % 3, 'Alerts end in another order than they began.');
      underWay -= 1;
      return { alertId: String(index), caseId: '', runId: '', joined: false };
    });
    expect(taken.map((one) => ('accepted' in one ? Number(one.accepted.alertId) : -1))).toEqual(
      Array.from({ length: 300 }, (_, index) => index),
    );
    expect(most).toBeLessThanOrEqual(50);
  });
});
