import { CasefileError, type ModelRequest, reasonCodeOf } from '@casefile/contracts';
import { asks, endOf, finish, look, play, tools } from '../../testing/toy-controller.js';
import { call, calls, type WorldTool } from '../../testing/turn-world.js';

describe('what ends a loop of turns before its time', () => {
  it('S4-33 counts what turns and tools cost, and warns once past a soft limit', async () => {
    const paying: WorldTool = {
      asks,
      answer: () => ({ usage: { inputTokens: 900, outputTokens: 100, costUsd: 0.002 } }),
    };
    const script = [calls(look('a')), calls(look('b')), calls(finish)];
    const played = await play(script, { tokenLimit: 600 }, { tools: { ...tools, look: paying } });
    const end = endOf(played);
    expect(end.spent.tokens).toEqual({ input: 3_300, output: 350 });
    expect(end.spent.costUsd).toBeCloseTo(0.007);
    expect(end.remarks).toEqual(['tokens_limit_passed']);
    expect(played.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
  });

  it.each([
    ['tokens', { tokenLimit: 1_000 }],
    ['money', { costLimitUsd: 0.0012 }],
  ])(
    'S4-33 a hard limit of %s ends the loop before the call that would pass it, after two rounds of tools',
    async (_what, limit) => {
      const script = (request: ModelRequest, turn: number) =>
        request.tools!.length === 1 ? calls(finish) : calls(look(`q${turn}`));
      const played = await play(script, { ...limit, limitMode: 'hard' });
      expect(played.paid).toHaveLength(3);
      expect(endOf(played)).toMatchObject({ finished: { status: 'MET' }, reasonCode: 'budget_exceeded' });
    },
  );

  it('E-04 tells of ten calls that were not taken and counts the rest, and finishes all the same', async () => {
    const many = Array.from({ length: 1_000 }, (_, i) => look(`q${i}`));
    const played = await play([calls(...many), calls(finish)], { maxCallsPerTurn: 6 });
    const end = endOf(played);
    expect(end.finished).toMatchObject({ status: 'MET' });
    expect(end.calls).toHaveLength(6);
    expect(end.trace[0]?.actions).toHaveLength(16);
    const answers = played.paid[1]!.messages.filter(({ role }) => role === 'tool');
    expect(answers).toHaveLength(16);
    expect(answers.at(-1)?.content).toContain('984 more calls of this turn');
    const [asking] = played.paid[1]!.messages.filter(({ role }) => role === 'assistant');
    expect(asking?.role === 'assistant' && asking.toolCalls).toHaveLength(16);
  });

  it('E-04 does not make a call whose arguments were cut, nor finish with such', async () => {
    const cut = (call: ReturnType<typeof look>) => ({ ...call, args: '{"query":"aaa', cutFrom: 5_000_000 });
    const played = await play([calls(cut(look('a')), cut(finish)), calls(finish)]);
    const [first] = endOf(played).trace;
    expect(first?.actions.map(({ reasonCode }) => reasonCode)).toEqual([
      'invalid_arguments',
      'invalid_arguments',
    ]);
    expect(first?.actions[0]?.observation).toContain('5000000 bytes; 32000 are the most');
  });

  it('E-04 a hard limit counts bytes where the provider says that next to nothing was used', async () => {
    const lying = { inputTokens: 1, outputTokens: 1, reasoningTokens: 0, cachedTokens: 0 };
    const script = (request: ModelRequest, turn: number) =>
      request.tools!.length === 1
        ? calls(finish)
        : { ...calls(look(`q${turn}`)), content: 'word '.repeat(4_000), usage: lying };
    const played = await play(script, { tokenLimit: 20_000, limitMode: 'hard' });
    expect(endOf(played)).toMatchObject({ reasonCode: 'budget_exceeded' });
    expect(played.paid.length).toBeLessThan(7);
  });

  it('T-04 ends when a model repeats word for word a call that does not fit and should finish', async () => {
    const wrong = calls(call('finish', { status: 'SURE', why: 'a' }));
    const sameWords = calls(call('finish', { why: 'a', status: 'SURE' }));
    const ended = { finished: null, reasonCode: 'invalid_schema' };
    const twice = await play([wrong, sameWords]);
    expect([twice.paid.length, endOf(twice)]).toEqual([2, expect.objectContaining(ended)]);
    const between = await play([wrong, calls(look('a')), sameWords]);
    expect([between.paid.length, endOf(between)]).toEqual([3, expect.objectContaining(ended)]);
    // Both in one turn: the model has not been told yet what is wrong.
    const both = calls(call('finish', { status: 'SURE' }, '1'), call('finish', { status: 'SURE' }, '2'));
    expect(endOf(await play([both, calls(finish)])).finished).toEqual({ status: 'MET' });
    const corrected = [1, 2, 3].map((n) => calls(call('finish', { status: `SURE ${n}` })));
    expect(endOf(await play([...corrected, calls(finish)])).finished).toEqual({ status: 'MET' });
  });

  it('S4-33 an unknown price stays unknown', async () => {
    const played = await play([{ ...calls(look('a')), costUsd: null }, calls(finish)]);
    expect(endOf(played).spent.costUsd).toBeNull();
  });

  it.each([
    ['refused', 'refused'],
    ['bad_key', 'llm_error'],
    ['quota_exhausted', 'llm_error'],
    ['bad_request', 'invalid_schema'],
    ['rate_limited', 'rate_limit_exceeded'],
    ['server_error', 'llm_error'],
    ['timeout', 'llm_error'],
    ['circuit_open', 'llm_error'],
  ])(
    'S4-30 S4-31 S4-32 after %s ends with the reason code %s, and keeps the turns before',
    async (thrown, reasonCode) => {
      const played = await play([calls(look('a')), new CasefileError(reasonCodeOf(thrown), 'no')]);
      expect(endOf(played)).toMatchObject({ finished: null, reasonCode, cause: thrown, iterations: 1 });
    },
  );

  it('S4-30 waits out an outage as long as it has patience, where the run waits at all', async () => {
    const outage = new CasefileError('rate_limited', 'slow down', { retryAfterMs: 7_000 });
    const patient = await play([outage], { patienceMs: 60_000 }, { settings: { onOutage: 'later' } });
    expect(patient.outcome).toEqual({ kind: 'later', delayMs: 7_000, reasonCode: 'rate_limited' });
    const impatient = await play([outage], { patienceMs: 5_000 }, { settings: { onOutage: 'later' } });
    expect(endOf(impatient).reasonCode).toBe('rate_limit_exceeded');
  });

  it.each(['budget_exhausted', 'unknown_price', 'stale_lease', 'stopping'])(
    'leaves %s to the executor: it says nothing about the case',
    async (code) => {
      const act = play([new CasefileError(reasonCodeOf(code), 'no')]);
      await expect(act).rejects.toMatchObject({ reasonCode: code });
    },
  );
});
