import {
  asCasefileError,
  CasefileError,
  InvalidInput,
  parseInput,
  recordedVerdict,
  reportedFeedbackSchema,
  type CaseStore,
  type RecordedFeedback,
  type ReportedFeedback,
} from '@casefile/contracts';
import type { Platform } from '../compose/platform.js';
import { buryAlert } from '../intake/bury-alert.js';
import type { Intake } from '../intake/intake.js';
import { bodyDigest } from '../intake/fingerprint.js';
import { answerAct, type AnswerPorts } from './answer-act.js';
import { recordAnswer } from './record-answer.js';

/** Dependencies of feedback that other systems report. */
export interface ReportPorts extends AnswerPorts {
  store: {
    feedback: Pick<CaseStore['feedback'], 'caseOf'>;
    reviews: Pick<CaseStore['reviews'], 'get' | 'act'>;
  };
  intake: Pick<Intake, 'storedKey'>;
}

/** Result of a report: what was recorded, or why it became a dead letter. */
export type TakenReport = RecordedFeedback | { refused: CasefileError };

/** Returns the ports of a platform. */
export function feedbackPorts({ store, config, clock, ids, intake }: Platform): ReportPorts {
  return {
    store,
    intake,
    playbooks: config.playbooks,
    now: () => clock.now(),
    newId: () => ids.id(),
    sendCorrectionsAfterMs: config.settings.reviews.sendAfterSeconds * 1_000,
  };
}

/**
 * Records feedback of another system as an answer to the verdict of its case. The same report acts once.
 * @throws InvalidInput that names each wrong field; CasefileError `unknown_case`, `conflict` if the case has no
 * verdict yet, `too_many`.
 */
export async function recordReport(ports: ReportPorts, body: unknown): Promise<RecordedFeedback> {
  const report = parseInput(reportedFeedbackSchema, body, 'feedback');
  const { outcome, by, event, note, at } = report;
  const { idempotencyKey: key } = report;
  const stored = key === undefined ? {} : { idempotencyKey: ports.intake.storedKey(key) };
  const caseId = await ports.store.feedback.caseOf({ ...report, ...stored });
  if (caseId === null) throw new CasefileError('unknown_case', `no case has the ${reference(report)}`);
  const review = await ports.store.reviews.get(caseId, ports.now());
  if (review === null)
    throw new CasefileError('conflict', `the case ${caseId} has no verdict to give feedback on`);
  const { runId, playbook } = review;
  // The same report gets the same id, whether it names the case by id or by another key.
  const actId = `feedback:${bodyDigest([caseId, event, outcome, by, at ?? null, note ?? null])}`;
  const about = { caseId, playbook, runId, verdict: recordedVerdict(review.verdict) };
  const act = answerAct(ports, about, { outcome, by, note, event, foundAt: at, actId });
  const { repeated } = await recordAnswer(ports.store.reviews, act);
  return { caseId, runId, agrees: act.act === 'agree', repeated };
}

/** Errors of a report that an operator can resolve, for example because its case arrives later. */
const KEPT = ['unknown_case', 'conflict', 'contradicts_record', 'too_many'];

/**
 * Records a report. If its case is unknown or has no verdict, the report is kept as a dead letter, which can be
 * redriven.
 * @param keepsInvalid Whether an invalid report is kept too, because its sender reads no answer.
 * @throws InvalidInput if invalid reports are not kept; errors that a later attempt may not meet.
 */
export async function takeReport(
  platform: Platform,
  body: unknown,
  keepsInvalid: boolean,
): Promise<TakenReport> {
  try {
    return await recordReport(feedbackPorts(platform), body);
  } catch (thrown) {
    const error = asCasefileError(thrown);
    const isKept = error instanceof InvalidInput ? keepsInvalid : KEPT.includes(error.reasonCode);
    if (!isKept) throw thrown;
    await keepReport(platform, body, error);
    return { refused: error };
  }
}

/** Keeps a report that cannot be recorded as a dead letter. */
export function keepReport(
  platform: Pick<Platform, 'store' | 'log'>,
  body: unknown,
  { reasonCode, message }: Pick<CasefileError, 'reasonCode' | 'message'>,
): Promise<void> {
  return buryAlert(platform, { key: bodyDigest(body), kind: 'feedback', payload: body, reasonCode, message });
}

function reference({ caseId, idempotencyKey, deliveryId }: ReportedFeedback): string {
  if (caseId !== undefined) return `id "${caseId}"`;
  return idempotencyKey === undefined ? `deliveryId "${deliveryId}"` : `idempotencyKey "${idempotencyKey}"`;
}
