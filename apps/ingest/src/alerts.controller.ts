import { Body, Controller, Headers, HttpCode, Inject, Post } from '@nestjs/common';
import { InvalidInput, type AcceptedAlert, type AcceptedBatch } from '@casefile/contracts';
import { PLATFORM, problemOf, type Platform } from '@casefile/runtime';

type BatchResult = AcceptedBatch['results'][number];

/** `POST /v1/alerts`: one alert, or a batch of them. */
@Controller('v1/alerts')
export class AlertsController {
  constructor(@Inject(PLATFORM) private readonly platform: Platform) {}

  @Post()
  @HttpCode(202)
  async take(
    @Body() body: unknown,
    @Headers('idempotency-key') key: string | undefined,
  ): Promise<AcceptedAlert | AcceptedBatch> {
    if (key !== undefined && (key === '' || key.length > 255)) {
      throw new InvalidInput(
        [{ path: 'Idempotency-Key', message: 'expected 1 to 255 characters' }],
        'header',
      );
    }
    if (!Array.isArray(body))
      return this.platform.intake.accept(body, key === undefined ? {} : { idempotencyKey: key });
    const { maxBatch } = this.platform.config.settings.intake;
    if (body.length === 0 || body.length > maxBatch) {
      throw new InvalidInput([{ path: '', message: `expected 1 to ${maxBatch} alerts` }], 'batch');
    }
    const results = await Promise.all(body.map((alert, index) => this.takeOne(alert, index, key)));
    return { results };
  }

  // One bad alert does not turn the others away. The key of a batch is made a key of each of its alerts.
  private async takeOne(alert: unknown, index: number, key: string | undefined): Promise<BatchResult> {
    try {
      const options = key === undefined ? {} : { idempotencyKey: `${key}#${index}` };
      return { index, ...(await this.platform.intake.accept(alert, options)) };
    } catch (thrown) {
      return { index, problem: problemOf(thrown).problem };
    }
  }
}
