import { CasefileError } from '@casefile/contracts';
import { endOnUncaught, launch, type Config } from '@casefile/runtime';
import type { Terminal } from '../output/terminal.js';
import { SERVICES } from './services.js';
import { terminalLog } from './terminal-log.js';
import type { System } from './system.js';

/** Starts every service in this process. @throws CasefileError `port_in_use` that says what to set. */
export async function launchHere(config: Config, terminal: Terminal): Promise<System> {
  const running = await launch([...SERVICES], config, terminalLog(terminal)).catch((error: unknown) => {
    throw plainly(error);
  });
  endOnUncaught(running.platform.log);
  const urlOf = (name: string): string =>
    running.services.find((service) => service.name === name)?.url ?? '';
  return {
    consoleUrl: urlOf('console'),
    ingestUrl: urlOf('ingest'),
    probes: running.probes,
    seed: (seed) => running.platform.knowledge.seed(seed),
    stop: () => running.stop(),
  };
}

function plainly(error: unknown): unknown {
  const { code, port } = (error ?? {}) as { code?: unknown; port?: unknown };
  if (code !== 'EADDRINUSE') return error;
  return portInUse(String(port), error);
}

/** A port that somebody listens on already. */
export function portInUse(port: string, cause?: unknown): CasefileError {
  const message = `port ${port} is taken: does Casefile run already? CONSOLE_PORT, INGEST_PORT, ... set other ports`;
  return new CasefileError('port_in_use', message, { cause });
}
