import { endOnUncaught, launch, type Config } from '@casefile/runtime';
import type { Terminal } from '../output/terminal.js';
import { SERVICES } from './services.js';
import { terminalLog } from './terminal-log.js';
import type { System } from './system.js';

/** Starts every service in this process. @throws CasefileError `port_in_use`. */
export async function launchHere(config: Config, terminal: Terminal): Promise<System> {
  const running = await launch([...SERVICES], config, terminalLog(terminal));
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
