import { conditionFamily, type Clock, type Destinations, type Logger } from '@casefile/contracts';
import { createGuardedPost, type GuardedPost } from '@casefile/evidence';
import type { Platform } from '../compose/platform.js';
import type { ConfiguredHeartbeat } from '../config/heartbeat-settings.js';
import type { OpenConditions } from './conditions.js';

/** Time for one request, in milliseconds. It is short, because conditions are reported after it. */
const TIMEOUT_MS = 5_000;
/** Number of bytes of an answer that are read. */
const ANSWER_BYTES = 1_000;
/** Name of the sent heartbeats on the record. */
const HEARTBEAT = 'heartbeat';
/** Conditions, without the name at the end of an id, while which Casefile judges nothing. */
const STOPPED_BY: readonly string[] = ['store_out', 'queue_out', 'service_absent'];

interface HeartbeatPorts {
  store: { destinations: Pick<Destinations, 'reportedUntil' | 'setReportedUntil'> };
  clock: Pick<Clock, 'now'>;
  log: Pick<Logger, 'warn' | 'info'>;
  heartbeat: ConfiguredHeartbeat;
  client: Pick<GuardedPost, 'post' | 'close'>;
}

/**
 * Sends a request to an outside monitor at an interval, only while Casefile works. The monitor alarms when the requests
 * stop, so it also notices what Casefile cannot report itself.
 */
export class OutsideHeartbeat {
  private lastProblem = '';

  constructor(private readonly ports: HeartbeatPorts) {}

  /**
   * Sends the request if it is due and Casefile works. A request that fails is sent again by the next call.
   * @param state The conditions, read just now.
   * @throws CasefileError if the record cannot be read or written.
   */
  async beat(state: OpenConditions): Promise<void> {
    const { store, clock, heartbeat } = this.ports;
    const now = clock.now();
    const last = await store.destinations.reportedUntil(HEARTBEAT);
    if (last !== null && now - last < heartbeat.everySeconds * 1_000) return;
    const stoppedBy = whyStopped(state);
    const problem = stoppedBy === null ? await this.post(now) : `Casefile does not work: ${stoppedBy}`;
    if (problem === null) await store.destinations.setReportedUntil(HEARTBEAT, now);
    this.note(problem ?? '');
  }

  /** Closes the connections. */
  close(): Promise<void> {
    return this.ports.client.close();
  }

  // Errors name the host alone, because the path may be a secret.
  private async post(now: number): Promise<string | null> {
    const { client, heartbeat } = this.ports;
    const body = JSON.stringify({ type: 'heartbeat', timestamp: new Date(now).toISOString() });
    const request = { headers: { 'content-type': 'application/json' }, body };
    try {
      const { status } = await client.post(heartbeat.url, request, heartbeat.allowPrivate);
      return status >= 200 && status <= 299 ? null : `the monitor answered HTTP ${status}`;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  private note(problem: string): void {
    if (problem === this.lastProblem) return;
    if (problem === '') this.ports.log.info({}, 'heartbeats are sent again');
    else this.ports.log.warn({ problem }, 'no heartbeat was sent to the monitor');
    this.lastProblem = problem;
  }
}

/** Returns what prevents Casefile from working; null: it works. What could not be read may prevent it. */
function whyStopped({ conditions, unknown }: OpenConditions): string | null {
  const open = conditions.map(({ id }) => id).filter((id) => STOPPED_BY.includes(conditionFamily(id)));
  const unread = STOPPED_BY.filter((family) => unknown.has(family)).map((family) => `${family} is unknown`);
  return [...open, ...unread].join(', ') || null;
}

/** Returns the heartbeat of the configuration, for the process that sends; null: there is none. */
export function openHeartbeat({ config, store, clock, log }: Platform): OutsideHeartbeat | null {
  const heartbeat = config.resolvedHeartbeat();
  if (heartbeat === null) return null;
  const client = createGuardedPost({ timeoutMs: TIMEOUT_MS, maxBytes: ANSWER_BYTES, clock });
  return new OutsideHeartbeat({ store, clock, log, heartbeat, client });
}
