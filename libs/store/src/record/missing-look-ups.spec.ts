import type { QualityQuery } from '@casefile/contracts';
import { testRecord } from '../testing/test-record.js';

const at = testRecord();
const ALWAYS: QualityQuery = { from: '2000-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' };

/** Look-ups of one run, as tool and reason; null: it answered. */
type LookUps = readonly (readonly [tool: string, reason: string | null])[];

async function decidedWith(
  calls: LookUps,
  more: { toolsOut?: string[]; askedFor?: string[]; lane?: 'live' | 'replay' } = {},
) {
  const { bench, store } = at();
  const { runId, caseId } = await bench.accept({ lane: more.lane ?? 'live' });
  for (const [seq, [tool, reason]] of calls.entries())
    await store.database.rows(
      `insert into tool_calls (id, run_id, unit, stage, round, step, seq, case_id, lane, tool, args, state, reason_code)
       values ($1, $2, '', 'collect', 1, 1, $3, $4, 'live', $5, '{}', case when $6::text is null then 'succeeded' else 'failed' end, $6)`,
      [bench.ids.id(), runId, seq, caseId, tool, reason],
    );
  const artifacts = {
    evidence: { items: [], toolsOut: more.toolsOut?.map((name) => ({ name, why: 'down' })) },
    draft: {
      answer: { trace: [{ actions: more.askedFor?.map((tool) => ({ tool, reasonCode: 'unknown_tool' })) }] },
    },
  };
  for (const [name, body] of Object.entries(artifacts))
    await store.database.rows(
      `insert into artifacts (run_id, unit, artifact, round, body) values ($1, '', $2, 1, $3::json)`,
      [runId, name, JSON.stringify(body)],
    );
  await bench.decide(runId);
  return { runId, caseId };
}

async function noteAll(): Promise<void> {
  await at().settled();
  for (let page = 3; page === 3;) page = await at().store.qualityFigures.note(3, 0);
}

describe('look-ups without an answer', () => {
  it('S4-60 the sums are those of a direct count, however often the events are read', async () => {
    const { store } = at();
    const runs: LookUps[] = [
      [
        ['web', 'not_configured'],
        ['web', 'not_configured'],
        ['db', null],
      ],
      [
        ['web', 'not_configured'],
        ['web', 'timeout'],
      ],
      [['db', 'timeout']],
      [['db', null]],
    ];
    for (const calls of runs) await decidedWith(calls);
    await decidedWith([['db', 'timeout']], { lane: 'replay' });
    await noteAll();
    await store.database.rows('delete from event_readers', []);
    await noteAll();
    const found = await store.qualityFigures.missing(ALWAYS, 20);
    const direct = await store.database.rows(
      `select t.tool, count(distinct t.case_id)::int as cases from tool_calls t join runs r on r.id = t.run_id
       where t.state <> 'succeeded' and r.lane <> 'replay' group by 1 order by 2 desc, 1`,
      [],
    );
    expect(found.map(({ tool, cases }) => ({ tool, cases }))).toEqual(direct);
    expect(found[0]).toMatchObject({
      tool: 'web',
      cases: 2,
      reasons: [
        { reason: 'not_configured', cases: 2 },
        { reason: 'timeout', cases: 1 },
      ],
    });
    expect(await store.qualityFigures.missing(ALWAYS, 1)).toHaveLength(1);
    expect(await store.qualityFigures.missing({ ...ALWAYS, playbook: 'other' }, 20)).toEqual([]);
  });

  it('S4-60 counts tools that could not be used, and tools that do not exist, and lists their cases', async () => {
    const { store } = at();
    const first = await decidedWith([], {
      toolsOut: ['cluster__logs'],
      askedFor: ['read_mind', 'read_mind'],
    });
    const second = await decidedWith([], { askedFor: ['read_mind'] });
    await decidedWith([['db', null]]);
    await noteAll();
    const found = await store.qualityFigures.missing(ALWAYS, 20);
    expect(
      found.map(({ tool, cases, reasons }) => [tool, cases, reasons.map(({ reason }) => reason)]),
    ).toEqual([
      ['read_mind', 2, ['unknown_tool']],
      ['cluster__logs', 1, ['not_available']],
    ]);
    const listed = async (missing: string) =>
      (await store.record.listCases({ missing, limit: 10 })).items.map(({ id }) => id);
    expect(await listed('read_mind')).toEqual([second.caseId, first.caseId]);
    expect(await listed('db')).toEqual([]);
  });
});
