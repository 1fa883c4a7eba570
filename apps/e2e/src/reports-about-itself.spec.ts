import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import { messageSchema, WEBHOOK_EVENTS } from '@casefile/console/outbound-webhooks';
import { eventReceiver, type EventReceiver, type ReceivedEvent } from './testing/event-receiver.js';
import { inThisProcess, type SystemUnderTest } from './testing/launched-services.js';

describe('T-20 Casefile reports about itself to destinations', () => {
  let receiver: EventReceiver;
  let system: SystemUnderTest;
  const rows = (text: string, params: unknown[] = []) => {
    const { database } = system.store;
    return database.rows<Record<string, string>>(text, params);
  };
  const judge = async (hour: string): Promise<string> => {
    const text = `Können wir das Treffen auf ${hour} Uhr verschieben?`;
    const response = await fetch(`${system.service('ingest').url}/v1/alerts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ playbook: 'scam-verdict', text, collect: false }),
    });
    const { caseId } = (await response.json()) as { caseId: string };
    return caseId;
  };
  const short = (events: ReceivedEvent[]) =>
    events.map(({ type, data }) => [type, data.condition?.id ?? data.caseId ?? '']);

  beforeAll(async () => {
    receiver = await eventReceiver();
    const hook = (path: string, when?: object) => ({
      type: 'webhook',
      url: receiver.url + path,
      allowPrivate: true,
      ...(when === undefined ? {} : { when }),
    });
    system = await inThisProcess({
      settings: {
        reviews: { answerWithinHours: { default: 24 } },
        destinations: {
          archive: hook('/archive'),
          ops: hook('/ops', { events: 'condition', condition: ['dead_letters', 'destination_failing'] }),
          pager: { ...hook('/pager', { events: 'review' }), type: 'pagerduty', secret: '${PAGER_KEY}' },
          desk: hook('/desk', { events: ['review'], playbook: 'scam-verdict' }),
          incidents: hook('/incidents', { events: ['review', 'condition'], playbook: 'incident', condition: 'disk_low' }), // prettier-ignore
          team: hook('/team', { events: ['delivery'] }),
          broken: {
            ...hook('/broken', { events: ['verdict', 'condition', 'delivery'], condition: ['destination_failing'] }), // prettier-ignore
            escalateTo: 'standby',
            afterSeconds: 3_600,
          },
          standby: hook('/standby', { playbook: 'incident' }),
        },
      },
      env: () => ({ LLM_PROVIDER: 'none', PAGER_KEY: 'routing-key' }),
    });
  });
  afterAll(async () => {
    await system.close();
    receiver.close();
  });

  it('once when a condition opens and once when it closes, and no more while it flaps', async () => {
    const bury = async (): Promise<string> => {
      const id = randomUUID();
      await system.store.deadLetters.bury({
        id,
        reasonCode: 'invalid_input',
        message: 'no text',
        payload: {},
      });
      return id;
    };
    const drop = (id: string) => rows('delete from dead_letters where id = $1', [id]);
    const first = await bury();
    await until('the opening is received', () => receiver.at('/ops').length === 1);
    expect(receiver.at('/ops')[0]).toMatchObject({
      type: 'condition.opened',
      data: {
        title: expect.stringMatching(/^WARNING: 1 dead letter waits/),
        text: expect.stringContaining('To do: Fix the cause'),
        condition: { id: 'dead_letters', severity: 'warning', closedAt: null },
      },
    });
    await drop(first);
    await until('the closing is received', () => receiver.at('/ops').length === 2);
    const [opened, closed] = receiver.at('/ops');
    expect(closed).toMatchObject({
      type: 'condition.closed',
      data: {
        condition: { id: 'dead_letters', openedAt: (opened!.data.condition as JsonObject)['openedAt'] },
      },
    });

    // Opened again within ten minutes: reported at their end, because it still lasts.
    const second = await bury();
    const marked = await rows(`select at from reported_until`);
    const hasPassed = async () =>
      (await rows(`select at from reported_until`))[0]!['at']! > marked[0]!['at']!;
    await until('a pass has ended', hasPassed);
    expect(receiver.at('/ops')).toHaveLength(2);
    await rows(`update condition_notices set opened_at = opened_at - interval '10 min', closed_at = closed_at - interval '10 min'`); // prettier-ignore
    await until('the state is received', () => receiver.at('/ops').length === 3);
    await drop(second);
    await until('the second closing is received', () => receiver.at('/ops').length === 4);
    expect(short(receiver.at('/ops')).map(([type]) => type)).toEqual([
      'condition.opened',
      'condition.closed',
      'condition.opened',
      'condition.closed',
    ]);
  });

  it('when a verdict opens a review, and when the review is overdue, to those who ask for it', async () => {
    const caseId = await judge('fünf');
    await until('the review is reported', () => receiver.at('/desk').length === 1);
    await until('the verdict is received', () => receiver.at('/archive').length === 1);
    await rows(`update runs set decided_at = now() - interval '24 hours' where case_id = $1`, [caseId]);
    await until('the delay is reported', () => receiver.at('/desk').length === 2);
    expect(receiver.at('/desk')).toMatchObject([
      {
        type: 'review.needed',
        data: { caseId, review: { withinHours: 24 }, verdict: { disposition: 'review' } },
      },
      { type: 'review.overdue', data: { caseId, title: expect.stringMatching(/^Review overdue: /) } },
    ]);
    // An answer ends the alert of the review.
    const answer = await fetch(`${system.service('console').url}/api/v1/reviews/${caseId}/answer`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ by: 'ann', outcome: { riskLevel: 'low' } }),
    });
    expect(answer.status).toBeLessThan(300);
    await until('the alert is resolved', () => receiver.at('/pager').length === 3);
    expect(receiver.at('/pager')).toMatchObject(
      ['trigger', 'trigger', 'resolve'].map((event_action) => ({ event_action, dedup_key: caseId })),
    );
    // A destination without `events` gets verdicts only.
    expect(short(receiver.at('/archive'))).toEqual([['verdict.decided', caseId]]);
    expect(receiver.at('/incidents')).toEqual([]);
  });

  it('when another destination fails, never to itself, and when it is reached again', async () => {
    const before = receiver.at('/ops').length;
    receiver.refuses.add('/broken');
    const caseId = await judge('sechs');
    const own = async () =>
      (await system.store.destinations.list({ destination: 'broken', limit: 50 })).deliveries;
    const failing = async () => (await own()).find((one) => one.caseId === caseId);
    await until('an attempt failed', async () => ((await failing())?.attempts.length ?? 0) > 0);
    await rows(
      `update destinations set failing_since = failing_since - interval '1 min' where name = 'broken'`,
    );
    await until('the failure is reported', () => receiver.at('/team').length === 1);
    await until('the condition is reported', () => receiver.at('/ops').length === before + 1);
    expect(short(receiver.at('/team'))).toEqual([['delivery.failing', 'destination_failing.broken']]);
    expect(receiver.at('/team')[0]!.data['text']).toMatch(
      /The destination broken has accepted nothing since .+ \(it answered HTTP 500\)/,
    );

    await rows(`update outbound_deliveries set created_at = created_at - interval '1 hour' where id = $1`, [
      (await failing())!.id,
    ]);
    await until('the verdict is escalated', () => receiver.at('/standby').length === 1);
    expect(receiver.at('/standby')[0]).toMatchObject({
      type: 'verdict.decided',
      data: { caseId, title: expect.stringMatching(/^Not accepted by broken: /) },
    });

    receiver.refuses.delete('/broken');
    await system.store.destinations.resend((await failing())!.id, 'ann', Date.now());
    await until('the end is reported', () => receiver.at('/team').length === 2);
    await until('the end of the condition is reported', () => receiver.at('/ops').length === before + 2);
    expect(short(receiver.at('/ops').slice(before))).toEqual([
      ['condition.opened', 'destination_failing.broken'],
      ['condition.closed', 'destination_failing.broken'],
    ]);
    expect((await own()).filter(({ kind }) => kind !== 'verdict')).toEqual([]);
  });

  it('with the fields of the published webhooks, each event of them', () => {
    const all = ['/archive', '/ops', '/desk', '/team'].flatMap((path) => receiver.at(path));
    expect(new Set(all.map(({ type }) => type))).toEqual(new Set(Object.keys(WEBHOOK_EVENTS)));
    for (const { type, data } of all) {
      const known = Object.keys(messageSchema(type).properties.data.properties);
      expect([type, Object.keys(data).filter((field) => !known.includes(field))]).toEqual([type, []]);
    }
  });
});
