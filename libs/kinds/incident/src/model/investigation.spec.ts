import {
  CasefileError,
  type IncidentResult,
  type Json,
  type JsonObject,
  type ModelRequest,
  z,
} from '@casefile/contracts';
import { anIncidentInput, CLUSTER_TOOLS, incidentEvidence } from '../testing/incident-builders.js';
import {
  call,
  calls,
  playTurns,
  type Played,
  type ScriptedTurn,
  type WorldTool,
} from '@casefile/pipeline/testing/turn-world';
import { resultIn } from '../read-result.js';
import { incident } from '../playbook.js';

const LOGS = 'wal segment 00000001 kept: slot replica_2 inactive since 2026-03-02T04:10:00Z\n'.repeat(3);
const answers: Record<string, Json | CasefileError> = {
  cluster__disk_usage: { text: 'db-2 /var/lib/postgresql 97 % of 200 GiB' },
  cluster__logs: { text: LOGS },
  cluster__deployments: { text: 'orders 4.1.0 2026-02-25' },
  stored_result: { text: 'the rest' },
};
const worldOf = (over: Record<string, Json | CasefileError> = {}): Record<string, WorldTool> =>
  Object.fromEntries(
    Object.entries({ ...answers, ...over }).map(([name, answer]) => [
      name,
      { asks: z.looseObject({}), locality: 'remote' as const, answer: () => answer },
    ]),
  );

const ANALYSIS = {
  summary: 'The disk of db-2 is 97 % full [E2] because an inactive replication slot keeps WAL segments [E3].',
  hypotheses: [
    {
      cause: 'The replication slot replica_2 is inactive and keeps WAL segments',
      probability: 0.9,
      citations: [{ id: 'E3', quote: 'slot replica_2 inactive since 2026-03-02T04:10:00Z' }],
    },
  ],
  ruledOut: [{ cause: 'A release', citations: [{ id: 'E4', quote: 'orders 4.1.0 2026-02-25' }] }],
  actions: [
    { what: 'Drop the slot replica_2 if the replica is gone for good', risk: 'medium', reversible: false },
  ],
  impact: { now: false, what: 'Orders stop when the disk is full' },
  falseAlarm: { is: false, citations: [] },
  confidence: 0.9,
};

type Turn = ScriptedTurn | ((request: ModelRequest) => ScriptedTurn);
/** Plays turns of a model; further turns repeat the last one. */
function investigate(
  turns: readonly Turn[],
  more: {
    analysis?: object | string | CasefileError;
    tools?: Record<string, WorldTool>;
    options?: JsonObject;
    resolvedAt?(paid: number): string | null;
  } = {},
  crashAfter?: number,
) {
  const { analysis = ANALYSIS, tools = worldOf(), options, resolvedAt } = more;
  const script = (request: ModelRequest, step: number): ScriptedTurn => {
    if (request.promptId.startsWith('incident/partial')) return { content: `Summed up at ${step}.` };
    if (request.promptId.startsWith('incident/final'))
      return analysis instanceof CasefileError
        ? analysis
        : { content: typeof analysis === 'string' ? analysis : JSON.stringify(analysis) };
    const turn = turns[Math.min(step, turns.length) - 1]!;
    return typeof turn === 'function' ? turn(request) : turn;
  };
  return playTurns(
    { playbook: incident, input: anIncidentInput(), unit: '', script, tools, options, resolvedAt },
    crashAfter,
  );
}
const draftOf = ({ outcome }: Played) => {
  if (outcome.kind !== 'done') throw new Error(`it ended in ${outcome.kind}`);
  return outcome.artifact;
};
const resultOf = (played: Played): IncidentResult => resultIn(draftOf(played));
const stop = call('stop', { reason: 'the cause is settled' });
const disk = call('cluster__disk_usage', { instance: 'db-2' }, 'c1');
const logs = call('cluster__logs', { service: 'orders-db', query: 'wal' }, 'c2');
const releases = call('cluster__deployments', { service: 'orders' }, 'c3');
const ofKind = (played: Played, kind: string) => played.paid.filter((request) => request.kind === kind);

describe('the investigation of an incident', () => {
  it('S2-43 asks by four prompts: tools, further tools, a sum after each round, the conclusion', async () => {
    const played = await investigate([calls(disk, logs), calls(releases), calls(stop)]);
    expect(played.paid.map(({ promptId, kind, level = 'high' }) => [promptId, kind, level])).toEqual([
      ['incident/select-tools@2', 'tool-selection', 'high'],
      ['incident/partial-analysis@1', 'partial-analysis', 'low'],
      ['incident/select-further@2', 'tool-selection', 'high'],
      ['incident/partial-analysis@1', 'partial-analysis', 'low'],
      ['incident/select-further@2', 'tool-selection', 'high'],
      ['incident/final-analysis@2', 'analysis', 'high'],
    ]);
    expect(ofKind(played, 'analysis')[0]!.tools).toBeUndefined();
    expect(resultOf(played)).toMatchObject({
      stopped: 'the cause is settled',
      endedBy: null,
      iterations: 3,
      partial: [{ round: 1 }, { round: 2 }],
    });
  });

  it('T-61 refuses a look-up once until causes are stated, and lets a model that states none go on', async () => {
    const tools = worldOf({
      cluster__deployments: { text: '2026-03-02T08:50:00Z orders-db 4.2.0 deployed' },
      cluster__logs: { text: '2026-03-02T08:52:00Z ERROR orders-db: replica_2 terminated' },
    });
    const more = call('cluster__logs', { service: 'payments', query: 'error' }, 'c4');
    const { trace, lookUps } = resultOf(
      await investigate([calls(disk, logs, releases), calls(more), calls(more), calls(stop)], { tools }),
    );
    const refused = trace.map(({ actions }) => actions.map(({ reasonCode }) => reasonCode === 'refused'));
    expect(refused).toEqual([[false, false, false], [true], [false], [false]]);
    expect(lookUps.filter(({ gap }) => gap === null)).toHaveLength(4);
  });

  it('S2-44 gives hypotheses, what was ruled out and steps, each citation checked against what was read', async () => {
    const played = await investigate([calls(disk, logs), calls(releases), calls(stop)]);
    const result = resultOf(played);
    expect(result.lookUps.map(({ id, tool, gap }) => [id, tool, gap])).toEqual([
      ['E2', 'cluster__disk_usage', null],
      ['E3', 'cluster__logs', null],
      ['E4', 'cluster__deployments', null],
    ]);
    expect(result).toMatchObject({
      refuted: [],
      dropped: [],
      gaps: [],
      requiredFailed: [],
      runbook: { id: 'E1', pin: 'sha256:ab' },
    });
    expect(draftOf(played)).toMatchObject({ method: 'llm', confidence: 0.9, evidenceUsed: ['E3', 'E4'] });
  });

  it('S2-03 S2-41 shows alert, runbook and tools between marks, and has nothing from outside in the system role', async () => {
    const [first, , further] = (await investigate([calls(disk), calls(stop)])).paid;
    const [system, user] = first!.messages;
    expect(system!.content).not.toContain('db-2');
    for (const said of ['97 % full', 'Disk of a database almost full', '"cluster__logs"', '"required"'])
      expect(user!.content).toContain(said);
    expect(first!.tools!.map(({ name }) => name)).toEqual([
      ...CLUSTER_TOOLS.map(({ name }) => name),
      'stored_result',
      'causes',
      'stop',
    ]);
    expect(further!.messages.at(-1)!.content).toContain('[E2] cluster__disk_usage: answered');
    expect(further!.messages.at(-1)!.content).toContain('left: 9');
  });

  it.each([
    ['the same call again', () => calls(disk)],
    [
      'the same in other words',
      (request: ModelRequest) =>
        calls(call('cluster__disk_usage', { instance: 'db-2', limit: request.messages.length })),
    ],
  ])('S2-43 a loop of %s is over by turn 8 of 10, and concluded', async (_what, turn) => {
    const played = await investigate([turn]);
    expect(ofKind(played, 'tool-selection').length).toBeLessThan(8);
    expect(resultOf(played)).toMatchObject({ endedBy: 'no_progress', stopped: null });
    expect(ofKind(played, 'analysis')).toHaveLength(1);
  });

  it('S2-43 ends after ten rounds with one call without tools', async () => {
    let n = 0;
    const tools = worldOf();
    tools['cluster__logs'] = {
      ...tools['cluster__logs']!,
      answer: () => ({ text: `page ${(n += 1)} of words like w${n}x` }),
    };
    const played = await investigate(
      [(request) => calls(call('cluster__logs', { service: 'a', query: `q${request.messages.length}` }))],
      { tools },
    );
    expect(ofKind(played, 'tool-selection')).toHaveLength(10);
    expect(resultOf(played).endedBy).toBe('max_iterations_reached');
    expect(draftOf(played).method).toBe('llm');
  });

  it('S2-43 stops at its hard limit of tokens and concludes', async () => {
    const played = await investigate([calls(disk), calls(logs), calls(releases), calls(stop)], {
      options: { tokenLimit: 500, hardTokenLimit: 3_000 },
    });
    expect(resultOf(played).endedBy).toBe('budget_exceeded');
    expect(ofKind(played, 'tool-selection').length).toBeLessThan(4);
  });

  it('S2-46 tells a failed look-up as a gap, to the model and on the result', async () => {
    const tools = worldOf({ cluster__logs: new CasefileError('timeout', 'no answer within 30 s') });
    const played = await investigate([calls(disk, logs), calls(stop)], { tools });
    const told = ofKind(played, 'tool-selection')[1]!.messages.filter(({ role }) => role === 'tool');
    expect(told[1]).toMatchObject({
      isError: true,
      content: expect.stringContaining('GAP: no answer within 30 s'),
    });
    const result = resultOf(played);
    expect(result.gaps).toEqual(['cluster__logs [E3] gave no answer: no answer within 30 s']);
    // The runbook names this tool, and no other look-up of it succeeded.
    expect(result.requiredFailed).toEqual(['cluster__logs']);
    expect(result.refuted[0]).toMatchObject({ id: 'E3', problem: 'look_up_failed' });
    expect(result.hypotheses).toEqual([]);
  });

  it('S2-49 falls back to what is known where the model fails, with what it had read', async () => {
    const failed = new CasefileError('server_error', 'out', { retryable: true });
    for (const played of [
      await investigate([calls(disk), failed]),
      await investigate([calls(disk), calls(stop)], { analysis: failed }),
    ]) {
      expect(draftOf(played)).toMatchObject({ method: 'heuristic', fallbackReason: 'server_error' });
      expect(resultOf(played).lookUps).toMatchObject([{ id: 'E2', tool: 'cluster__disk_usage' }]);
    }
    const mute = await investigate([calls(stop)], { analysis: 'I am not sure.' });
    expect(draftOf(mute)).toMatchObject({ method: 'heuristic', fallbackReason: 'invalid_answer' });
  });

  it('S2-43 pays for no turn twice, wherever a worker dies', async () => {
    const turns = [calls(disk, logs), calls(releases), calls(stop)];
    const whole = await investigate(turns);
    for (const crashAfter of [1, 2, 3, 4, 5, 6]) {
      const died = await investigate(turns, {}, crashAfter);
      expect([died.paid, died.recorded, died.outcome]).toEqual([whole.paid, whole.recorded, whole.outcome]);
    }
  });

  it('S2-40 asks no model any more once its sender says that it is over, and reads what was answered before', async () => {
    const turns = [calls(disk), calls(logs), calls(stop)];
    const overAfter = (calls: number) =>
      investigate(turns, { resolvedAt: (paid) => (paid >= calls ? '2026-03-02T09:01:00Z' : null) });
    const whole = await investigate(turns);
    // If the alert is resolved between any two calls of a rendering, the next call is not made.
    for (let calls = 0; calls < whole.paid.length; calls += 1)
      expect((await overAfter(calls)).paid).toHaveLength(calls);
    const played = await overAfter(1);
    expect(draftOf(played).fallbackReason).toBeUndefined();
    expect(resultOf(played)).toMatchObject({
      resolvedAt: '2026-03-02T09:01:00Z',
      endedBy: 'resolved',
      lookUps: [{ id: 'E2', tool: 'cluster__disk_usage', gap: null }],
    });
  });

  it('needs no tools to conclude', async () => {
    const input = anIncidentInput(incidentEvidence([], { tools: [], toolsOut: [] }));
    const script = (request: ModelRequest): ScriptedTurn =>
      request.kind === 'tool-selection'
        ? calls(stop)
        : { content: JSON.stringify({ ...ANALYSIS, hypotheses: [], ruledOut: [] }) };
    const played = await playTurns({ playbook: incident, input, unit: '', script, tools: {} });
    expect(resultOf(played).hypotheses).toEqual([]);
    expect(draftOf(played).confidence).toBeLessThanOrEqual(0.3);
  });
});
