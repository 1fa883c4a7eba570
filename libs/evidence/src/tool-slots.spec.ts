import { CasefileError, noTelemetry, silentLogger, z, type ToolRun } from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { createToolRunner, type GuardedToolRunner } from './run-tool.js';
import { toolBox } from './tool-box.js';

const never = new AbortController().signal;

function runnerOf(work: () => Promise<number>, concurrency: number): GuardedToolRunner {
  const tools = toolBox([
    {
      name: 'probe',
      description: 'Probes.',
      locality: 'local',
      reads: 'database',
      entityTypes: [],
      args: z.object({}),
      limits: { timeoutMs: 10_000, attempts: 1, concurrency },
      run: async () => ({ result: await work(), source: 'here' }),
    },
  ]);
  return createToolRunner({ tools, clock: manualClock(), log: silentLogger, telemetry: noTelemetry });
}

describe('calls of one tool', () => {
  it('are held to its concurrency', async () => {
    let under = 0;
    let most = 0;
    const runner = runnerOf(async () => {
      most = Math.max(most, (under += 1));
      await new Promise((resolve) => setImmediate(resolve));
      return (under -= 1);
    }, 2);
    await Promise.all(Array.from({ length: 8 }, () => runner.run('probe', {}, never)));
    expect(most).toBe(2);
  });

  describe('of which one is called off while it waits for its turn', () => {
    let end: () => void;
    let calls: Promise<ToolRun>[];
    beforeEach(() => {
      const held = new Promise<void>((resolve) => (end = resolve));
      const runner = runnerOf(() => held.then(() => 1), 1);
      const stopped = new AbortController();
      calls = [never, stopped.signal, never].map((signal) => runner.run('probe', {}, signal));
      stopped.abort(new CasefileError('stopping', 'stopping'));
    });

    it('end that one at once', async () => {
      const first = await Promise.race(calls);
      expect(first).toMatchObject({ reasonCode: 'stopping', attempts: 0 });
      end();
    });

    it('leave their turn to those behind it', async () => {
      end();
      const [before, , behind] = await Promise.all(calls);
      expect([before, behind]).toMatchObject([{ result: 1 }, { result: 1 }]);
    });
  });
});
