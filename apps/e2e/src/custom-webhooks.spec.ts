import { createHmac } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@casefile/contracts';
import { realWorld, type World } from './testing/world.js';

const PAGER_SECRET = 'a-secret-of-pagerduty';
const TOPIC_PASSWORD = Buffer.from('sns:a-password-of-the-topic').toString('base64');
const SETTINGS = `
webhooks:
  pager:
    preset: pagerduty
    playbook: incident
    proof:
      hmac: { header: X-PagerDuty-Signature, prefix: "v1=" }
      secret: \${PAGER_SECRET}
  topic:
    preset: cloudwatch
    playbook: incident
    proof:
      header: { name: Authorization, prefix: "Basic " }
      secret: \${TOPIC_PASSWORD}
  backups:
    playbook: incident
    mapping: { name: /job/name, summary: /error, severity: /level, status: /state }
    proof:
      header: { name: Authorization, prefix: "Basic " }
      secret: \${TOPIC_PASSWORD}
`;

const incident = (event_type: string, occurred_at = '2026-11-25T10:00:00Z') => ({
  event: {
    event_type,
    occurred_at,
    data: { id: 'PGR0VU2', title: 'Checkout API down', urgency: 'high', priority: { summary: 'P1' } },
  },
});

describe('webhooks of the settings over HTTP', () => {
  let world: World;
  beforeAll(async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'casefile-hooks-')), 'own.yaml');
    writeFileSync(file, SETTINGS);
    const own = { PAGER_SECRET, TOPIC_PASSWORD, CASEFILE_CONFIG: file };
    world = await realWorld('inline', null, { LOG_LEVEL: 'fatal', ...own });
  });
  afterAll(() => world.close());

  const post = async (path: string, text: string, headers: Record<string, string>) => {
    const answer = await fetch(`${world.ingestUrl}/v1/${path}`, {
      method: 'POST',
      body: text,
      headers: { 'content-type': 'application/json', ...headers },
    });
    const body = (await answer.json()) as {
      results: { caseId: string; runId: string; joined: boolean }[];
      errors: { path: string }[];
    };
    return { status: answer.status, challenge: answer.headers.get('www-authenticate'), body };
  };
  const page = (event: object, secret = PAGER_SECRET) => {
    const text = JSON.stringify(event);
    const signature = createHmac('sha256', secret).update(text).digest('hex');
    return post('webhooks/custom/pager', text, { 'x-pagerduty-signature': `v1=${signature}` });
  };

  it('S2-40 judge what their sender signed, and let no other sender join or end its case', async () => {
    const { status, body } = await page(incident('incident.triggered'));
    expect([status, body.results]).toEqual([202, [expect.objectContaining({ joined: false })]]);
    const caseId = body.results[0]?.caseId ?? '';
    const shown = await world.ended(caseId);
    const [verdict] = shown.runs.flatMap(({ artifacts }) =>
      artifacts.filter((a) => a.artifact === 'verdict'),
    );
    expect(verdict?.body['outcome']).toMatchObject({ action: 'page', name: 'Checkout API down' });

    const over = incident('incident.resolved', '2026-11-25T11:00:00Z');
    expect((await page(over, 'another secret of anyone')).status).toBe(401);
    const claimed = { playbook: 'incident', source: 'pager', payload: over };
    expect((await post('alerts', JSON.stringify(claimed), {})).body.errors).toMatchObject([
      { path: 'source' },
    ]);
    await post('alerts', JSON.stringify({ playbook: 'incident', payload: over }), {});
    const state = () => world.platform.store.record.getCase(caseId);
    expect(await state()).toMatchObject({ resolvedAt: null, alertCount: 1 });
    expect((await page(over)).body.results).toMatchObject([{ caseId, joined: true }]);
    expect(await state()).toMatchObject({ resolvedAt: expect.any(String), alertCount: 2 });
  });

  it('S2-40 take JSON that SNS calls plain text, after they asked for its password', async () => {
    const topic = (message: JsonObject, headers: Record<string, string>) =>
      post('webhooks/custom/topic', JSON.stringify(message), {
        'content-type': 'text/plain; charset=UTF-8',
        ...headers,
      });
    const message = {
      Type: 'Notification',
      Message: JSON.stringify({ AlarmName: 'HighCPU', NewStateValue: 'ALARM', NewStateReason: 'above 80' }),
    };
    expect(await topic(message, {})).toMatchObject({ status: 401, challenge: 'Basic realm="casefile"' });
    const authorization = `Basic ${TOPIC_PASSWORD}`;
    expect(await topic(message, { authorization })).toMatchObject({
      status: 202,
      body: { results: [{ joined: false }] },
    });
    const asks = { Type: 'SubscriptionConfirmation', Message: 'x', SubscribeURL: 'https://sns.example/?x=1' };
    expect((await topic(asks, { authorization })).status).toBe(202);
    const { items } = await world.platform.store.deadLetters.find({ limit: 10 });
    expect(items).toMatchObject([
      { message: expect.stringContaining('SubscribeURL'), provenBy: 'custom/topic' },
    ]);
  });

  it('S2-40 read by their mapping, and have no other address', async () => {
    const authorization = `Basic ${TOPIC_PASSWORD}`;
    const job = { job: { name: 'nightly-db' }, error: 'No space left', level: 'critical', state: 'failed' };
    const failed = await post('webhooks/custom/Backups/', JSON.stringify(job), { authorization });
    const [first] = failed.body.results;
    const again = await post('webhooks/custom/backups', JSON.stringify({ ...job, state: 'ok' }), {
      authorization,
    });
    expect(again.body.results).toMatchObject([{ caseId: first?.caseId, joined: true }]);
    const shown = await world.ended(first?.caseId ?? '');
    expect(shown).toMatchObject({ resolvedAt: expect.any(String) });
    expect(shown.alerts[0]).toMatchObject({ source: 'backups', payload: { sent: job } });
    expect((await post('webhooks/custom/nobody', '{}', { authorization })).status).toBe(404);
  });
});
