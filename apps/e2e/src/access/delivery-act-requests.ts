import { randomUUID } from 'node:crypto';
import { ACT, TYPED, fresh, judgeCase, type ActEntry, type ActFacts } from './act-request.js';

const HOOK = { type: 'slack', url: 'http://127.0.0.1:9/hook' };
async function destination({ prepare }: ActFacts): Promise<string> {
  const name = `own-${fresh()}`;
  await prepare('/destinations', { name, destination: HOOK });
  return name;
}
const SILENCE = {
  matchers: [{ name: 'service', value: 'checkout' }],
  endsAt: new Date(Date.now() + 3_600_000).toISOString(),
  reason: 'A deployment',
};
const onDestination =
  (body: object): ActEntry['request'] =>
  async (facts) => ({ params: { name: await destination(facts) }, body: { by: TYPED, ...body } });

async function delivered({ store }: ActFacts, caseId: string | null, to: string): Promise<string> {
  const id = randomUUID();
  await store.database.rows(
    `insert into outbound_deliveries (id, destination, kind, key, case_id, state, created_at, ended_at)
     values ($1::uuid, $2, 'verdict', $1::uuid::text, $3::uuid, 'delivered', now(), now())`,
    [id, to, caseId],
  );
  return id;
}

/** Requests of destinations and deliveries. */
export const DELIVERY_ACTS: Record<string, ActEntry> = {
  acknowledgeCase: {
    request: async (facts) => {
      const { caseId } = await judgeCase(facts);
      const pager = JSON.stringify({ type: 'pagerduty', url: 'http://127.0.0.1:9/pager' });
      await facts.store.database.rows(
        `insert into destination_entries (name, entry, changed_by) values ('pager', $1::json, 'bob') on conflict do nothing`,
        [pager],
      );
      await delivered(facts, caseId, 'pager');
      return { params: { caseId }, body: { by: TYPED } };
    },
  },
  addDestination: {
    request: async () => ({ body: { name: `own-${fresh()}`, destination: HOOK, ...ACT } }),
  },
  changeDestination: {
    request: onDestination({ destination: { ...HOOK, url: 'http://127.0.0.1:9/other' } }),
  },
  removeDestination: { request: onDestination({}) },
  testDestination: { request: onDestination({}) },
  pauseDestination: { request: onDestination({}) },
  resumeDestination: {
    request: async (facts) => {
      const name = await destination(facts);
      await facts.prepare(`/destinations/${name}/pause`, { by: TYPED });
      return { params: { name }, body: { by: TYPED } };
    },
  },
  resendDeliveries: {
    request: async (facts) => {
      const name = await destination(facts);
      await delivered(facts, null, name);
      return { params: { name }, body: { since: '2026-01-01T00:00:00Z', by: TYPED } };
    },
  },
  resendDelivery: {
    request: async (facts) => ({
      params: { id: await delivered(facts, null, await destination(facts)) },
      body: { by: TYPED },
    }),
  },
  createSilence: { request: async () => ({ body: { ...SILENCE, by: TYPED } }) },
  endSilence: {
    request: async ({ prepare, store }) => {
      await prepare('/silences', SILENCE);
      const [first] = await store.silences.list('active', Date.now());
      return { params: { id: first?.id ?? '' }, body: { by: TYPED } };
    },
  },
};
