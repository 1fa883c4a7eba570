import {
  asCasefileError,
  CasefileError,
  InvalidInput,
  isObject,
  MOST_REPORTS,
  type Caller,
  type RecordedFeedback,
  type RecordedReports,
} from '@casefile/contracts';
import {
  FEEDBACK,
  actingAs,
  callerFrom,
  keepReport,
  PLATFORM,
  problemOf,
  takeMany,
  takeReport,
  type JobContext,
  type Platform,
  type Problem,
  type TakenReport,
} from '@casefile/runtime';
import { Body, Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';

/** Number of times a job may start without ending before its report is kept as a dead letter. */
const MOST_STALLS = 3;

function checkedReports(body: unknown[]): unknown[] {
  if (body.length > 0 && body.length <= MOST_REPORTS) return body;
  throw new InvalidInput([{ path: '', message: `expected 1 to ${MOST_REPORTS} reports` }], 'feedback');
}

/** Answer to a report: what was recorded, or the problem. */
type ReportAnswer = RecordedFeedback | { problem: Problem };

function reportAnswer(takenReport: TakenReport | { refused: unknown }): ReportAnswer {
  return 'refused' in takenReport ? { problem: problemOf(takenReport.refused).problem } : takenReport;
}

function resultsByIndex(takenReports: readonly (TakenReport | { refused: unknown })[]): RecordedReports {
  return { results: takenReports.map((one, index) => ({ index, ...reportAnswer(one) })) };
}

// The name of a proven caller replaces the stated one: a person has one label per run, so a name that anyone may
// state would replace the label of that person.
function namedReport(report: unknown, { name, proof }: Caller): unknown {
  return proof !== 'none' && isObject(report) ? { ...report, by: name } : report;
}

/** `POST /v1/feedback`: what another system found out about a verdict, once or as an array. */
@Controller('v1/feedback')
export class FeedbackController {
  constructor(@Inject(PLATFORM) private readonly platform: Platform) {}

  @Post()
  @HttpCode(202)
  take(@Req() request: object, @Body() body: unknown): Promise<RecordedFeedback | RecordedReports> {
    const caller = callerFrom(request);
    return actingAs(caller, () =>
      Array.isArray(body) ? this.takeAll(checkedReports(body), caller) : this.takeOne(body, caller),
    );
  }

  private async takeOne(report: unknown, caller: Caller): Promise<RecordedFeedback> {
    const outcome = await takeReport(this.platform, namedReport(report, caller), false);
    if ('refused' in outcome) throw outcome.refused;
    return outcome;
  }

  private async takeAll(reports: unknown[], caller: Caller): Promise<RecordedReports> {
    const takeOne = (index: number) => takeReport(this.platform, namedReport(reports[index], caller), false);
    const outcomes = await takeMany<TakenReport>(reports.length, takeOne);
    return resultsByIndex(
      outcomes.map((one) => ('accepted' in one ? one.accepted : { refused: one.thrown })),
    );
  }
}

/** The queue `feedback`. Job data is the body of `POST /v1/feedback`: one report or an array. */
@Controller()
export class FeedbackQueueController {
  constructor(@Inject(PLATFORM) private readonly platform: Platform) {}

  @EventPattern<string>(FEEDBACK)
  async take(@Payload() body: unknown, @Ctx() context: JobContext): Promise<ReportAnswer | RecordedReports> {
    const { stalls } = context;
    if (stalls >= MOST_STALLS) {
      const message = `the job began ${stalls} times and never ended: its worker died or was blocked each time`;
      return this.keep(body, new CasefileError('crashed_intake', message));
    }
    if (!Array.isArray(body)) return reportAnswer(await takeReport(this.platform, body, true));
    let reports: unknown[];
    try {
      reports = checkedReports(body);
    } catch (error) {
      return this.keep(body, asCasefileError(error));
    }
    const takeOne = (index: number) => takeReport(this.platform, reports[index], true);
    const outcomes = await takeMany<TakenReport>(reports.length, takeOne);
    // If the job is retried, reports that are already recorded count as repeats.
    for (const one of outcomes) if ('thrown' in one) throw one.thrown;
    return resultsByIndex(outcomes.flatMap((one) => ('accepted' in one ? [one.accepted] : [])));
  }

  private async keep(body: unknown, error: CasefileError): Promise<{ problem: Problem }> {
    await keepReport(this.platform, body, error);
    return { problem: problemOf(error).problem };
  }
}
