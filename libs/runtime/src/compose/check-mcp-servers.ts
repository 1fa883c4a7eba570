import { asCasefileError, silentLogger } from '@casefile/contracts';
import { openSession } from '@casefile/evidence';
import { maskSecrets } from '@casefile/masking';
import type { Config } from '../config/read-config.js';

/** Tools that one server lists. */
export interface CheckedServer {
  server: string;
  /** Reason why the server does not answer; null: it answers. */
  problem: string | null;
  tools: { tool: string; hash: string; allowed: boolean; pinned: boolean }[];
}

/** Listeners that ignore everything: the session makes one request, and its errors are the result. */
const NO_LISTENERS = { lost: () => undefined, changed: () => undefined, log: silentLogger };

/**
 * Connects to the named servers of a configuration, or to all, lists their tools and disconnects. Nothing is
 * recorded.
 */
export async function checkMcpServers(
  config: Pick<Config, 'outside'>,
  names: readonly string[],
): Promise<CheckedServer[]> {
  const servers = config
    .outside()
    .mcp.filter(({ server }) => names.length === 0 || names.includes(server.name));
  return Promise.all(
    servers.map(async ({ server }): Promise<CheckedServer> => {
      const { name, allow, pins } = server;
      try {
        const session = await openSession(server, NO_LISTENERS);
        try {
          const entries = await session.list();
          const tools = entries.map(({ tool, hash }) => ({
            tool,
            hash,
            allowed: allow.includes(tool),
            pinned: pins[tool] === hash,
          }));
          return { server: name, problem: null, tools };
        } finally {
          await session.close();
        }
      } catch (error) {
        const { text } = await maskSecrets(asCasefileError(error).message);
        return { server: name, problem: text.slice(0, 1_000), tools: [] };
      }
    }),
  );
}
