import { readMatcher, type ShownSilence } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import { inThisProcess, type SystemUnderTest } from './testing/launched-services.js';
import { pagerReceiver, type PagerReceiver } from './testing/pager-receiver.js';
import { runCasefile } from './testing/run-casefile.js';

interface Page {
  event_action: string;
  dedup_key: string;
}

const alert = (instance: string, over: object = {}) => ({
  status: 'firing',
  labels: { alertname: 'CheckoutDown', instance, severity: 'critical', service: 'checkout' },
  annotations: { summary: 'Checkout answers 34.8 % of requests with HTTP 502' },
  startsAt: '2026-01-05T10:00:00Z',
  endsAt: '0001-01-01T00:00:00Z',
  fingerprint: `print-${instance}`,
  ...over,
});
const resolved = { status: 'resolved', endsAt: '2026-01-05T11:00:00Z' };

describe('silences', () => {
  let receiver: PagerReceiver;
  let world: SystemUnderTest;
  const pages = (caseId: string) =>
    receiver.received
      .filter(({ path }) => path === '/pager')
      .map(({ text }) => JSON.parse(text) as Page)
      .filter(({ dedup_key }) => dedup_key === caseId)
      .map(({ event_action }) => event_action);
  const conditions = () =>
    receiver.received
      .filter(({ path }) => path === '/ops')
      .map(({ text }) => (JSON.parse(text) as { type: string }).type);
  const api = async (path: string, body?: object) => {
    const response = await fetch(`${world.service('console').url}/api/v1${path}`, {
      ...(body === undefined
        ? {}
        : {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ by: 'ann', ...body }),
          }),
    });
    return { status: response.status, answer: (await response.json()) as never };
  };
  const get = async <T>(path: string): Promise<T> => (await api(path)).answer as T;
  const create = async (...matchers: string[]): Promise<ShownSilence> => {
    const body = {
      matchers: matchers.map((text) => readMatcher(text)),
      endsAt: new Date(Date.now() + 3_600_000).toISOString(),
      reason: 'A move of the database',
    };
    return (await api('/silences', body)).answer as ShownSilence;
  };
  const silence = async (id: string): Promise<ShownSilence> => {
    const { silences } = await get<{ silences: ShownSilence[] }>('/silences');
    return silences.find((one) => one.id === id)!;
  };
  const endSilence = (id: string) => api(`/silences/${id}/end`, { reason: 'It is done' });
  const fire = async (instance: string, over: object = {}): Promise<string> => {
    const body = { version: '4', status: 'firing', alerts: [alert(instance, over)] };
    const answer = (await world.post('/v1/webhooks/alertmanager', body)) as { results: { caseId: string }[] };
    return answer.results[0]?.caseId ?? '';
  };
  const deliveries = async (caseId: string) =>
    (await world.store.destinations.list({ caseId, limit: 50 })).deliveries;
  const states = async (caseId: string) =>
    (await deliveries(caseId))
      .map(({ destination, kind, state }) => `${destination} ${kind} ${state}`)
      .sort();
  // A receiver has a message before its delivery is recorded as delivered.
  const pending = async (caseId: string) =>
    (await states(caseId)).filter((one) => one.endsWith('pending')).length;
  const withheld = (caseId: string, count = 2) =>
    until('the messages are withheld', async () => {
      return (await states(caseId)).filter((one) => one.endsWith('withheld')).length === count;
    });
  const decided = async (caseId: string, runs = 1) => {
    await until(`${runs} runs are decided`, async () => {
      const document = await world.store.record.getCase(caseId);
      return document?.runs.filter(({ status }) => status === 'decided').length === runs;
    });
    return (await world.store.record.getCase(caseId))!;
  };

  beforeAll(async () => {
    receiver = await pagerReceiver();
    const { url } = receiver;
    world = await inThisProcess({
      settings: {
        reviews: { sendAfterSeconds: 0 },
        destinations: {
          oncall: {
            type: 'pagerduty',
            url: `${url}/pager`,
            secret: '${PAGER_KEY}',
            allowPrivate: true,
            when: { playbook: 'incident', disposition: 'act' },
          },
          archive: { type: 'webhook', url: `${url}/archive`, allowPrivate: true },
          ops: {
            type: 'webhook',
            url: `${url}/ops`,
            allowPrivate: true,
            when: { events: ['condition'], condition: ['silence_withheld'] },
          },
        },
      },
      env: () => ({ LLM_PROVIDER: 'none', PAGER_KEY: 'a-routing-key' }),
    });
  });
  afterAll(async () => {
    await world.close();
    receiver.close();
  });

  it('withhold the page of an alert that matches, show it, and judge it again when they end', async () => {
    const { id, state } = await create('service=checkout', 'instance=~first.*');
    expect(state).toBe('active');
    const caseId = await fire('first-1');
    await withheld(caseId);
    expect(await states(caseId)).toEqual(['archive verdict withheld', 'oncall verdict withheld']);
    const { silence: reason } = (await deliveries(caseId))[0]!;
    expect(reason).toMatchObject({ id, author: 'ann', reason: 'A move of the database' });
    const shown = await get<{ verdict: object; silence: object }>(`/cases/${caseId}`);
    expect(shown).toMatchObject({
      verdict: { disposition: 'act' },
      silence: { silenceId: id, author: 'ann', messages: 2, isOver: false },
    });
    expect((await silence(id)).withheld).toEqual({ cases: 1, messages: 2, critical: 2 });
    // A critical page that nobody got is a condition.
    await until('the condition is reported', () => conditions().includes('condition.opened'));
    expect(pages(caseId)).toEqual([]);
    const acknowledged = await api(`/cases/${caseId}/acknowledge`, {});
    expect(acknowledged.status).toBe(404);

    expect((await endSilence(id)).status).toBe(200);
    expect((await endSilence(id)).status).toBe(409);
    await until('the page leaves', async () => pages(caseId).length === 1 && (await pending(caseId)) === 0);
    expect((await decided(caseId, 2)).isAnswered).toBe(false);
    // Receivers do not have the withheld verdict, so the same one is no repeat for them.
    expect(await states(caseId)).toEqual([
      'archive verdict delivered',
      'archive verdict withheld',
      'oncall verdict delivered',
      'oncall verdict withheld',
    ]);
    await until('the end of the condition is reported', () => conditions().includes('condition.closed'));
    const acts = await world.store.database.rows<object>(
      `select type, "by", reason from acts where subject = $1 order by at`,
      [`silence ${id}`],
    );
    expect(acts).toEqual([
      { type: 'silence.created', by: 'ann', reason: 'A move of the database' },
      { type: 'silence.ended', by: 'ann', reason: 'It is done' },
    ]);
  });

  it('keep quiet about an alert that ends in them, and page those that do not match', async () => {
    const { id } = await create('service=checkout', 'instance=second');
    const [caseId, other] = [await fire('second'), await fire('second-other')];
    await withheld(caseId);
    await until('the other one is paged', () => pages(other).length === 1);
    await fire('second', resolved);
    await endSilence(id);
    // What comes after in the same queue has been handled.
    const { id: later } = await create('service=checkout', 'instance=second-later');
    const marker = await fire('second-later');
    await withheld(marker);
    await endSilence(later);
    await until('a later case is judged again', () => pages(marker).length === 1);
    expect(pages(caseId)).toEqual([]);
    expect((await decided(caseId)).runs).toHaveLength(1);
  });

  it('that begin after a page withhold what comes next, and not the end of the paged alert', async () => {
    const caseId = await fire('third');
    await until('the page leaves', () => pages(caseId).length === 1);
    const { id } = await create('service=checkout', 'instance=third');
    await fire('third', { startsAt: '2026-01-05T12:00:00Z' });
    await withheld(caseId);
    await fire('third', { ...resolved, startsAt: '2026-01-05T12:00:00Z' });
    await until('its end leaves', () => pages(caseId).length === 2);
    await endSilence(id);
    expect(pages(caseId)).toEqual(['trigger', 'resolve']);
  });

  it('withhold no answer of a person: a correction and an agreement leave', async () => {
    const { id } = await create('service=checkout', 'instance=~fourth.*');
    const [agreed, corrected] = [await fire('fourth-1'), await fire('fourth-2')];
    await withheld(agreed);
    await withheld(corrected);
    expect((await api(`/reviews/${agreed}/answer`, { actId: 'agree', agree: true })).status).toBeLessThan(
      300,
    );
    await until(
      'the agreed page leaves',
      async () => (await pending(agreed)) === 0 && pages(agreed).length === 1,
    );
    expect(await states(agreed)).toEqual(['archive verdict delivered', 'oncall verdict delivered']);
    expect(await get(`/cases/${agreed}`)).toMatchObject({ silence: null });
    const outcome = { action: 'no-action' };
    const answer = { actId: 'correct', outcome };
    expect(await api(`/reviews/${corrected}/answer`, answer)).toMatchObject({ status: 200 });
    const to = async () => (await states(corrected)).filter((one) => one.startsWith('archive'));
    await until('the correction leaves', async () => (await to()).includes('archive verdict delivered'));
    await endSilence(id);
  });

  it('are refused without an exact matcher, for more than 7 days, in the past, or with a wrong pattern', async () => {
    const at = (ms: number) => new Date(Date.now() + ms).toISOString();
    const exact = { name: 'service', value: 'checkout' };
    const valid = { matchers: [exact], endsAt: at(60_000), reason: 'A test' };
    const refused = async (over: object) =>
      JSON.stringify((await api('/silences', { ...valid, ...over })).answer);
    const pattern = { name: 'service', value: '.*', isRegex: true };
    expect(await refused({ matchers: [pattern] })).toContain('at least one matcher with an exact value');
    expect(await refused({ matchers: [{ ...exact, value: '' }] })).toContain('exact value');
    expect(await refused({ matchers: [exact, { ...pattern, value: '(?=x)' }] })).toContain('RE2');
    expect(await refused({ endsAt: at(7 * 86_400_000 + 60_000) })).toContain('at most 7 days');
    expect(await refused({ endsAt: at(-1) })).toContain('after the start and after now');
    expect(await refused({ reason: ' ' })).toContain('reason');
  });

  it('are created, listed and ended by the command line', async () => {
    const consoleUrl = world.service('console').url;
    const run = (...args: string[]) => runCasefile('silences', ...args, '--console', consoleUrl);
    const created = await run(
      'create',
      'service=search',
      'instance=~db-.*',
      '--for',
      '2h',
      '--reason',
      'A move',
    );
    expect(created.lines.join('\n')).toMatch(/active +service=search instance=~db-\.\*/);
    const [id = ''] = created.lines[0]!.split(' ');
    expect((await run('list', '--state', 'active')).lines.join('\n')).toContain(id);
    expect((await run('end', id)).lines.join('\n')).toContain(`${id}  over`);
    expect((await run('create', 'service', '--for', '2h', '--reason', 'x')).errors.join('\n')).toContain(
      'Expected name=value',
    );
  });
});
