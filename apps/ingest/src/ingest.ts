import type { IncomingHttpHeaders } from 'node:http';
import {
  asCasefileError,
  CasefileError,
  INTAKE_LANES,
  InvalidInput,
  isObject,
  parseInput,
  submitQuerySchema,
  type SubmitQuery,
  z,
  type AcceptedBatch,
  type IntakeLane,
  type JsonObject,
  type ReceivedAlert,
} from '@casefile/contracts';
import type { Playbook } from '@casefile/pipeline';
import {
  ALERTS,
  queryAcceptOptions,
  askedAt,
  askedPaths,
  askedQuerySchema,
  takenBatch,
  bodyDigest,
  callerFrom,
  sentBy,
  buryAlert,
  CUSTOM_WEBHOOKS,
  formatAt,
  configFormats,
  intakeFormats,
  PLATFORM,
  problemOf,
  configSecrets,
  takeMany,
  takePost,
  waitForVerdict,
  type JobContext,
  type Platform,
  type Problem,
  type ServiceDefinition,
} from '@casefile/runtime';
import {
  Body,
  Controller,
  Headers,
  HttpCode,
  Inject,
  NotFoundException,
  Post,
  Query,
  Req,
  Res,
  type OnModuleDestroy,
  type Type,
} from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { FeedbackController, FeedbackQueueController } from './feedback.js';
import { intakeEntries } from './access-entries.js';
import { OpenApiController } from './openapi.js';

interface RawRequest {
  path: string;
  body: unknown;
  rawBody?: Uint8Array;
  headers: IncomingHttpHeaders;
}

/** Routes for each form in which senders post alerts, and for each webhook of the settings. */
@Controller()
export class WebhooksController {
  private readonly formats;
  private readonly secrets;

  constructor(@Inject(PLATFORM) private readonly platform: Platform) {
    this.formats = configFormats(platform.config);
    this.secrets = configSecrets(platform.config);
  }

  @Post([...intakeFormats.map(({ path }) => path), `${CUSTOM_WEBHOOKS}/:name`])
  @HttpCode(202)
  async take(@Req() request: RawRequest): Promise<AcceptedBatch> {
    const { path, body, rawBody, headers } = request;
    const format = formatAt(path, this.formats);
    if (format === undefined)
      throw new CasefileError('not_found', 'The settings have no webhook of this name (section webhooks).');
    const post = { body, raw: rawBody ?? new Uint8Array(), headers, ...sentBy(callerFrom(request)) };
    return takePost(this.platform, format, post, this.secrets.get(format.name));
  }
}

/** Returns the controller of the kinds of case that answer a posted payload while the client waits, if any. */
function answerControllers(playbooks: readonly Playbook[]): Type[] {
  const paths = askedPaths(playbooks);
  if (paths.length === 0) return [];

  @Controller()
  class AnswerController implements OnModuleDestroy {
    private readonly stopping = new AbortController();

    constructor(@Inject(PLATFORM) private readonly platform: Platform) {}

    /** Answers waiting clients immediately. */
    onModuleDestroy(): void {
      this.stopping.abort();
    }

    @Post(paths)
    async ask(
      @Req() request: RawRequest,
      @Body() payload: unknown,
      @Headers('idempotency-key') key: string | undefined,
      @Query() query: unknown,
      @Res({ passthrough: true })
      response: { status(code: number): unknown; on(event: 'close', then: () => void): unknown },
    ): Promise<JsonObject> {
      const { intake, store, config } = this.platform;
      const kind = askedAt(request.path, config.playbooks);
      if (kind === undefined) throw new NotFoundException();
      const { wait } = parseInput(askedQuerySchema, query, 'query');
      const sender = sentBy(callerFrom(request));
      const options = { ...queryAcceptOptions({ lane: 'live' }, key), ...sender };
      const { caseId, runId } = await intake.accept({ playbook: kind.playbook, payload }, options);
      const gone = new AbortController();
      response.on('close', () => gone.abort());
      const signal = AbortSignal.any([this.stopping.signal, gone.signal]);
      const verdict = await waitForVerdict(store.record, runId, wait * 1_000, signal);
      response.status(verdict === null ? 202 : 200);
      return verdict === null ? { caseId } : { caseId, ...kind.asked.handsOut(verdict) };
    }
  }

  return [AnswerController];
}

/**
 * Number of times a job may start without ending (its worker died, or was blocked past its lock) before it becomes a dead letter.
 */
const MOST_STALLS = 3;

type QueueProblem = { problem: Pick<Problem, 'reasonCode' | 'detail' | 'errors'> };
/**
 * Return value of a job: the case of its alert, or a problem. For an array, one result per alert, by index.
 */
type QueueAnswer =
  ReceivedAlert | QueueProblem | { results: ({ index: number } & (ReceivedAlert | QueueProblem))[] };

const laneSchema = z.enum(INTAKE_LANES, { error: `expected one of ${INTAKE_LANES.join(', ')}` });

/**
 * The queue `alerts`. Job data is the body of `POST /v1/alerts`: one alert or an array. The field `lane`
 * names the lane.
 */
@Controller()
export class AlertsQueueController {
  constructor(@Inject(PLATFORM) private readonly platform: Platform) {}

  @EventPattern<string>(ALERTS)
  async take(@Payload() body: unknown, @Ctx() context: JobContext): Promise<QueueAnswer> {
    // A job that is delivered twice is one alert. Job ids restart in an emptied store, so the body is part of
    // the key.
    const key = `alerts:${context.jobId}:${bodyDigest(body)}`;
    if (context.stalls >= MOST_STALLS) {
      const detail = `the job began ${context.stalls} times and never ended: its worker died or was blocked each time`;
      await buryAlert(this.platform, { key, payload: body, reasonCode: 'crashed_intake', message: detail });
      return { problem: { reasonCode: 'crashed_intake', detail } };
    }
    const { maxBatch } = this.platform.config.settings.intake;
    if (!Array.isArray(body)) return this.takeOrBury(body, key);
    if (body.length === 0 || body.length > maxBatch)
      return this.bury(
        body,
        key,
        new InvalidInput([{ path: '', message: `expected 1 to ${maxBatch} alerts` }], 'batch'),
      );
    const alerts: unknown[] = body;
    const outcomes = await takeMany(alerts.length, (index) =>
      this.takeOrBury(alerts[index], `${key}#${index}`),
    );
    // If an alert cannot be accepted now, the job is retried. Alerts that were accepted or ignored before then get
    // the same answer again.
    for (const one of outcomes) if ('thrown' in one) throw one.thrown;
    return {
      results: outcomes.flatMap((one, index) => ('accepted' in one ? [{ index, ...one.accepted }] : [])),
    };
  }

  private async takeOrBury(body: unknown, key: string): Promise<ReceivedAlert | QueueProblem> {
    try {
      const { alert, lane = 'live' } = withLane(body);
      return await this.platform.intake.receive(alert, { ownKey: key, lane, queue: 'alerts' });
    } catch (thrown) {
      const error = asCasefileError(thrown);
      if (!(error instanceof InvalidInput)) throw thrown;
      return this.bury(body, key, error);
    }
  }

  private async bury(payload: unknown, key: string, error: InvalidInput): Promise<QueueProblem> {
    await buryAlert(this.platform, { key, payload, reasonCode: error.reasonCode, message: error.message });
    const { reasonCode, detail, errors } = problemOf(error).problem;
    return { problem: { reasonCode, detail, ...(errors === undefined ? {} : { errors }) } };
  }
}

/**
 * Returns an alert without the field that names its lane; undefined: it names none. @throws InvalidInput for an unknown
 * lane.
 */
function withLane(body: unknown): { alert: unknown; lane: IntakeLane | undefined } {
  if (!isObject(body) || !Object.hasOwn(body, 'lane')) return { alert: body, lane: undefined };
  const { lane, ...alert } = body;
  return { alert, lane: parseInput(z.object({ lane: laneSchema }), { lane }, 'alert').lane };
}

/**
 * Returns the lane that an alert names in its body, as an option.
 * @throws InvalidInput if the query names another lane, or a data set, whose alerts have the lane `batch`.
 */
function laneOf({ lane: asked, dataset }: SubmitQuery, lane: IntakeLane | undefined): { lane?: IntakeLane } {
  if (lane === undefined) return {};
  const expected = dataset === undefined ? asked : 'batch';
  if (expected !== undefined && expected !== lane)
    throw new InvalidInput([{ path: 'lane', message: `expected ${expected}, as the query states` }], 'alert');
  return { lane };
}

/** `POST /v1/alerts`: one alert, or a batch of them. */
@Controller('v1/alerts')
class AlertsController {
  constructor(@Inject(PLATFORM) private readonly platform: Platform) {}

  @Post()
  @HttpCode(202)
  async take(
    @Req() request: RawRequest,
    @Body() body: unknown,
    @Headers('idempotency-key') key: string | undefined,
    @Query() query: unknown,
  ): Promise<ReceivedAlert | AcceptedBatch> {
    const { intake, config } = this.platform;
    const submit = parseInput(submitQuerySchema, query, 'query');
    const options = { ...queryAcceptOptions(submit, key), ...sentBy(callerFrom(request)) };
    const receive = async (one: unknown, more: { idempotencyKey?: string } = {}) => {
      const { alert, lane } = withLane(one);
      return intake.receive(alert, { ...options, ...more, ...laneOf(submit, lane) });
    };
    if (!Array.isArray(body)) return receive(body);
    const { maxBatch } = config.settings.intake;
    if (body.length === 0 || body.length > maxBatch) {
      throw new InvalidInput([{ path: '', message: `expected 1 to ${maxBatch} alerts` }], 'batch');
    }
    // Each alert of a batch gets its own key, derived from the key of the batch.
    const keyOf = (index: number) => (key === undefined ? {} : { idempotencyKey: `${key}#${index}` });
    const takeOne = (index: number) => receive(body[index], keyOf(index));
    return takenBatch(await takeMany(body.length, takeOne));
  }
}

export const ingest: ServiceDefinition = {
  name: 'ingest',
  controllers: ({ playbooks }) => [
    AlertsController,
    ...answerControllers(playbooks),
    WebhooksController,
    AlertsQueueController,
    FeedbackController,
    FeedbackQueueController,
    OpenApiController,
  ],
  access: ({ config }) => intakeEntries(config),
  topics: ['alerts', 'feedback'],
  needsInstallation: true,
};
