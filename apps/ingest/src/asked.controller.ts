import {
  Body,
  Controller,
  Headers,
  Inject,
  NotFoundException,
  Post,
  Query,
  Req,
  Res,
  type OnModuleDestroy,
} from '@nestjs/common';
import { parseInput, type JsonObject } from '@casefile/contracts';
import {
  acceptOptionsOf,
  askedAt,
  askedPaths,
  askedQuerySchema,
  PLATFORM,
  waitForVerdict,
  type Platform,
} from '@casefile/runtime';

/** An address for each kind of case whose payload alone is posted by those who wait for what comes of it. S5-05. */
@Controller()
export class AskedController implements OnModuleDestroy {
  private readonly stopping = new AbortController();

  constructor(@Inject(PLATFORM) private readonly platform: Platform) {}

  /** Whoever waits is answered at once. */
  onModuleDestroy(): void {
    this.stopping.abort();
  }

  @Post([...askedPaths])
  async ask(
    @Req() { path }: { path: string },
    @Body() payload: unknown,
    @Headers('idempotency-key') key: string | undefined,
    @Query() query: unknown,
    @Res({ passthrough: true })
    response: { status(code: number): unknown; on(event: 'close', then: () => void): unknown },
  ): Promise<JsonObject> {
    const { intake, store, config } = this.platform;
    const kind = askedAt(path, config.playbooks);
    if (kind === undefined) throw new NotFoundException();
    const { wait } = parseInput(askedQuerySchema, query, 'query');
    const options = acceptOptionsOf({ lane: 'live' }, key);
    const { caseId, runId } = await intake.accept({ playbook: kind.playbook, payload }, options);
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const signal = AbortSignal.any([this.stopping.signal, gone.signal]);
    const verdict = await waitForVerdict(store.record, runId, wait * 1_000, signal);
    response.status(verdict === null ? 202 : 200);
    return verdict === null ? { caseId } : { caseId, ...kind.asked.handsOut(verdict) };
  }
}
