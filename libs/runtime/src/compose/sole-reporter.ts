import { hostname } from 'node:os';
import { cachedFor, type CaseStore, type Telemetry } from '@casefile/contracts';
import { running } from '../conditions/condition-facts.js';

/** Age in ms up to which this process knows whether it reports. A scrape reads many gauges. */
const KNOWN_FOR_MS = 5_000;

/**
 * Returns gauges that only one process of a service reports, so that a sum over processes counts what they share once:
 * the running process with the lowest id. While the store does not answer, the last one goes on.
 * @param own Host and process id of this process, as it reports them.
 */
export function soleReporter(
  { processes }: { processes: Pick<CaseStore['processes'], 'list'> },
  service: string,
  telemetry: Pick<Telemetry, 'gauge'>,
  own = { host: hostname(), pid: process.pid },
  knownForMs = KNOWN_FOR_MS,
): Pick<Telemetry, 'gauge'> {
  let isReporter = true;
  const reports = cachedFor(knownForMs, async () => {
    const all = await processes.list().catch(() => null);
    if (all === null) return isReporter;
    const hosts = running(all).filter(({ services }) => services.includes(service));
    const [first] = hosts.sort((a, b) => (a.id < b.id ? -1 : 1));
    isReporter = first === undefined || (first.host === own.host && first.pid === own.pid);
    return isReporter;
  });
  return {
    gauge: (name, read, labels) =>
      telemetry.gauge(name, async () => ((await reports()) ? read() : []), labels),
  };
}
