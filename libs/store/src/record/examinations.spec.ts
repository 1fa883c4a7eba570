import type { ClaimAnswer, QualityQuery } from '@casefile/contracts';
import { testRecord } from '../testing/test-record.js';

const at = testRecord();
const ALWAYS: QualityQuery = { from: '2000-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' };

/** One examination: answers on claims and on planted claims. `failed`: its reason code. */
interface Examined {
  unit?: string;
  round?: number;
  model: string;
  claims: readonly ClaimAnswer[];
  planted: readonly (ClaimAnswer | null)[];
  failed?: string;
}

async function decidedWith(
  examinations: readonly Examined[],
  { lane = 'live', right }: { lane?: 'live' | 'replay'; right?: boolean } = {},
) {
  const { bench, store } = at();
  const { runId, caseId } = await bench.accept({ lane });
  for (const { unit = '', round = 1, model, claims, planted, failed = null } of examinations) {
    const crossExamination = {
      promptId: 'incident/examine@1',
      failed,
      claims: claims.map((answer) => ({ answer })),
      planted: planted.map((answer) => ({ answer })),
    };
    await store.database.rows(
      `insert into artifacts (run_id, unit, artifact, round, body) values ($1, $2, 'review', $3, $4::json)`,
      [runId, unit, round, JSON.stringify({ ruling: 'PASS', crossExamination })],
    );
    const calls = [
      { step: 1, prompt: 'incident/critic@1', model: 'critic' },
      { step: 10_001, prompt: 'incident/examine@1', model: 'first' },
      { step: 10_002, prompt: 'incident/examine@1', model },
    ];
    for (const call of calls)
      await store.database.rows(
        `insert into llm_interactions (id, run_id, unit, stage, round, step, attempt, provider, model, prompt_id, request_hash,
           request, draw, state) values ($1, $2, $3, 'critique', $4, $5, 1, 'acme', $6, $7, '', '{}', '{}', 'completed')`,
        [bench.ids.id(), runId, unit, round, call.step, call.model, call.prompt],
      );
  }
  await bench.decide(runId);
  if (right !== undefined)
    await store.database.rows(
      `insert into feedback (id, case_id, run_id, agrees, outcome, "by", at) values ($1, $2, $3, $4, '{}', 'p', now())`,
      [bench.ids.id(), caseId, runId, right],
    );
}

async function noteAll(): Promise<void> {
  await at().settled();
  for (let page = 3; page === 3;) page = await at().store.qualityFigures.note(3, 0);
}

describe('examiners', () => {
  it('T-39 counts planted claims that each model supported, also when events are read again', async () => {
    const { store } = at();
    await decidedWith([{ model: 'a', claims: ['supports'], planted: ['not_in_it', 'contradicts'] }]);
    await decidedWith([
      { model: 'a', claims: [], planted: ['supports', 'not_in_it'], failed: 'planted_supported' },
      { model: 'a', unit: 'c2', claims: [], planted: [null, null], failed: 'timeout' },
    ]);
    await decidedWith([{ model: 'b', claims: ['supports'], planted: [] }]);
    await decidedWith([{ model: 'b', claims: [], planted: ['supports'] }], { lane: 'replay' });
    await noteAll();
    await store.database.rows('delete from event_readers', []);
    await noteAll();
    const none = { provider: 'acme', labelled: 0, agreed: 0 };
    expect(await store.qualityFigures.examiners(ALWAYS)).toEqual([
      { ...none, model: 'a', examinations: 3, planted: 4, supported: 1 },
      { ...none, model: 'b', examinations: 1, planted: 0, supported: 0 },
    ]);
    expect(await store.qualityFigures.examiners({ ...ALWAYS, playbook: 'other' })).toEqual([]);
  });

  it('T-39 compares the result of the last round of all units with the newest label', async () => {
    const { store } = at();
    const round = (n: number, ...claims: ClaimAnswer[]) => ({ model: 'a', round: n, claims, planted: [] });
    await decidedWith([round(1, 'contradicts'), round(2, 'supports', 'supports')], { right: true });
    await decidedWith([round(1, 'supports')], { right: false });
    await decidedWith([round(1, 'supports', 'not_in_it')], { right: false });
    const criterion = (unit: string, answer: ClaimAnswer) => ({ ...round(1, answer), unit });
    await decidedWith([criterion('c1', 'supports'), criterion('c2', 'contradicts')], { right: true });
    await decidedWith([{ ...round(1), failed: 'timeout' }], { right: true });
    await decidedWith([round(1, 'supports')]);
    await noteAll();
    expect(await store.qualityFigures.examiners(ALWAYS)).toMatchObject([
      { model: 'a', examinations: 8, labelled: 4, agreed: 2 },
    ]);
  });
});
