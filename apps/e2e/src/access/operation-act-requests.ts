import { randomUUID } from 'node:crypto';
import { until } from '@casefile/contracts/testing';
import {
  ACT,
  TYPED,
  fresh,
  judgeCase,
  type ActEntry,
  type ActFacts,
  type ActRequest,
} from './act-request.js';

async function bury({ store }: ActFacts): Promise<string> {
  const id = randomUUID();
  await store.deadLetters.bury({ id, reasonCode: 'invalid_input', message: 'no text', payload: {} });
  return id;
}

async function keyOf({ prepare }: ActFacts): Promise<ActRequest> {
  const { id } = await prepare('/keys', { name: `key ${fresh()}`, role: 'viewer', by: TYPED });
  return { params: { id: String(id) }, body: { by: TYPED } };
}

async function letters(facts: ActFacts): Promise<ActRequest> {
  return { body: { ids: [await bury(facts)] } };
}

/** Requests of cases, dead letters, budgets, keys, sessions, erasures and imports. */
export const OPERATION_ACTS: Record<string, ActEntry> = {
  submitAlert: {
    loggedAs: 'sender',
    request: async () => ({ body: { playbook: 'scam-verdict', text: 'Pay the duty', collect: false } }),
  },
  matchRunbooks: {
    loggedAs: 'nothing',
    request: async () => ({ body: { alerts: [{ labels: { alertname: 'DiskFull' } }] } }),
  },
  openRun: {
    request: async (facts) => ({
      params: { caseId: (await judgeCase(facts)).caseId },
      body: { lane: 'replay' },
    }),
  },
  createBatch: {
    request: async (facts) => ({ body: { caseIds: [(await judgeCase(facts)).caseId], lane: 'replay' } }),
  },
  actOnBatch: {
    request: async (facts) => {
      const caseIds = [(await judgeCase(facts)).caseId, (await judgeCase(facts)).caseId];
      const batch = { caseIds, lane: 'replay', ratePerSecond: 0.01 };
      const batchId = String((await facts.prepare('/batches', batch))['batchId']);
      await facts.prepare(`/batches/${batchId}/pause`);
      return { params: { batchId, act: 'resume' }, body: { budgetUsd: 5 } };
    },
  },
  previewBatch: {
    loggedAs: 'nothing',
    request: async (facts) => {
      const batch = { caseIds: [(await judgeCase(facts)).caseId], lane: 'replay' };
      const batchId = String((await facts.prepare('/batches', batch))['batchId']);
      await until(
        'the batch is done',
        async () => (await facts.read(`/batches/${batchId}`))['state'] === 'done',
      );
      return { params: { batchId }, body: {} };
    },
  },
  raiseBudget: {
    request: async (facts) => {
      const { caseId, runId } = await judgeCase(facts);
      const { rows } = { rows: (text: string, params: unknown[]) => facts.store.database.rows(text, params) };
      const [key, window] = [`case:${caseId}:tokens`, 'all'];
      const state = `status = 'parked', reason_code = 'budget_exhausted'`;
      await rows(`update runs set ${state} where id = $1`, [runId]);
      await rows(`update units set ${state} where run_id = $1`, [runId]);
      await rows(`insert into budgets (key, "window", measure, "limit") values ($1, $2, 'tokens', 1)`, [
        key,
        window,
      ]);
      await rows(
        `insert into events (type, case_id, run_id, data)
         values ('budget.exhausted', $1, $2, json_build_object('key', $3::text, 'window', $4::text))`,
        [caseId, runId, key, window],
      );
      return { params: { caseId }, body: { tokens: 10, by: TYPED } };
    },
  },
  giveSignal: {
    request: async (facts) => {
      const { caseId, runId } = await judgeCase(facts);
      await facts.store.database.rows(
        `update units set status = 'suspended', wait_step = 1, wait_signal = 'choice' where run_id = $1`,
        [runId],
      );
      await facts.store.database.rows(
        `insert into signals (run_id, unit, stage, round, step, case_id, name, question, options, fallback, until)
         select run_id, unit, stage, round, 1, case_id, 'choice', 'which?', '[{"value":"a","label":"a"}]', 'a',
           now() + interval '1 day' from units where run_id = $1`,
        [runId],
      );
      return { params: { caseId, name: 'choice' }, body: { option: 'a', by: TYPED } };
    },
  },
  closeEngagement: {
    request: async (facts) => {
      const { caseId, runId } = await judgeCase(facts);
      await facts.store.database.rows(
        `insert into engagement_sessions (id, case_id, stage, action, confidence, red_flags)
         values ($1, $2, 'opened', 'engage', 0.9, '[]')`,
        [runId, caseId],
      );
      return { params: { engagementId: runId } };
    },
  },
  dropDeadLetters: { request: letters },
  redriveDeadLetters: {
    request: async (facts) => {
      const { runId } = await judgeCase(facts);
      await facts.store.database.rows(
        `update runs set status = 'quarantined', reason_code = 'unexpected' where id = $1`,
        [runId],
      );
      await facts.store.database.rows(
        `update units set status = 'quarantined', reason_code = 'unexpected' where run_id = $1`,
        [runId],
      );
      return { body: { ids: [runId] } };
    },
  },
  redriveDeadLetter: {
    request: async (facts) => ({
      params: { letterId: await bury(facts) },
      body: { alert: { playbook: 'scam-verdict', text: `Pay ${fresh()}`, collect: false } },
    }),
  },
  tryProvider: {
    request: async ({ store }) => {
      const failure = { provider: 'simulator', reasonCode: 'server_error', openAfter: 1 };
      await store.providers.failed({ ...failure, openMs: 60_000, maxOpenMs: 60_000 });
      return { params: { provider: 'simulator' } };
    },
  },
  approveTools: {
    request: async ({ store }) => {
      const hash = 'a'.repeat(64);
      await store.database.rows(
        `insert into tool_entries (server, tool, seen_hash, seen_entry) values ('docs', 'read', $1, '{}')
         on conflict do nothing`,
        [hash],
      );
      return { params: { server: 'docs' }, body: { tools: [{ tool: 'read', hash }], by: TYPED } };
    },
  },
  createKey: { request: async () => ({ body: { name: `key ${fresh()}`, role: 'viewer', by: TYPED } }) },
  rotateKey: { request: keyOf },
  revokeKey: { request: keyOf },
  revokeSignInSession: {
    request: async ({ store }) => {
      const person = {
        source: 'key' as const,
        subject: 'k',
        name: 'bob',
        role: 'viewer' as const,
        groups: [],
      };
      await store.sessions.open({ ...person, tokenHash: randomUUID(), userAgent: '' }, null);
      const [session] = await store.sessions.list();
      return { params: { id: session?.id ?? '' }, body: { by: TYPED } };
    },
  },
  erase: {
    request: async (facts) => ({ body: { caseIds: [(await judgeCase(facts)).caseId], ...ACT } }),
  },
  postImport: {
    request: async () => {
      const form = new FormData();
      form.append('file', new Blob(['# Disk']), 'disk.md');
      return { params: { import: 'runbooks' }, form };
    },
  },
  decidePatternProposal: {
    request: async (facts) => {
      const { caseId, runId } = await judgeCase(facts);
      const pattern = {
        id: `own-${caseId}`,
        title: 'Fee',
        category: 'other',
        scamType: 'fee',
        texts: { en: 'Pay the fee' },
        redFlags: ['fee'],
        source: 'case',
        version: 1,
      };
      await facts.store.database.rows(
        `insert into lessons (case_id, run_id, act_id, "by", own_proposal, reports, pattern, state)
         values ($1, $2, 'x', 'bob', false, '[]', $3::json, 'proposed')`,
        [caseId, runId, JSON.stringify(pattern)],
      );
      return { params: { id: caseId }, body: { state: 'rejected', by: TYPED } };
    },
  },
};
