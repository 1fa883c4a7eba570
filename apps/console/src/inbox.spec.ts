import type { EngagementDetails, Inbox } from '@casefile/contracts';
import { startConsoleFake, type ConsoleFake } from './testing/console-fake.js';

const EARLIER = '2026-01-05T10:00:00.000Z';
const LATER = '2026-01-05T11:00:00.000Z';

const session: EngagementDetails = {
  id: 's',
  conversation: 'chat',
  messages: 1,
  stage: 'opened',
  action: 'engage',
  category: 'parcel',
  confidence: 0.9,
  redFlags: [],
  caseId: 'c',
  createdAt: EARLIER,
  updatedAt: EARLIER,
  closedAt: null,
  history: [],
};

describe('S2-32 everything that waits for a person', () => {
  let fake: ConsoleFake;
  beforeEach(async () => {
    fake = await startConsoleFake();
  });
  afterEach(() => fake.close());
  const inbox = async (query = ''): Promise<Inbox> =>
    (await (await fetch(`${fake.url}/api/v1/inbox${query}`)).json()) as Inbox;

  it('is empty if nothing waits', async () => {
    expect(await inbox()).toEqual({ waiting: [], items: [] });
  });

  it('is one list, the oldest first, with count and oldest per type', async () => {
    fake.deadLetters.push({
      id: 'l',
      kind: 'alert',
      at: LATER,
      caseId: null,
      runId: null,
      reasonCode: 'invalid_input',
      message: 'no text',
      payload: null,
    });
    fake.engagements.set(session.id, session);
    const { waiting, items } = await inbox();
    expect(waiting).toEqual([
      { type: 'letter', count: 1, oldest: LATER },
      { type: 'engagement', count: 1, oldest: EARLIER },
    ]);
    expect(items.map(({ type, id, state }) => [type, id, state])).toEqual([
      ['engagement', 's', 'engage'],
      ['letter', 'l', 'alert'],
    ]);
    expect((await inbox('?limit=0')).items).toEqual([]);
    expect((await inbox('?limit=0')).waiting).toHaveLength(2);
  });
});
