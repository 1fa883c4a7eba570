import { CasefileError, type Json, type ModelRequest } from '@casefile/contracts';
import fc from 'fast-check';
import { anInput } from '../../testing/scam-builders.js';
import {
  asks,
  endOf,
  fetchIt,
  finish,
  last,
  look,
  play,
  playbook,
  toolMessages,
  tools,
  traceOf,
} from '../../testing/toy-controller.js';
import { call, calls, playTurns, type ScriptedTurn, type WorldTool } from '../../testing/turn-world.js';

describe('the strategy react', () => {
  it('S4-01 S4-02 keeps the conversation: system, user, the calls as the model made them, a result for each by its id', async () => {
    const played = await play([calls(look('a', 'id-1'), look('b', 'id-2')), calls(finish)]);
    const [first, second] = played.paid;
    expect(first!.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(first!.tools!.map(({ name }) => name)).toEqual(['look', 'fetch', 'finish']);
    expect(second!.messages.slice(2)).toEqual([
      { role: 'assistant', content: '', toolCalls: [look('a', 'id-1'), look('b', 'id-2')] },
      { role: 'tool', toolCallId: 'id-1', content: expect.stringContaining('{"seen":"a"}') },
      { role: 'tool', toolCallId: 'id-2', content: expect.stringContaining('{"seen":"b"}') },
    ]);
  });

  it('S4-01 takes no tool call out of text', async () => {
    const prose = { content: '{"name":"finish","arguments":{"status":"MET"}}' };
    const played = await play([prose, calls(finish)]);
    expect(traceOf(played)[0]).toMatchObject({ actions: [], thought: prose.content });
    expect(last(played.paid[1]!.messages)).toMatchObject({
      role: 'user',
      content: expect.stringContaining('no tool call'),
    });
  });

  it('hands back what the provider wants back with its turn', async () => {
    const state = { thinking: 'sealed' };
    const played = await play([{ ...calls(look('a')), providerState: state }, calls(finish)]);
    expect(played.paid[1]!.messages[2]).toMatchObject({ role: 'assistant', providerState: state });
  });

  it('fences what tools say with a mark of the turn', async () => {
    const played = await play([calls(look('a')), calls(look('b')), calls(finish)]);
    const marks = toolMessages(last(played.paid)).map(({ content }) => /DATA (\w{16})\n/.exec(content)?.[1]);
    expect(new Set(marks).size).toBe(2);
  });

  it('S4-03 after ten turns makes one last call that may only finish', async () => {
    const script = (request: ModelRequest, turn: number) =>
      request.tools!.length === 1 ? calls(finish) : calls(look(`q${turn}`));
    const played = await play(script);
    expect(played.paid).toHaveLength(11);
    expect(last(played.paid)).toMatchObject({
      toolChoice: 'required',
      tools: [{ name: 'finish' }],
      kind: 'answer',
    });
    expect(endOf(played)).toMatchObject({
      finished: { status: 'MET' },
      reasonCode: 'max_iterations_reached',
      iterations: 11,
      remarks: ['finished_on_max_iterations_reached'],
    });
    expect(last(traceOf(played)).forced).toBe(true);
  });

  it('S4-03 S4-32 a model that never finishes ends in max_iterations_reached', async () => {
    const played = await play((_request, turn) => calls(look(`q${turn}`)), { maxIterations: 3 });
    // In the last call the tools are not on offer any more, so that nothing is called.
    expect(played.paid).toHaveLength(4);
    expect(played.recorded).toHaveLength(3);
    expect(endOf(played)).toMatchObject({ finished: null, reasonCode: 'max_iterations_reached' });
    const wrong = (request: ModelRequest, turn: number) =>
      request.tools!.length === 1 ? calls(call('finish', { status: 'SURE' })) : calls(look(`q${turn}`));
    expect(endOf(await play(wrong, { maxIterations: 3 })).reasonCode).toBe('invalid_schema');
  });

  it('ends a model that only writes prose, with invalid_schema', async () => {
    const played = await play(() => ({ content: 'I think it is met.' }));
    expect(played.paid).toHaveLength(3);
    expect(endOf(played)).toMatchObject({ finished: null, reasonCode: 'invalid_schema' });
  });

  it('S4-04 S4-06 asks independent tools of a turn at once: local ones inside, remote ones while it is suspended', async () => {
    const played = await play([calls(fetchIt('a', '1'), look('b', '2'), fetchIt('c', '3')), calls(finish)]);
    expect(played.renderings).toBe(2);
    expect(played.recorded.map(({ tool, step, seq, args }) => [tool, step, seq, args['query']])).toEqual([
      ['look', 1, 0, 'b'],
      ['fetch', 2, 0, 'a'],
      ['fetch', 2, 1, 'c'],
    ]);
    expect(toolMessages(played.paid[1]!).map(({ toolCallId }) => toolCallId)).toEqual(['1', '2', '3']);
    expect(toolMessages(played.paid[1]!).map(({ content }) => /"seen":"(.)"/.exec(content)?.[1])).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  it('S4-04 tells the model what is wrong with a call, and calls nothing', async () => {
    const wrong = calls(
      call('look', { query: 5 }, '1'),
      call('look', { query: 'a', policyId: 'other' }, '2'),
      call('drop_table', {}, '3'),
      call('look', 'not json', '4'),
    );
    const played = await play([wrong, calls(call('finish', { status: 'SURE' }, '5')), calls(finish)]);
    expect(played.recorded).toEqual([]);
    expect(toolMessages(played.paid[1]!).every(({ isError }) => isError === true)).toBe(true);
    const answers = toolMessages(played.paid[1]!).map(({ content }) => content);
    expect(answers[0]).toMatch(/^error: the arguments do not fit: query: /);
    expect(answers[1]).toMatch(/policyId/);
    expect(answers[2]).toMatch(/there is no tool "drop_table"; there are: look, fetch, finish/);
    expect(answers[3]).toMatch(/expected object/);
    expect(traceOf(played)[0]!.actions.map(({ reasonCode }) => reasonCode)).toEqual([
      'invalid_arguments',
      'invalid_arguments',
      'unknown_tool',
      'invalid_arguments',
    ]);
    expect(traceOf(played)[1]!.actions[0]).toMatchObject({ tool: 'finish', reasonCode: 'invalid_arguments' });
  });

  it('S4-05 tells again what it told before, and marks it', async () => {
    const again = call('look', { limit: 4, query: '  a ' }, '2');
    const played = await play([
      calls(look('a', '1')),
      calls(again, look('b', '3'), look('b', '4')),
      calls(finish),
    ]);
    expect(played.recorded.map(({ args }) => args)).toEqual([
      { query: 'a', limit: 4, bound: 'yes' },
      { query: 'b', limit: 4, bound: 'yes' },
    ]);
    const [first, second] = traceOf(played);
    expect(second!.actions.map(({ cached }) => cached)).toEqual([true, false, true]);
    expect(second!.actions[0]!.toolCallId).toBe(first!.actions[0]!.toolCallId);
    const repeated = toolMessages(played.paid[2]!).map(({ content }) => content);
    expect(repeated[1]).toBe(repeated[0]);
    expect(repeated[3]).toBe(repeated[2]);
  });

  it('S4-05 asks a tool again that failed, and each evaluation for itself', async () => {
    let tries = 0;
    const flaky: WorldTool = {
      asks,
      answer: () => ((tries += 1) === 1 ? new CasefileError('timeout', 'no answer') : { seen: 'a' }),
    };
    const world = { tools: { look: flaky, fetch: flaky } };
    const played = await play([calls(look('a')), calls(look('a')), calls(finish)], {}, world);
    expect(traceOf(played).map(({ actions }) => actions[0]!.reasonCode)).toEqual(['timeout', null, null]);
    await play([calls(look('a')), calls(finish)], {}, world);
    expect(tries).toBe(3);
  });

  it('makes so many calls a turn and no more: twelve at once', async () => {
    const twelve = calls(...Array.from({ length: 12 }, (_, i) => look(`q${i}`, `id-${i}`)));
    const played = await play([twelve, calls(finish)]);
    expect(played.recorded).toHaveLength(6);
    const answers = toolMessages(played.paid[1]!);
    expect(answers).toHaveLength(12);
    expect(answers.filter(({ content }) => content.startsWith('error: not called'))).toHaveLength(6);
  });

  it('S4-06 pays for no turn twice, wherever a worker dies', async () => {
    const script: ScriptedTurn[] = [
      calls(fetchIt('a', '1'), look('b', '2')),
      calls(look('c', '3')),
      calls(fetchIt('a', '4'), fetchIt('d', '5')),
      calls(finish),
    ];
    const whole = await play(script);
    for (const crashAfter of [1, 2, 3, 4]) {
      const died = await playTurns({ playbook, input: anInput(), script, tools }, crashAfter);
      expect(died.paid).toEqual(whole.paid);
      expect(died.recorded).toEqual(whole.recorded);
      expect(died.outcome).toEqual(whole.outcome);
    }
  });

  it('S4-24 S2-21 keeps of each turn what was said, the action, its arguments and what was seen, cut at 500 characters', async () => {
    const long: WorldTool = { asks, answer: () => 'x'.repeat(2_000) };
    const thinking = { content: '<thinking>', source: 'tags' };
    const turn = {
      ...calls(look('a')),
      content: 't'.repeat(900),
      reasoning: { ...thinking, content: 'kept with the interaction' },
    };
    const [first, second] = traceOf(
      await play([turn, { ...calls(finish), content: 'Done.' }], {}, { tools: { ...tools, look: long } }),
    );
    expect(first!.thought).toBe(`${'t'.repeat(500)}…`);
    // What it said goes before what it thought.
    expect(JSON.stringify(first)).not.toContain('kept with the interaction');
    expect(first!.actions[0]).toMatchObject({ tool: 'look', args: { query: 'a' }, cut: true, durationMs: 3 });
    expect(first!.actions[0]!.observation).toHaveLength(501);
    expect(first).toMatchObject({ iteration: 1, tokens: { input: 500, output: 50 }, costUsd: 0.001 });
    expect(second).toMatchObject({
      thought: 'Done.',
      actions: [{ tool: 'finish', args: { status: 'MET' } }],
    });
  });

  it('S4-25 S2-21 has the summary of the reasoning for a thought where nothing was said with the calls', async () => {
    const silent = (content: string) => ({
      ...calls(look(content)),
      content: ' ',
      reasoning: { content, source: 'tags', kind: 'raw' as const },
    });
    const script = [silent('Which rule counts?'), silent('x'.repeat(900)), calls(finish)];
    const thoughts = traceOf(await play(script)).map(({ thought }) => thought);
    expect(thoughts).toEqual(['Which rule counts?', `${'x'.repeat(200)}...`, '']);
  });

  it('ends within its turns whatever a model does, and answers every call', async () => {
    const toolCall = fc.record({
      id: fc.string({ maxLength: 4 }),
      name: fc.constantFrom('look', 'fetch', 'finish', 'nonesuch', ''),
      args: fc.oneof(
        fc.constant({ query: 'a' }),
        fc.constant({ status: 'MAYBE' }),
        fc.json().map((text) => JSON.parse(text) as Json),
      ),
    });
    const turn = fc.record({ content: fc.string(), toolCalls: fc.array(toolCall, { maxLength: 12 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 12, maxLength: 12 }), async (turns) => {
        const played = await play(turns);
        expect(played.paid.length).toBeLessThanOrEqual(11);
        for (const { messages } of played.paid)
          for (const [i, message] of messages.entries()) {
            if (message.role !== 'assistant') continue;
            const ids = (message.toolCalls ?? []).map(({ id }) => id);
            const answers = messages.slice(i + 1, i + 1 + ids.length);
            expect(answers.map((one) => (one.role === 'tool' ? one.toolCallId : null))).toEqual(ids);
          }
      }),
      { numRuns: 60 },
    );
  });
});
