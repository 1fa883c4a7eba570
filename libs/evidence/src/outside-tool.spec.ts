import { CasefileError, noTelemetry, silentLogger, z, type Json, type Tool } from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { createToolRunner } from './run-tool.js';
import { toolBox } from './tool-box.js';

describe('S2-48 what a server outside says', () => {
  const says = (answer: () => Json): Tool => ({
    name: 'cluster__logs',
    description: 'Reads logs.',
    locality: 'remote',
    reads: 'outside',
    entityTypes: [],
    args: z.object({}),
    outside: { keeps: 100_000 },
    limits: { timeoutMs: 1_000, attempts: 1, concurrency: 1 },
    run: async () => ({ result: answer(), source: 'cluster' }),
  });
  const lines: object[] = [];
  const log = { ...silentLogger, warn: (facts: object) => void lines.push(facts), child: () => silentLogger };
  const settle = (tool: Tool, mask?: (value: Json) => Promise<{ value: Json }>) => {
    const ports = { tools: toolBox([tool]), clock: manualClock(), log, telemetry: noTelemetry };
    const runner = createToolRunner({ ...ports, ...(mask === undefined ? {} : { mask }) });
    return runner.run('cluster__logs', {}, new AbortController().signal);
  };
  const mask = async (value: Json) => ({
    value: JSON.parse(JSON.stringify(value).replaceAll('hunter2', '#')) as Json,
  });
  const fails = says(() => {
    throw new CasefileError('tool_error', 'the password hunter2 was refused');
  });

  it('is masked before anybody sees it, also in an error and in the log', async () => {
    expect(
      (
        await settle(
          says(() => ({ text: 'login hunter2' })),
          mask,
        )
      ).result,
    ).toEqual({ text: 'login #' });
    expect(await settle(fails, mask)).toMatchObject({
      reasonCode: 'tool_error',
      message: 'the password # was refused',
    });
    expect(JSON.stringify(lines)).toContain('#');
    expect(JSON.stringify(lines)).not.toContain('hunter2');
  });

  it('is withheld where it cannot be masked', async () => {
    const broken = () => Promise.reject(new Error('no rules'));
    for (const by of [broken, undefined]) {
      const settled = [
        await settle(
          says(() => ({ text: 'login hunter2' })),
          by,
        ),
        await settle(fails, by),
      ];
      expect(settled.map(({ reasonCode }) => reasonCode)).toEqual(['withheld', 'tool_error']);
      expect(JSON.stringify([settled, lines])).not.toContain('hunter2');
    }
  });
});
