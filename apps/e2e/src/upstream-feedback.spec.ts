import type {
  DeadLetterList,
  Feedback,
  FeedbackList,
  RecordedFeedback,
  RecordedReports,
  ShownReview,
} from '@casefile/contracts';
import { Queue } from 'bullmq';
import { until } from '@casefile/contracts/testing';
import { emptyQueue } from './fault-run/empty-queue.js';
import { fetchServed } from './testing/fetch-served.js';
import { launchedServices, type LaunchedServices } from './testing/launched-services.js';
import { testRedis } from './testing/redis-database.js';

const HEADERS = { 'content-type': 'application/json' };

describe('feedback of other systems', () => {
  let world: LaunchedServices;
  const queueUrl = testRedis('upstream-feedback');
  const api = () => `${world.service('console').url}/api/v1`;
  const get = async <T>(path: string): Promise<T> =>
    (await (await fetchServed(`${api()}${path}`)).json()) as T;
  const report = async <T = RecordedFeedback>(
    body: object,
    url = `${world.service('ingest').url}/v1/feedback`,
  ) => {
    const response = await fetch(url, { method: 'POST', headers: HEADERS, body: JSON.stringify(body) });
    return { status: response.status, body: (await response.json()) as T };
  };
  const labels = async (caseId: string): Promise<Feedback[]> =>
    (await get<FeedbackList>(`/cases/${caseId}/feedback`)).feedback;
  const letters = async () => (await get<DeadLetterList>('/dead-letters?kind=feedback')).deadLetters;
  const decidedCase = async (text: string, key: string): Promise<string> => {
    const response = await fetch(`${world.service('ingest').url}/v1/alerts`, {
      method: 'POST',
      headers: { ...HEADERS, 'idempotency-key': key },
      body: JSON.stringify({ playbook: 'scam-verdict', text, collect: false }),
    });
    const { caseId } = (await response.json()) as { caseId: string };
    await until('the case has a verdict', async () => {
      const run = (await world.store.record.getCase(caseId))?.runs[0];
      return run?.status === 'decided';
    });
    return caseId;
  };

  beforeAll(async () => {
    await emptyQueue(queueUrl);
    world = await launchedServices({
      queueUrl,
      env: () => ({ LLM_PROVIDER: 'none' }),
    });
  });
  afterAll(() => world.close());

  it('S4-59 records a repeated report once, and the latest finding stands in whatever order they arrive', async () => {
    const caseId = await decidedCase('Können wir unser Treffen auf vier Uhr verschieben?', 'sms-1');
    const chargeback = {
      idempotencyKey: 'sms-1',
      event: 'chargeback',
      outcome: { riskLevel: 'high' },
      by: 'payments',
      at: '2026-03-03T10:00:00Z',
    };
    const first = await report(chargeback);
    expect(first).toMatchObject({ status: 202, body: { caseId, agrees: false, repeated: false } });
    const { idempotencyKey: _key, ...sameByCase } = { ...chargeback, caseId };
    expect(await report(sameByCase)).toMatchObject({ status: 202, body: { caseId, repeated: true } });
    // The appeal was found earlier than the chargeback, and arrives later.
    const appeal = { caseId, event: 'appeal', outcome: { riskLevel: 'low' }, by: 'appeals' };
    const late = await report<RecordedReports>([
      { ...appeal, at: '2026-03-02T10:00:00Z' },
      { ...chargeback, note: 'first notice', outcome: { riskLevel: 'low' }, at: '2026-03-01T10:00:00Z' },
    ]);
    expect(late.body.results).toMatchObject([
      { index: 0, repeated: false },
      { index: 1, repeated: false },
    ]);
    const review = await get<ShownReview>(`/reviews/${caseId}`);
    expect(review).toMatchObject({ state: 'disputed', verdict: { outcome: { riskLevel: 'high' } } });
    // The reports of an array are recorded concurrently, so their order is open.
    expect(review.history.map(({ event, by, foundAt }) => [foundAt, event, by]).sort()).toEqual([
      ['2026-03-01T10:00:00Z', 'chargeback', 'payments'],
      ['2026-03-02T10:00:00Z', 'appeal', 'appeals'],
      ['2026-03-03T10:00:00Z', 'chargeback', 'payments'],
    ]);
    expect((await labels(caseId)).map(({ by, outcome }) => [by, outcome])).toEqual([
      ['payments', { riskLevel: 'high' }],
      ['appeals', { riskLevel: 'low' }],
    ]);
  });

  it('S4-59 answers a report with a wrong field or case with a clear error, and keeps the second one for a redrive', async () => {
    const caseId = await decidedCase('Wollen wir morgen zusammen zu Mittag essen?', 'sms-2');
    const wrong = { caseId, event: 'appeal', outcome: { police: 1 }, by: 'appeals' };
    expect(await report(wrong)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'outcome.police', message: 'is not known: expected riskLevel' }] },
    });
    expect(await report({ ...wrong, deliveryId: 'd' })).toMatchObject({
      status: 400,
      body: {
        errors: [{ path: 'caseId', message: 'expected one of caseId, idempotencyKey and deliveryId' }],
      },
    });
    const early = {
      idempotencyKey: 'sms-3',
      event: 'chargeback',
      outcome: { riskLevel: 'high' },
      by: 'payments',
    };
    for (const _twice of [1, 2])
      expect(await report(early)).toMatchObject({
        status: 404,
        body: { reasonCode: 'unknown_case', detail: 'no case has the idempotencyKey "sms-3"' },
      });
    expect(await letters()).toMatchObject([{ kind: 'feedback', reasonCode: 'unknown_case', payload: early }]);
    const later = await decidedCase('Hast du heute Abend Zeit zum Kochen?', 'sms-3');
    const [letter] = await letters();
    const redriven = await report({ ids: [letter!.id] }, `${api()}/dead-letters/redrive`);
    expect(redriven.body).toEqual({ results: [{ id: letter!.id, kind: 'feedback', caseId: later }] });
    expect(await letters()).toEqual([]);
    expect(await labels(later)).toMatchObject([{ by: 'payments', outcome: { riskLevel: 'high' } }]);
  });

  it('S4-59 takes the same from the queue feedback, where invalid reports become dead letters too', async () => {
    const caseId = await decidedCase('Bringst du bitte Brot vom Bäcker mit?', 'sms-4');
    const run = (await world.store.record.getCase(caseId))!.runs[0]!;
    const producer = new Queue('feedback', { connection: { url: queueUrl } });
    const body = { caseId, event: 'appeal', outcome: { riskLevel: 'low' }, by: 'appeals' };
    const { id = '' } = await producer.add('feedback', [body, { ...body, outcome: {} }, body]);
    const result = async () =>
      ((await producer.getJob(id))?.returnvalue as RecordedReports | null | undefined)?.results ?? null;
    await until('the job has its answer', async () => (await result()) !== null);
    expect(await result()).toMatchObject([
      { index: 0, caseId, runId: run.id },
      { index: 1, problem: { reasonCode: 'invalid_input', errors: [{ path: 'outcome' }] } },
      { index: 2, caseId, runId: run.id },
    ]);
    await producer.close();
    expect(await labels(caseId)).toMatchObject([{ by: 'appeals', agrees: false }]);
    expect(await letters()).toMatchObject([{ kind: 'feedback', reasonCode: 'invalid_input' }]);
  });
});
