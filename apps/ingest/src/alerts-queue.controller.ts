import { Controller, Inject } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import {
  asCasefileError,
  INTAKE_LANES,
  InvalidInput,
  isObject,
  z,
  parseInput,
  type IntakeLane,
} from '@casefile/contracts';
import {
  bodyDigest,
  buryAlert,
  PLATFORM,
  problemOf,
  takeMany,
  type Accepted,
  type JobContext,
  type Platform,
  type Problem,
} from '@casefile/runtime';

/** Times a job may begin and never end (its worker died, or was blocked past its lock) before it is buried. */
const MOST_STALLS = 3;

type QueueProblem = { problem: Pick<Problem, 'reasonCode' | 'detail' | 'errors'> };
/** The return value of a job: the case of its alert, or what is wrong with it; of an array the same for each, by its place. */
type QueueAnswer = Accepted | QueueProblem | { results: ({ index: number } & (Accepted | QueueProblem))[] };

const laneSchema = z
  .enum(INTAKE_LANES, { error: `expected one of ${INTAKE_LANES.join(', ')}` })
  .default('live');

/** The queue `alerts`: job data is the body of `POST /v1/alerts`, one alert or an array; the field `lane` names the lane. */
@Controller()
export class AlertsQueueController {
  constructor(@Inject(PLATFORM) private readonly platform: Platform) {}

  @EventPattern<string>('alerts')
  async take(@Payload() body: unknown, @Ctx() context: JobContext): Promise<QueueAnswer> {
    // A job that is delivered twice is one alert. Ids start again in an emptied store, so the body is part of the key.
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
    const taken = await takeMany(alerts.length, (index) => this.takeOrBury(alerts[index], `${key}#${index}`));
    // What cannot be taken now makes the job come again: those that were taken answer as before.
    for (const one of taken) if ('thrown' in one) throw one.thrown;
    return {
      results: taken.flatMap((one, index) => ('accepted' in one ? [{ index, ...one.accepted }] : [])),
    };
  }

  private async takeOrBury(body: unknown, key: string): Promise<Accepted | QueueProblem> {
    try {
      const { alert, lane } = withLane(body);
      return await this.platform.intake.accept(alert, { idempotencyKey: key, lane });
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

/** The alert of a job without the field that names its lane. @throws InvalidInput for another lane. */
function withLane(body: unknown): { alert: unknown; lane: IntakeLane } {
  if (!isObject(body) || !Object.hasOwn(body, 'lane')) return { alert: body, lane: 'live' };
  const { lane, ...alert } = body;
  return { alert, lane: parseInput(z.object({ lane: laneSchema }), { lane }, 'alert').lane };
}
