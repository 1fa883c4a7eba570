import { setImmediate as giveBackTheLoop } from 'node:timers/promises';
import { Body, Controller, Headers, HttpCode, Inject, Post, Query } from '@nestjs/common';
import {
  InvalidInput,
  parseInput,
  submitQuerySchema,
  type AcceptedAlert,
  type AcceptedBatch,
} from '@casefile/contracts';
import { acceptOptionsOf, PLATFORM, problemOf, type AcceptOptions, type Platform } from '@casefile/runtime';

type BatchResult = AcceptedBatch['results'][number];

/** Alerts of a batch that are taken in at once: their writes are gathered into one commit. */
const AT_ONCE = 50;

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
    const options = acceptOptionsOf(parseInput(submitQuerySchema, query, 'query'), key);
    if (!Array.isArray(body)) return this.platform.intake.accept(body, options);
    const { maxBatch } = this.platform.config.settings.intake;
    if (body.length === 0 || body.length > maxBatch) {
      throw new InvalidInput([{ path: '', message: `expected 1 to ${maxBatch} alerts` }], 'batch');
    }
    return { results: await this.takeAll(body, options) };
  }

  // One after another in a few rows, and the event loop is given back between two: others are served meanwhile.
  private async takeAll(alerts: unknown[], given: AcceptOptions): Promise<BatchResult[]> {
    const results: BatchResult[] = [];
    let next = 0;
    const row = async (): Promise<void> => {
      for (let index = next++; index < alerts.length; index = next++) {
        await giveBackTheLoop();
        results[index] = await this.takeOne(alerts[index], index, given);
      }
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, alerts.length) }, row));
    return results;
  }

  // One bad alert does not turn the others away. The key of a batch is made a key of each of its alerts.
  private async takeOne(alert: unknown, index: number, given: AcceptOptions): Promise<BatchResult> {
    const { idempotencyKey: key } = given;
    try {
      const options = key === undefined ? given : { ...given, idempotencyKey: `${key}#${index}` };
      return { index, ...(await this.platform.intake.accept(alert, options)) };
    } catch (thrown) {
      return { index, problem: problemOf(thrown).problem };
    }
  }
}
