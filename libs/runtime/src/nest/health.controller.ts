import { Controller, Get, Header, Inject } from '@nestjs/common';
import { NotHealthy } from './problem-filter.js';
import { PLATFORM, SERVICE_STATE } from './tokens.js';
import type { Platform } from '../compose/platform.js';
import type { ServiceState } from './service-state.js';

const ANSWER_WITHIN_MS = 2_000;

/** Probes and metrics, the same on every service. */
@Controller()
export class HealthController {
  /** What each probe was last answered; null: all is well. */
  private readonly told = new Map<string, string | null>();

  constructor(
    @Inject(PLATFORM) private readonly platform: Platform,
    @Inject(SERVICE_STATE) private readonly state: ServiceState,
  ) {}

  /** Fails when a worker is alive but deaf: it fetches nothing while work waits. */
  @Get('health/live')
  async live(): Promise<object> {
    const deaf = await this.state.deafQueues();
    this.say('live', deaf.length === 0 ? null : `work waits that nobody fetches: ${deaf.join(', ')}`);
    return this.ok();
  }

  /** Ready while store and queue answer and the service is not stopping. */
  @Get('health/ready')
  async ready(): Promise<object> {
    this.inPhase(['ready']);
    const { store, queue } = this.platform;
    const cause = (await silence('store', store)) ?? (await silence('queue', queue));
    this.say('ready', cause === null ? null : `the ${cause.what} does not answer`, cause ?? {});
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
    return this.platform.sdk.prometheusText();
  }

  private ok(): object {
    return { status: 'ok', service: this.state.name };
  }

  // To start and to stop is no trouble that anybody has to be told of.
  private inPhase(phases: readonly ServiceState['phase'][]): void {
    if (!phases.includes(this.state.phase)) throw new NotHealthy(`the service is ${this.state.phase}`);
  }

  /** Tells of a change once, whatever the number of probes, and answers the probe. @throws NotHealthy */
  private say(probe: string, trouble: string | null, why: object = {}): void {
    const before = this.told.get(probe) ?? null;
    this.told.set(probe, trouble);
    if (trouble !== before) {
      const facts = { service: this.state.name, probe, ...why };
      if (trouble === null) this.platform.log.info(facts, `well again: ${before ?? ''}`);
      else this.platform.log.warn(facts, `not healthy: ${trouble}`);
    }
    if (trouble !== null) throw new NotHealthy(trouble);
  }
}

/** Why something does not answer; null: it does. */
async function silence(
  what: string,
  port: Pick<Platform['queue'], 'ping'>,
): Promise<{ what: string; message: string } | null> {
  try {
    await port.ping(ANSWER_WITHIN_MS);
    return null;
  } catch (error) {
    return { what, message: error instanceof Error ? error.message : String(error) };
  }
}
