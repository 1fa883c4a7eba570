import { createHash } from 'node:crypto';
import { Controller, Inject } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { asCasefileError, InvalidInput } from '@casefile/contracts';
import { bodyDigest, PLATFORM, type JobContext, type Platform } from '@casefile/runtime';

/** Times a job may begin and never end (its worker died, or was blocked past its lock) before it is buried. */
const MOST_STALLS = 3;

/** The queue `alerts`: job data is the same body as that of `POST /v1/alerts`, one alert a job. */
@Controller()
export class AlertsQueueController {
  constructor(@Inject(PLATFORM) private readonly platform: Platform) {}

  @EventPattern<string>('alerts')
  async take(@Payload() body: unknown, @Ctx() context: JobContext): Promise<void> {
    // A job that is delivered twice is one alert. Ids start again in an emptied store, so the body is part of the key.
    const key = `alerts:${context.jobId}:${bodyDigest(body)}`;
    if (context.stalls >= MOST_STALLS) {
      const message = `the job began ${context.stalls} times and never ended: its worker died or was blocked each time`;
      return this.bury(key, body, 'crashed_intake', message);
    }
    try {
      await this.platform.intake.accept(body, { idempotencyKey: key });
    } catch (thrown) {
      const error = asCasefileError(thrown);
      if (!(error instanceof InvalidInput)) throw thrown;
      await this.bury(key, body, error.reasonCode, error.message);
    }
  }

  // Nothing that came is lost: what cannot be an alert is kept with its reason, for a person; once, however often it comes.
  private async bury(key: string, payload: unknown, reasonCode: string, message: string): Promise<void> {
    const { store, log } = this.platform;
    const id = `alert-${createHash('sha256').update(key).digest('hex').slice(0, 32)}`;
    await store.buryAlert({ id, reasonCode, message, payload });
    log.warn(
      { reason: reasonCode },
      'an alert from the queue could not be accepted, it is with the dead letters',
    );
  }
}
