// Stops what global-setup.mjs started, and nothing else.
import { rm } from 'node:fs/promises';

export default async function teardown() {
  const servers = globalThis.casefileTestServers;
  if (servers === undefined) return;
  await Promise.all([servers.postgres?.stop(), servers.redis?.stop()]);
  await rm(servers.dir, { recursive: true, force: true });
}
