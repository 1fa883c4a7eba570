import { Controller, Get, Header, Inject, ServiceUnavailableException } from '@nestjs/common';
import { PLATFORM, SERVICE_STATE } from './tokens.js';
import type { Platform } from '../compose/platform.js';
import type { ServiceState } from './service-state.js';

const ANSWER_WITHIN_MS = 2_000;

/** Probes and metrics, the same on every service. */
@Controller()
export class HealthController {
  constructor(
    @Inject(PLATFORM) private readonly platform: Platform,
    @Inject(SERVICE_STATE) private readonly state: ServiceState,
  ) {}

  /** Fails when a worker is alive but deaf: it fetches nothing while work waits. */
  @Get('health/live')
  async live(): Promise<object> {
    const deaf = await this.state.deafQueues();
    if (deaf.length > 0)
      throw new ServiceUnavailableException(`work waits that nobody fetches: ${deaf.join(', ')}`);
    return { status: 'ok', service: this.state.name };
  }

  /** Ready while store and queue answer and the service is not stopping. */
  @Get('health/ready')
  async ready(): Promise<object> {
    if (this.state.phase !== 'ready')
      throw new ServiceUnavailableException(`the service is ${this.state.phase}`);
    await this.answered('store', this.platform.store.ping(ANSWER_WITHIN_MS));
    await this.answered('queue', this.platform.queue.ping(ANSWER_WITHIN_MS));
    return { status: 'ok', service: this.state.name };
  }

  @Get('health/startup')
  startup(): object {
    if (this.state.phase === 'starting') throw new ServiceUnavailableException('the service is starting');
    return { status: 'ok', service: this.state.name };
  }

  @Get('metrics')
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  metrics(): Promise<string> {
    return this.platform.sdk.prometheusText();
  }

  private async answered(what: string, ping: Promise<void>): Promise<void> {
    try {
      await ping;
    } catch (error) {
      this.platform.log.warn({ error, what }, 'not ready');
      throw new ServiceUnavailableException(`the ${what} does not answer`);
    }
  }
}
