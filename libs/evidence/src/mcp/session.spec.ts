import { silentLogger, type JsonObject } from '@casefile/contracts';
import { aListedTool, mcpWorld } from '../testing/mcp-world.js';
import { openSession } from './mcp-source.js';

describe('S2-46 a callback that throws into the MCP client', () => {
  it('is logged, ends its session alone, and so does the one that says that it is lost', async () => {
    const world = mcpWorld({ tools: [aListedTool('change')] });
    const lost: string[] = [];
    const logged: object[] = [];
    const session = await openSession(world.server, {
      changed: () => {
        throw new Error('planted in changed');
      },
      lost: (why) => {
        lost.push(why);
        throw new Error('planted in lost');
      },
      log: { ...silentLogger, error: (facts) => void logged.push(facts) },
    });
    try {
      // The server sends list_changed before it answers.
      await session.call('change', { tools: [] } as unknown as JsonObject, new AbortController().signal);
      expect(session.lost).toBe(true);
      expect(lost).toEqual([expect.stringContaining('planted in changed')]);
      expect(logged).toMatchObject([
        { server: 'cluster', error: { message: 'planted in changed' } },
        { server: 'cluster', error: { message: 'planted in lost' } },
      ]);
    } finally {
      await session.close();
      await world.close();
    }
  });
});
