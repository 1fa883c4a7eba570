import { Controller, Get, Header, Inject } from '@nestjs/common';
import { NotHealthy } from './problem-filter.js';
import { PLATFORM, SERVICE_STATE, type ServiceState } from './service-state.js';
import type { Platform } from '../compose/platform.js';

const ANSWER_WITHIN_MS = 2_000;
/** After this time without its own database, a process should be restarted. */
const DATABASE_GONE_MS = 60_000;

/** Probes and metrics, the same for every service. */
@Controller()
export class HealthController {
  /** Last result of each probe; null: healthy. */
  private readonly lastResults = new Map<string, string | null>();

  constructor(
    @Inject(PLATFORM) private readonly platform: Platform,
    @Inject(SERVICE_STATE) private readonly state: ServiceState,
  ) {}

  /**
   * Fails if a worker fetches nothing although work waits, or if the embedded database of this process stays
   * unavailable.
   */
  @Get('health/live')
  async live(): Promise<object> {
    const troubles = [this.withoutDatabase(), await this.deaf()];
    this.say('live', ...troubles.filter((trouble) => trouble !== null));
    return this.ok();
  }

  /**
   * Ready if the store answers and accepts writes, the queue answers, runs can be frozen, and the service is
   * not stopping. A service that answers without its stores is ready while it is not stopping.
   */
  @Get('health/ready')
  async ready(): Promise<object> {
    this.inPhase(['ready']);
    if (this.state.answersWithoutStores) return this.ok();
    const { store, queue } = this.platform;
    const [silent, refuses, away] = await Promise.all([
      failure(store.ping(ANSWER_WITHIN_MS), 'the store does not answer'),
      failure(store.proveWrites(ANSWER_WITHIN_MS), 'the store takes no writes'),
      failure(queue.ping(ANSWER_WITHIN_MS), 'the queue does not answer'),
    ]);
    const troubles = [silent ?? refuses, away, this.withoutInstallation()];
    this.say('ready', ...troubles.filter((trouble) => trouble !== null));
    return this.ok();
  }

  @Get('health/startup')
  startup(): object {
    this.inPhase(['ready', 'stopping']);
    return this.ok();
  }

  @Get('metrics')
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  metrics(): Promise<string> {
    return this.platform.server.sdk.prometheusText(this.state.name);
  }

  private ok(): object {
    return { status: 'ok', service: this.state.name };
  }

  // Starting and stopping are normal states, so they are not logged as problems.
  private inPhase(phases: readonly ServiceState['phase'][]): void {
    if (!phases.includes(this.state.phase)) throw new NotHealthy(`the service is ${this.state.phase}`);
  }

  private withoutDatabase(): Trouble | null {
    const goneForMs = this.platform.server.ownDatabase?.goneForMs() ?? 0;
    if (goneForMs < DATABASE_GONE_MS) return null;
    const why = `${Math.floor(goneForMs / 1000)} s`;
    return { what: `the embedded database has been gone for more than ${DATABASE_GONE_MS / 1000} s`, why };
  }

  private withoutInstallation(): Trouble | null {
    if (!this.state.needsInstallation || this.platform.installation.latest() !== null) return null;
    return { what: 'no service that asks models has started on this record yet', why: 'start the reasoner' };
  }

  private async deaf(): Promise<Trouble | null> {
    const queues = await this.state.deafQueues();
    return queues.length === 0
      ? null
      : { what: 'work waits and no worker fetches it', why: queues.join(', ') };
  }

  /** Logs a change only when it happens, not at every probe, and answers the probe. @throws NotHealthy */
  private say(probe: string, ...troubles: Trouble[]): void {
    const before = this.lastResults.get(probe) ?? null;
    const now = troubles.length === 0 ? null : troubles.map(({ what }) => what).join(', ');
    this.lastResults.set(probe, now);
    const why = troubles.map((trouble) => `${trouble.what}: ${trouble.why}`).join('; ');
    if (now !== before) {
      const facts = { service: this.state.name, probe };
      if (now === null) this.platform.log.info(facts, `well again: ${before ?? ''}`);
      else this.platform.log.warn({ ...facts, why }, `not healthy: ${now}`);
    }
    if (now !== null) throw new NotHealthy(why);
  }
}

/** A problem: a text that stays the same while the problem lasts, and details that may change. */
interface Trouble {
  what: string;
  why: string;
}

/** Returns the problem that a failed answer means; null: no failure. */
async function failure(answer: Promise<void>, what: string): Promise<Trouble | null> {
  try {
    await answer;
    return null;
  } catch (error) {
    return { what, why: error instanceof Error ? error.message : String(error) };
  }
}
