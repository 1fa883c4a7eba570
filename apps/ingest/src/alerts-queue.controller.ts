import { Controller, Inject } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { asCasefileError, InvalidInput } from '@casefile/contracts';
import { bodyDigest, buryAlert, PLATFORM, type JobContext, type Platform } from '@casefile/runtime';

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
      return buryAlert(this.platform, { key, payload: body, reasonCode: 'crashed_intake', message });
    }
    try {
      await this.platform.intake.accept(body, { idempotencyKey: key });
    } catch (thrown) {
      const error = asCasefileError(thrown);
      if (!(error instanceof InvalidInput)) throw thrown;
      const { reasonCode, message } = error;
      await buryAlert(this.platform, { key, payload: body, reasonCode, message });
    }
  }
}
