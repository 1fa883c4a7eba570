import type { EngagementDetails } from '@casefile/contracts';
import { startConsoleFake, type ConsoleFake } from './testing/console-fake.js';

const AT = '2026-01-05T10:00:00.000Z';
const decisionFields = {
  action: 'engage',
  category: 'parcel',
  confidence: 0.9,
  redFlags: ['fee'],
  caseId: 'c',
};
const session: EngagementDetails = {
  id: 's',
  conversation: 'chat',
  messages: 2,
  stage: 'continued',
  ...decisionFields,
  createdAt: AT,
  updatedAt: AT,
  closedAt: null,
  history: [{ ...decisionFields, stage: 'opened', runId: 'r', at: AT }],
};

describe('engagement sessions by API', () => {
  let fake: ConsoleFake;
  beforeAll(async () => {
    fake = await startConsoleFake();
    fake.engagements.set(session.id, session);
  });
  afterAll(() => fake.close());
  const ask = async (path: string, method = 'GET') => {
    const response = await fetch(`${fake.url}/api/v1/engagements${path}`, { method });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  it('S3-46 are listed, and one is read with its messages', async () => {
    expect(await ask('?state=open&limit=5')).toMatchObject({
      status: 200,
      body: { engagements: [{ id: 's', messages: 2 }], nextCursor: null },
    });
    expect(await ask('/s')).toEqual({ status: 200, body: session });
  });

  it('S3-46 are closed; one that is not there is not found, and a wrong filter is named', async () => {
    expect(await ask('/s/close', 'POST')).toMatchObject({ status: 200, body: { id: 's' } });
    expect(await ask('/none/close', 'POST')).toMatchObject({
      status: 404,
      body: { reasonCode: 'not_found' },
    });
    expect(await ask('/none')).toMatchObject({ status: 404 });
    const wrong = await ask('?state=half');
    expect(wrong.status).toBe(400);
    expect(JSON.stringify(wrong.body)).toContain('expected open or closed');
  });
});
