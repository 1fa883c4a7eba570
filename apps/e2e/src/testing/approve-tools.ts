import type { CaseStore } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';

/** Approves all tools of these servers once they are listed. Returns when the approvals are in force. */
export async function approveAllTools(store: CaseStore, servers: number): Promise<void> {
  await until('the servers are listed', async () => {
    const pinnedServers = await store.toolPins.servers();
    return pinnedServers.length === servers && pinnedServers.every(({ tools }) => tools.length > 0);
  });
  for (const { server, tools } of await store.toolPins.servers())
    for (const { tool, seen } of tools) await store.toolPins.approve(server, tool, seen.hash, 'a person');
  // The next poll of a server may have begun before the approvals. The second poll began after them.
  for (const look of ['first', 'second']) {
    const before = new Map((await store.toolPins.servers()).map(({ server, seenAt }) => [server, seenAt]));
    await until(`the servers are looked at for the ${look} time`, async () => {
      const pinnedServers = await store.toolPins.servers();
      return pinnedServers.every(({ server, seenAt }) => seenAt !== before.get(server));
    });
  }
}
