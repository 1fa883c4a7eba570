import { hasEnded } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import { passTimeIn } from '@casefile/store/testing';
import { launchedServices, type Launched } from './testing/launched-services.js';
import { pagerReceiver, type PagerReceiver } from './testing/pager-receiver.js';

interface Page {
  event_action: string;
  dedup_key: string;
  payload: { summary: string; severity: string; custom_details: Record<string, string> };
}

type Alert = { labels: Record<string, string>; fingerprint: string } & Record<string, unknown>;

const alert = (name: string, instance: string, over: object = {}, labels: object = {}): Alert => ({
  status: 'firing',
  labels: { alertname: name, instance, severity: 'critical', ...labels },
  annotations: { summary: `${instance} is down` },
  startsAt: new Date().toISOString(),
  endsAt: '0001-01-01T00:00:00Z',
  fingerprint: `${name} ${instance}`,
  ...over,
});

describe('storms', () => {
  let receiver: PagerReceiver;
  let world: Launched;
  /** The cases of this test: a storm of an earlier one may page again when time passes. */
  let sent = new Set<string>();

  beforeAll(async () => {
    receiver = await pagerReceiver();
    world = await launchedServices({
      env: () => ({ LLM_PROVIDER: 'none', PAGER_KEY: 'pager-key' }),
      settings: {
        correlation: {
          enabled: true,
          services: {
            checkout: { dependsOn: ['payments'] },
            payments: { dependsOn: ['ledger-db'] },
            search: { dependsOn: ['search-db'] },
          },
        },
        destinations: {
          oncall: {
            type: 'pagerduty',
            url: `${receiver.url}/pager`,
            secret: '${PAGER_KEY}',
            allowPrivate: true,
            when: { playbook: 'incident', disposition: 'act' },
          },
        },
      },
    });
  });
  afterAll(async () => {
    receiver.close();
    await world.close();
  });
  beforeEach(() => (sent = new Set()));

  const pages = () =>
    receiver.received
      .map(({ text }) => JSON.parse(text) as Page)
      .filter(({ dedup_key }) => sent.has(dedup_key));
  const triggers = () => pages().filter(({ event_action }) => event_action === 'trigger');
  const send = async (group: string | null, alerts: Alert[]): Promise<string[]> => {
    const answer = (await world.post('/v1/webhooks/alertmanager', {
      version: '4',
      status: 'firing',
      ...(group === null ? {} : { groupKey: `{}:{alertname="${group}"}`, groupLabels: { alertname: group } }),
      alerts,
    })) as { results: { caseId: string }[] };
    const ids = answer.results.map(({ caseId }) => caseId);
    for (const id of ids) sent.add(id);
    return ids;
  };
  // One after another: two hundred reads at once would wait for the few connections of this world.
  const cases = async (ids: string[]) => {
    const found: Awaited<ReturnType<typeof world.store.record.getCase>>[] = [];
    for (const id of ids) found.push(await world.store.record.getCase(id));
    return found;
  };
  const decided = async (ids: string[]) => {
    for (const id of ids)
      await until(`case ${id} is decided`, async () => (await cases([id]))[0]?.status === 'decided');
  };

  it('pages 40 alerts of one group once; the others take the verdict and are marked', async () => {
    const ids = await send(
      'TargetDown',
      Array.from({ length: 40 }, (_, i) => alert('TargetDown', `10.0.0.${i}:9100`)),
    );
    expect(new Set(ids).size).toBe(40);
    await decided(ids);
    await until('the page has arrived', () => triggers().length > 0);
    expect(triggers()).toHaveLength(1);
    const documents = await cases(ids);
    const taken = documents.filter((one) => one?.verdict?.storm !== undefined);
    expect(taken).toHaveLength(39);
    const lead = documents.find((one) => one?.verdict?.storm === undefined);
    expect(triggers()[0]?.dedup_key).toBe(lead?.id);
    expect(new Set(taken.map((one) => one?.verdict?.storm?.caseId))).toEqual(new Set([lead?.id]));
    expect(new Set(documents.map((one) => one?.verdict?.disposition))).toEqual(new Set(['act']));
    // A member is no review, has no evidence of its own, and says where its verdict comes from.
    expect(taken[0]?.verdict?.reasons[0]).toBe(
      `The alert belongs to a storm. Its verdict is that of case ${lead?.id}.`,
    );
    expect(taken[0]?.runs[0]).toMatchObject({ status: 'decided', interactions: [], toolCalls: [] });
  });

  it('takes 200 alerts of one group within a minute with at most two pages, at the cost of two cases', async () => {
    const ids: string[] = [];
    for (let part = 0; part < 4; part += 1) {
      const alerts = Array.from({ length: 50 }, (_, i) => alert('ProbeFailed', `10.1.${part}.${i}:9100`));
      ids.push(...(await send('ProbeFailed', alerts)));
      await passTimeIn(world.databaseUrl, 15_500);
    }
    expect(new Set(ids).size).toBe(200);
    await decided(ids);
    const documents = await cases(ids);
    const runs = documents.flatMap((one) => one?.runs ?? []);
    const judged = runs.filter(({ artifacts }) => artifacts.some(({ artifact }) => artifact === 'draft'));
    expect(judged.length).toBeLessThanOrEqual(2);
    await until('the last page names all', () => triggers().at(-1)?.payload.summary.includes('200') === true);
    expect(triggers().length).toBeLessThanOrEqual(2);
  });

  it('reports a storm that grew once more, with its size, its names and its probable root', async () => {
    const first = await send(null, [alert('Slow', 'a', {}, { service: 'checkout', severity: 'critical' })]);
    await until('the first page has arrived', () => triggers().length === 1);
    const later = [
      ...(await send(null, [alert('Refuses', 'p', {}, { service: 'payments' })])),
      ...(await send(null, [alert('DiskFull', 'l', {}, { service: 'ledger-db' })])),
      ...(await send(
        null,
        Array.from({ length: 8 }, (_, i) => alert('Slow', `b${i}`, {}, { service: 'checkout' })),
      )),
    ];
    // Of the same sort as the page: decided by it. Others wait for the next judgement of the storm.
    await decided([...first, ...later.slice(2)]);
    expect(triggers()).toHaveLength(1);
    await passTimeIn(world.databaseUrl, 61_000);
    await decided([...first, ...later]);
    await until(
      () =>
        `the second page has arrived: ${JSON.stringify(triggers().map((p) => [p.dedup_key, p.payload.summary]))}`,
      () => triggers().length === 2,
      200,
      20_000,
    );
    const [, second] = triggers();
    expect(second?.dedup_key).toBe(first[0]);
    expect(second?.payload.summary).toContain('11 alerts');
    const text = JSON.stringify(second);
    expect(text).toContain('Probable root: ledger-db; 2 of the affected services depend on it.');
    expect(text).toContain('checkout: Slow, critical, 9 alerts since');
    expect(text).toContain('ledger-db: DiskFull, critical, 1 alert since');
    const [lead] = await cases(first);
    expect(lead?.runs.at(-1)?.toolCalls.map(({ tool }) => tool)).toContain('storm_members');
  });

  it('pages apart what is unrelated, and what is more severe', async () => {
    const warning = await send(null, [alert('Lag', 'q', {}, { service: 'search', severity: 'warning' })]);
    const critical = await send(null, [alert('Down', 'r', {}, { service: 'search' })]);
    const unrelated = await send(null, [alert('Fire', 's', {}, { service: 'datacentre' })]);
    const far = await send(null, [alert('Errors', 't', {}, { service: 'nowhere' })]);
    await decided([...warning, ...critical, ...unrelated, ...far]);
    await until('three pages have arrived', () => triggers().length === 3);
    expect(
      triggers()
        .map(({ dedup_key }) => dedup_key)
        .toSorted(),
    ).toEqual([...critical, ...unrelated, ...far].toSorted());
  });

  it('reports the end of a storm when all of its alerts are over', async () => {
    const both = [alert('Full', '1', {}, { service: 'mail' }), alert('Full', '2', {}, { service: 'mail' })];
    const ids = await send('Full', both);
    await decided(ids);
    await until('the page has arrived', () => triggers().length === 1);
    const lead = triggers()[0]?.dedup_key;
    const [leading, other] = ids[0] === lead ? both : both.toReversed();
    const end = { status: 'resolved', endsAt: new Date().toISOString() };
    await send('Full', [{ ...leading!, ...end }]);
    await world.platform.sweeper.tick();
    expect(pages().filter(({ event_action }) => event_action === 'resolve')).toEqual([]);
    await send('Full', [{ ...other!, ...end }]);
    await until('the end has arrived', () => pages().at(-1)?.event_action === 'resolve');
    expect(pages().map(({ dedup_key }) => dedup_key)).toEqual([lead, lead]);
  });

  it('judges the members separately if a silence withholds the page, and after a person answered', async () => {
    const now = Date.now();
    const silence = {
      id: '00000000-0000-4000-8000-00000000aaaa',
      matchers: [{ name: 'instance', value: 'silenced', isRegex: false, isEqual: true }],
      startsAt: new Date(now - 1_000).toISOString(),
      endsAt: new Date(now + 3_600_000).toISOString(),
      reason: 'a test',
      author: 'ann',
    };
    await world.store.silences.create(silence, { by: 'ann', reason: 'a test', actId: silence.id });
    const lead = await send('Hot', [alert('Hot', 'silenced', {}, { service: 'cooling' })]);
    const member = await send('Hot', [alert('Hot', 'loud', {}, { service: 'cooling' })]);
    await decided([...lead, ...member]);
    await until('the member is paged', () => triggers().length === 1);
    expect(triggers()[0]?.dedup_key).toBe(member[0]);
  });

  it('opens no run for repeats of members while the judged alert fires', async () => {
    const alerts = [alert('Leak', '1', {}, { service: 'pump' }), alert('Leak', '2', {}, { service: 'pump' })];
    const ids = await send('Leak', alerts);
    await decided(ids);
    await passTimeIn(world.databaseUrl, 25 * 3_600_000);
    const lead = triggers()[0]?.dedup_key;
    const [, other] = ids[0] === lead ? alerts : alerts.toReversed();
    const [again] = await send('Leak', [other!]);
    expect((await cases([again!]))[0]).toMatchObject({ status: 'decided', alertCount: 2, runs: [{}] });
    expect(triggers()).toHaveLength(1);
  });

  it('judges a member alone for a person, a replay and a batch, and pages none of them', async () => {
    const service = { service: 'belt' };
    const ids = await send('Jam', [alert('Jam', '1', {}, service), alert('Jam', '2', {}, service)]);
    await decided(ids);
    await until('the page has arrived', () => triggers().length === 1);
    const member = ids.find((id) => id !== triggers()[0]?.dedup_key)!;
    const open = async (body: object) => {
      const response = await fetch(`${world.service('console').url}/api/v1/cases/${member}/runs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const { runId } = (await response.json()) as { runId: string };
      await until('the run has ended', async () => {
        const run = (await cases([member]))[0]?.runs.find(({ id }) => id === runId);
        return run !== undefined && hasEnded(run);
      });
      return (await cases([member]))[0]?.runs.find(({ id }) => id === runId);
    };
    const again = await open({ lane: 'batch', evidence: 'fresh' });
    expect([again?.status, again?.verdict?.storm, again?.verdict?.disposition]).toEqual([
      'decided',
      undefined,
      'act',
    ]);
    const replay = await open({ lane: 'replay' });
    expect([replay?.status, replay?.verdict?.storm?.caseId, replay?.verdict?.disposition]).toEqual([
      'decided',
      triggers()[0]?.dedup_key,
      'act',
    ]);
    expect(triggers()).toHaveLength(1);
  });
});
