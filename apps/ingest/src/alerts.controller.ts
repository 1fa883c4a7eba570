import { Body, Controller, Headers, HttpCode, Inject, Post, Query } from '@nestjs/common';
import {
  InvalidInput,
  parseInput,
  submitQuerySchema,
  type AcceptedAlert,
  type AcceptedBatch,
} from '@casefile/contracts';
import { acceptOptionsOf, batchOf, PLATFORM, takeMany, type Platform } from '@casefile/runtime';

/** `POST /v1/alerts`: one alert, or a batch of them. */
@Controller('v1/alerts')
export class AlertsController {
  constructor(@Inject(PLATFORM) private readonly platform: Platform) {}

  @Post()
  @HttpCode(202)
  async take(
    @Body() body: unknown,
    @Headers('idempotency-key') key: string | undefined,
    @Query() query: unknown,
  ): Promise<AcceptedAlert | AcceptedBatch> {
    const { intake, config } = this.platform;
    const options = acceptOptionsOf(parseInput(submitQuerySchema, query, 'query'), key);
    if (!Array.isArray(body)) return intake.accept(body, options);
    const { maxBatch } = config.settings.intake;
    if (body.length === 0 || body.length > maxBatch) {
      throw new InvalidInput([{ path: '', message: `expected 1 to ${maxBatch} alerts` }], 'batch');
    }
    // The key of a batch is made a key of each of its alerts.
    const keyOf = (index: number) => (key === undefined ? {} : { idempotencyKey: `${key}#${index}` });
    const takeOne = (index: number) => intake.accept(body[index], { ...options, ...keyOf(index) });
    return batchOf(await takeMany(body.length, takeOne));
  }
}
