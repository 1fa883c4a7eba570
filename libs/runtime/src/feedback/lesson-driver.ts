import {
  briefSchema,
  evidenceSchema,
  reviewStanding,
  z,
  type CaseReader,
  type Clock,
  type FeedbackBook,
  type Lessons,
  type Logger,
  type PastCases,
  type ReviewDetail,
  type Reviews,
  type RunDocument,
} from '@casefile/contracts';
import { boundedLikeness, inLine, type LessonRule, type PastCaseRule } from '@casefile/pipeline';

/** Dependencies of the driver. */
export interface LessonPorts {
  feedback: Pick<FeedbackBook, 'changes' | 'readChanges'>;
  reviews: Pick<Reviews, 'get'>;
  record: Pick<CaseReader, 'getCase'>;
  lessons: Pick<Lessons, 'learn' | 'forget'>;
  pastCases: Pick<PastCases, 'keep' | 'forget'>;
  /** By kind of case. */
  rules: ReadonlyMap<string, LessonRule>;
  pastCaseRules: ReadonlyMap<string, PastCaseRule>;
  clock: Pick<Clock, 'now'>;
  log: Logger;
}

/** Events read in one statement, and statements in one pass. */
const PAGE = 2_000;
const PAGES = 10;

/**
 * Updates the lessons of cases when people's answers change. Reading a change twice gives the same lesson.
 */
export class LessonDriver {
  constructor(private readonly ports: LessonPorts) {}

  /** Reads the next changes of labels. A change is read again if the process ends before it is done. */
  async tick(signal: AbortSignal): Promise<boolean> {
    const { feedback, log } = this.ports;
    for (let page = 0; page < PAGES && !signal.aborted; page += 1) {
      const { read, place, caseIds } = await feedback.changes(PAGE);
      for (const caseId of caseIds) {
        if (signal.aborted) return false;
        // A case that cannot be read must not block the lessons of the others.
        await this.follow(caseId).catch((error: unknown) =>
          log.error({ error, caseId }, 'the answer on a case was not taken into the knowledge bases'),
        );
      }
      if (place !== null) await feedback.readChanges(place);
      if (read < PAGE) return false;
    }
    return true;
  }

  private async follow(caseId: string): Promise<void> {
    const { reviews, record, rules, pastCaseRules, clock } = this.ports;
    const review = await reviews.get(caseId, clock.now());
    if (review === null) return;
    const teaches = rules.get(review.playbook);
    const compares = pastCaseRules.get(review.playbook);
    if (teaches === undefined && compares === undefined) return;
    const run = (await record.getCase(caseId))?.runs.find(({ id }) => id === review.runId);
    if (teaches !== undefined) await this.teach(review, run, teaches);
    if (compares !== undefined) await this.compare(review, run, compares);
  }

  private async teach(
    review: ReviewDetail,
    run: RunDocument | undefined,
    teaches: LessonRule,
  ): Promise<void> {
    const { lessons } = this.ports;
    const { caseId, runId } = review;
    const answer = reviewStanding(review.history, runId).standing;
    const brief = run === undefined ? null : runBrief(run);
    const outcome = review.standing['outcome'];
    const lesson =
      answer === null || run === undefined || brief === null
        ? null
        : teaches({
            caseId,
            by: answer.by,
            outcome: z.record(z.string(), z.json()).parse(outcome),
            brief,
            evidence: evidenceIn(run),
          });
    if (answer === null || lesson === null) return lessons.forget(caseId);
    const { actId, by, event, act } = answer;
    await lessons.learn({ caseId, runId, actId, by, event, ownProposal: act === 'agree', ...lesson });
  }

  // Only an answer that a person gave to this single case counts. Events of other systems, answers for many
  // cases in one request, and disputed answers do not.
  private async compare(
    review: ReviewDetail,
    run: RunDocument | undefined,
    compares: PastCaseRule,
  ): Promise<void> {
    const { pastCases } = this.ports;
    const { caseId, runId, playbook } = review;
    const { state, standing: answer } = reviewStanding(review.history, runId);
    const brief = run === undefined ? null : runBrief(run);
    const isConfirmed = state === 'answered' && answer !== null && !answer.bulk && answer.event === null;
    const compared =
      isConfirmed && run !== undefined && brief !== null
        ? compares({ caseId, brief, evidence: evidenceIn(run) })
        : null;
    if (compared === null || !isConfirmed || answer.outcome === null) return pastCases.forget(caseId);
    const { actId, at, act, note, outcome } = answer;
    await pastCases.keep({
      ...boundedLikeness(compared),
      caseId,
      runId,
      playbook,
      actId,
      title: inLine(compared.title),
      outcome,
      note: note === null || note.trim() === '' ? null : inLine(note, 500),
      agreed: act === 'agree',
      confirmedAt: at,
    });
  }
}

function evidenceIn({ artifacts }: Pick<RunDocument, 'artifacts'>) {
  const body = artifacts.findLast(({ artifact }) => artifact === 'evidence')?.body;
  return body === undefined ? [] : evidenceSchema.parse(body).items;
}

function runBrief({ artifacts }: Pick<RunDocument, 'artifacts'>) {
  const body = artifacts.find(({ artifact, unit }) => artifact === 'brief' && unit === '')?.body;
  return body === undefined ? null : briefSchema.parse(body);
}
