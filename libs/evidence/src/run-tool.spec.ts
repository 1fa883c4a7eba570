import {
  CasefileError,
  noTelemetry,
  silentLogger,
  z,
  type Json,
  type JsonObject,
  type Reading,
  type Telemetry,
  type Tool,
  type ToolContext,
  reasonCodeOf,
} from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import fc from 'fast-check';
import { createToolRunner, type ToolRunnerOptions } from './run-tool.js';
import { toolBox } from './tool-box.js';

const never = new AbortController().signal;
const trouble = (reasonCode = 'server_error', retryAfterMs?: number) =>
  new CasefileError(reasonCodeOf(reasonCode), 'the other side is in trouble', {
    retryable: true,
    retryAfterMs,
  });

type Run = (args: JsonObject, context: ToolContext) => Promise<unknown>;

function aTool(run: Run, limits: Partial<Tool['limits']> = {}): Tool {
  return {
    name: 'probe',
    description: 'A probe.',
    locality: 'remote',
    reads: 'outside',
    entityTypes: [],
    args: z.object({ q: z.string() }),
    limits: { timeoutMs: 10_000, attempts: 3, concurrency: 10, ...limits },
    run: async (args, context) => ({ result: (await run(args, context)) as Json, source: 'here' }),
  };
}

function aRunner(tool: Tool, options: ToolRunnerOptions = {}, telemetry: Telemetry = noTelemetry) {
  const waits: number[] = [];
  const sleep = (ms: number) => Promise.resolve(void waits.push(ms));
  const ports = { tools: toolBox([tool]), clock: manualClock(), log: silentLogger, telemetry };
  return { waits, ...createToolRunner(ports, { sleep, ...options }) };
}

/** Fails with each of these in turn, then answers. */
function failing(...errors: unknown[]): { run: Run; calls: () => number } {
  let calls = 0;
  const run: Run = () => {
    const error = errors[calls];
    calls += 1;
    return error === undefined ? Promise.resolve({ ok: true }) : Promise.reject(error as Error);
  };
  return { run, calls: () => calls };
}

describe('the tool runner', () => {
  it('S1-10 settles a call with its result, source, tries and time', async () => {
    const clock = manualClock();
    const tool = aTool(() => Promise.resolve(void clock.advance(120)).then(() => ({ n: 1 })));
    const ports = { tools: toolBox([tool]), clock, log: silentLogger, telemetry: noTelemetry };
    const runner = createToolRunner(ports);
    await expect(runner.run('probe', { q: 'x' }, never)).resolves.toEqual({
      state: 'succeeded',
      result: { n: 1 },
      source: 'here',
      reasonCode: null,
      message: null,
      durationMs: 120,
      attempts: 1,
    });
  });

  it('settles a call of a tool there is not', async () => {
    const settled = await aRunner(aTool(() => Promise.resolve(1))).run('nope', {}, never);
    expect(settled).toMatchObject({ state: 'failed', reasonCode: 'unknown_tool', attempts: 0 });
  });

  it('names the wrong field', async () => {
    const settled = await aRunner(aTool(() => Promise.resolve(1))).run('probe', { q: 1 }, never);
    expect(settled).toMatchObject({ state: 'failed', reasonCode: 'invalid_arguments', attempts: 0 });
    expect(settled.message).toMatch(/\bq: /);
  });

  it('tries again what may succeed, and waits longer each time', async () => {
    const { run } = failing(trouble(), trouble());
    const runner = aRunner(aTool(run), { patience: { firstMs: 100, maxMs: 1_000 } });
    await expect(runner.run('probe', { q: '' }, never)).resolves.toMatchObject({
      state: 'succeeded',
      attempts: 3,
    });
    const [first, second] = runner.waits;
    expect(first).toBeGreaterThanOrEqual(50);
    expect(first).toBeLessThanOrEqual(100);
    expect(second).toBeGreaterThanOrEqual(100);
    expect(second).toBeLessThanOrEqual(200);
  });

  it('gives up after its tries with the last reason', async () => {
    const { run, calls } = failing(trouble(), trouble(), trouble('network'), trouble());
    await expect(aRunner(aTool(run)).run('probe', { q: '' }, never)).resolves.toMatchObject({
      reasonCode: 'network',
      attempts: 3,
    });
    expect(calls()).toBe(3);
  });

  it('does not try again what cannot succeed', async () => {
    const { run, calls } = failing(new CasefileError('bad_key', 'no'));
    await expect(aRunner(aTool(run)).run('probe', { q: '' }, never)).resolves.toMatchObject({
      reasonCode: 'bad_key',
      attempts: 1,
    });
    expect(calls()).toBe(1);
  });

  it('takes Retry-After for a minimum', async () => {
    const { run } = failing(trouble('rate_limited', 3_000));
    const runner = aRunner(aTool(run));
    await runner.run('probe', { q: '' }, never);
    expect(runner.waits[0]).toBeGreaterThanOrEqual(3_000);
  });

  it('gives up when it is asked to wait too long', async () => {
    const { run, calls } = failing(trouble('rate_limited', 3_600_000));
    const settled = await aRunner(aTool(run)).run('probe', { q: '' }, never);
    expect(settled).toMatchObject({ state: 'failed', reasonCode: 'rate_limited', attempts: 1 });
    expect(calls()).toBe(1);
  });

  it('S1-15 ends a try that never ends, also of a tool that does not look at its signal', async () => {
    const tool = aTool(() => new Promise(() => undefined), { timeoutMs: 10, attempts: 2 });
    await expect(aRunner(tool).run('probe', { q: '' }, never)).resolves.toMatchObject({
      reasonCode: 'timeout',
      attempts: 2,
    });
  });

  it.each(['a string', new TypeError('x is not a function'), undefined, { reasonCode: 7 }])(
    'S1-15 settles whatever a tool throws: %p',
    async (thrown) => {
      const settled = await aRunner(aTool(() => Promise.reject(thrown as Error))).run(
        'probe',
        { q: '' },
        never,
      );
      expect(settled).toMatchObject({ state: 'failed', reasonCode: 'unexpected', result: null });
    },
  );

  it('ends with the reason of its signal while a try is under way and while it waits', async () => {
    const stopping = new CasefileError('stopping', 'the process stops');
    const first = new AbortController();
    const hanging = aTool(() =>
      Promise.resolve(first.abort(stopping)).then(() => new Promise(() => undefined)),
    );
    await expect(aRunner(hanging).run('probe', { q: '' }, first.signal)).resolves.toMatchObject({
      reasonCode: 'stopping',
      attempts: 1,
    });
    const second = new AbortController();
    const ports = {
      tools: toolBox([aTool(failing(trouble()).run)]),
      clock: manualClock(),
      log: silentLogger,
      telemetry: noTelemetry,
    };
    const waiting = createToolRunner(ports, { patience: { firstMs: 600_000, maxMs: 600_000 } }).run(
      'probe',
      { q: '' },
      second.signal,
    );
    setImmediate(() => second.abort(stopping));
    await expect(waiting).resolves.toMatchObject({ reasonCode: 'stopping', attempts: 1 });
  });

  describe('results', () => {
    it.each([
      ['a date', new Date(0)],
      ['undefined', undefined],
      ['not a number', { n: Number.NaN }],
      ['a function', { f: () => 1 }],
      ['a map', new Map()],
    ])('S1-10 refuses %s', async (_what, result) => {
      const settled = await aRunner(aTool(() => Promise.resolve(result))).run('probe', { q: '' }, never);
      expect(settled).toMatchObject({ state: 'failed', reasonCode: 'bad_answer', result: null });
    });

    it('S1-10 refuses a circle', async () => {
      const circle: Record<string, unknown> = {};
      circle['self'] = circle;
      const settled = await aRunner(aTool(() => Promise.resolve(circle))).run('probe', { q: '' }, never);
      expect(settled).toMatchObject({ state: 'failed', reasonCode: 'bad_answer' });
    });

    it('S1-10 takes 256 KB and no more', async () => {
      const ofBytes = (bytes: number) => aRunner(aTool(() => Promise.resolve('x'.repeat(bytes - 2))));
      const limit = 256 * 1024;
      await expect(ofBytes(limit).run('probe', { q: '' }, never)).resolves.toMatchObject({
        state: 'succeeded',
      });
      await expect(ofBytes(limit + 1).run('probe', { q: '' }, never)).resolves.toMatchObject({
        reasonCode: 'too_large',
        result: null,
      });
    });

    it('S1-10 makes strings storable: no NUL, no lone surrogate', async () => {
      const result = { 'a\u0000': 'x\u0000y', b: ['\ud800!', '\u{1f600}'] };
      const settled = await aRunner(aTool(() => Promise.resolve(result))).run('probe', { q: '' }, never);
      expect(settled.result).toEqual({ 'a\ufffd': 'x\ufffdy', b: ['\ufffd!', '\u{1f600}'] });
    });

    it('S1-10 hands any other JSON on as it is', async () => {
      await fc.assert(
        fc.asyncProperty(fc.jsonValue({ maxDepth: 5 }), async (result) => {
          const settled = await aRunner(aTool(() => Promise.resolve(result))).run('probe', { q: '' }, never);
          expect(JSON.stringify(settled.result)).toBe(JSON.stringify(result).replaceAll('\\u0000', '\ufffd'));
        }),
        { numRuns: 50 },
      );
    });
  });

  describe('the circuit', () => {
    const circuit = { failures: 3, openMs: 600_000 };

    it('opens after failures in a row, and then no call is made', async () => {
      const { run, calls } = failing(trouble(), trouble(), trouble(), trouble());
      const runner = aRunner(aTool(run, { attempts: 1 }), { circuit });
      for (let i = 0; i < 3; i += 1) await runner.run('probe', { q: '' }, never);
      expect(runner.circuits()).toEqual({ probe: 'open' });
      await expect(runner.run('probe', { q: '' }, never)).resolves.toMatchObject({
        reasonCode: 'circuit_open',
        attempts: 0,
      });
      expect(calls()).toBe(3);
    });

    it('says what was wrong when its own tries opened it', async () => {
      const { run } = failing(trouble(), trouble(), trouble());
      const runner = aRunner(aTool(run, { attempts: 5 }), { circuit });
      await expect(runner.run('probe', { q: '' }, never)).resolves.toMatchObject({
        reasonCode: 'server_error',
        attempts: 3,
      });
    });

    it('lets one try through when its time is over, and closes when that succeeds', async () => {
      const { run } = failing(trouble(), trouble(), trouble());
      const runner = aRunner(aTool(run, { attempts: 1 }), { circuit: { failures: 3, openMs: 0 } });
      for (let i = 0; i < 3; i += 1) await runner.run('probe', { q: '' }, never);
      expect(runner.circuits()).toEqual({ probe: 'open' });
      await expect(runner.run('probe', { q: '' }, never)).resolves.toMatchObject({ state: 'succeeded' });
      expect(runner.circuits()).toEqual({ probe: 'closed' });
    });

    it('stays closed over what says nothing of the other side', async () => {
      const own = () => new CasefileError('not_configured', 'no key');
      const runner = aRunner(aTool(failing(own(), own(), own(), own()).run), { circuit });
      for (let i = 0; i < 4; i += 1) await runner.run('probe', { q: '' }, never);
      await runner.run('probe', { q: 7 }, never);
      expect(runner.circuits()).toEqual({ probe: 'closed' });
    });

    it('shows its state to the metrics', async () => {
      const gauges: [string, () => Reading | Promise<Reading>, unknown][] = [];
      const telemetry: Telemetry = {
        ...noTelemetry,
        gauge: (name, read, labels) => {
          gauges.push([name, read, labels]);
          return () => undefined;
        },
      };
      const runner = aRunner(aTool(failing(trouble(), trouble(), trouble()).run), { circuit }, telemetry);
      // A process that runs no tool reports none.
      expect(gauges).toEqual([]);
      await runner.run('probe', { q: 7 }, never);
      expect(gauges).toMatchObject([['casefile.circuit.open', expect.any(Function), { tool: 'probe' }]]);
      expect(await gauges[0]?.[1]()).toBe(0);
      await runner.run('probe', { q: '' }, never);
      expect(await gauges[0]?.[1]()).toBe(1);
      expect(gauges).toHaveLength(1);
    });
  });
});
