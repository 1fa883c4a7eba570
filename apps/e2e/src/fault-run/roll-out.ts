import type { ServiceProcess } from '../testing/service-processes.js';
import { HOSTILE } from '../testing/hostile-clients.js';

/**
 * Results of one rollout: every process got SIGTERM at the same time, and was started again when all had
 * ended.
 */
export interface Rollout {
  /** Time from the signal to the end of the last process, in milliseconds. */
  ms: number;
  /** The service that took longest. */
  last: string;
  /** Processes whose stop failed, and how they ended. */
  failed: string[];
}

/** A process that takes longer is killed. Kubernetes kills it after 30 s; a busy machine gets more time. */
const KILL_AFTER_MS = 60_000;

/** Stops all services while each has hostile clients, and starts them again. */
export async function rollOut(services: readonly ServiceProcess[]): Promise<Rollout> {
  const clients = await Promise.all(
    services.flatMap(({ port }) => HOSTILE.map(([, client]) => client(port))),
  );
  const started = performance.now();
  const failed: string[] = [];
  let last = '';
  await Promise.all(
    services.map(async (service) => {
      const failure = await service.stopFailure(KILL_AFTER_MS);
      last = service.name;
      if (failure !== null) failed.push(failure);
    }),
  );
  const ms = Math.round(performance.now() - started);
  for (const client of clients) client.leave();
  await Promise.all(services.map((service) => service.start()));
  return { ms, last, failed };
}
