import { Controller, Inject } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { asCasefileError, InvalidInput } from '@casefile/contracts';
import { bodyDigest, PLATFORM, type JobContext, type Platform } from '@casefile/runtime';

/** The queue `alerts`: job data is the same body as that of `POST /v1/alerts`, one alert a job. */
@Controller()
export class AlertsQueueController {
  constructor(@Inject(PLATFORM) private readonly platform: Platform) {}

  @EventPattern<string>('alerts')
  async take(@Payload() body: unknown, @Ctx() context: JobContext): Promise<void> {
    try {
      // A job that is delivered twice is one alert. Ids start anew in an emptied store, so the body is part of the key.
      await this.platform.intake.accept(body, {
        idempotencyKey: `alerts:${context.jobId}:${bodyDigest(body)}`,
      });
    } catch (thrown) {
      const error = asCasefileError(thrown);
      if (!(error instanceof InvalidInput)) throw thrown;
      await this.bury(body, error.reasonCode, error.message);
    }
  }

  // Nothing that came is lost: what cannot be an alert is kept with its reason, for a person.
  private async bury(payload: unknown, reasonCode: string, message: string): Promise<void> {
    const { store, ids, log } = this.platform;
    await store.buryAlert({ id: ids.id(), reasonCode, message, payload });
    log.warn(
      { reason: reasonCode },
      'an alert from the queue could not be accepted, it is with the dead letters',
    );
  }
}
