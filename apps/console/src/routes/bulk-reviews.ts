import {
  asCasefileError,
  bulkReviewedSchema,
  bulkReviewSchema,
  CasefileError,
  InvalidInput,
  recordedVerdict,
  reviewStanding,
  type BulkReviewed,
  type NewReviewAct,
  type ReviewDetail,
  type Verdict,
  type z,
} from '@casefile/contracts';
import { actFields, answerAct, kindPresenting, recordAnswer } from '@casefile/runtime';
import type { ConsolePorts } from '../console-ports.js';
import { route } from '../http/route.js';
import { readReview } from './reviews.js';

type BulkBody = z.infer<typeof bulkReviewSchema>;

/** Id of the act of a bulk request on one case. It lets a repeated request continue where the first one ended. */
const actOnCase = (actId: string, caseId: string): string => `${actId}/${caseId}`;

/** Effect of a bulk request on one case. */
interface BulkEffect {
  /** null: a repeated request that changes nothing. */
  act: NewReviewAct | null;
  playbook: string;
  /** The verdict before and after the act, in the words of its reader. */
  word: string;
  becomes: string;
}

async function bulkEffect(ports: ConsolePorts, id: string, body: BulkBody): Promise<BulkEffect> {
  const detail = await readReview(ports, id);
  const { playbook, runId } = detail;
  const actId = body.actId === undefined ? undefined : actOnCase(body.actId, id);
  const { act, verdict } =
    body.undoes === undefined
      ? answerEffect(ports, detail, { ...body, actId })
      : undoEffect(ports, detail, { ...body, actId, undoes: body.undoes });
  const word = (of: Verdict) => kindPresenting(ports, playbook)?.word(of) ?? of.disposition;
  const whole = act === null ? null : { ...act, runId };
  return { act: whole, playbook, word: word(recordedVerdict(detail.standing)), becomes: word(verdict) };
}

interface Effect {
  act: NewReviewAct | null;
  verdict: Verdict;
}

function answerEffect(ports: ConsolePorts, detail: ReviewDetail, body: BulkBody): Effect {
  const { caseId, playbook, runId } = detail;
  const verdict = recordedVerdict(detail.verdict);
  const { outcome, by, note, actId } = body;
  const act = answerAct(
    ports,
    { caseId, playbook, runId, verdict },
    { outcome, by, note, actId, bulk: true },
  );
  return { act, verdict: act.verdict ?? verdict };
}

function undoEffect(ports: ConsolePorts, detail: ReviewDetail, body: BulkBody & { undoes: string }): Effect {
  const { caseId, playbook, runId, history } = detail;
  if (history.some(({ actId }) => actId === body.actId))
    return { act: null, verdict: recordedVerdict(detail.standing) };
  // An answer to one case has the id that its request named.
  const ids = [body.undoes, actOnCase(body.undoes, caseId)];
  const undone = history.find(({ actId }) => ids.includes(actId));
  if (undone === undefined || undone.by !== body.by)
    throw new CasefileError('conflict', `${body.by} gave no answer here by that request`);
  const undo = { ...undone, act: 'undo' as const, actId: '', undoes: undone.actId };
  const { standing } = reviewStanding([...history, undo], runId);
  const verdict = recordedVerdict(detail.verdict);
  const standingAnswer = { outcome: standing?.outcome ?? {}, by: body.by, override: true } as const;
  const after =
    standing?.act === 'correct'
      ? answerAct(ports, { caseId, playbook, runId, verdict }, standingAnswer).verdict
      : null;
  const act = { ...actFields(ports, body), act: 'undo' as const, caseId, undoes: undone.actId, bulk: true };
  return { act, verdict: after ?? verdict };
}

/** Acts on many cases of the review desk in one request. */
export const bulkReviewRoutes = [
  route({
    method: 'post',
    path: '/reviews/bulk',
    operationId: 'answerReviews',
    right: 'reviewer',
    tag: 'reviews',
    summary: 'Give many verdicts the same answer, or take such answers back',
    input: { body: bulkReviewSchema },
    problems: [403],
    answer:
      'Per case the verdict before and after, or why it was refused. With the same `actId`, a repeated request acts only on the cases that are left. The answers are marked `bulk`',
    response: bulkReviewedSchema,
    handler: async (ports, { body }) => {
      const results: BulkReviewed['results'] = [];
      for (const id of new Set(body.ids)) {
        try {
          const { act, ...words } = await bulkEffect(ports, id, body);
          if (!body.dryRun && act !== null) await recordAnswer(ports.store.reviews, act);
          results.push({ id, ...words, problem: null });
        } catch (error) {
          const { reasonCode, message, retryable } = asCasefileError(error);
          if (retryable === true) throw error;
          const problem = error instanceof InvalidInput ? error.message : `${reasonCode}: ${message}`;
          results.push({ id, playbook: null, word: null, becomes: null, problem });
        }
      }
      const refused = results.filter(({ problem }) => problem !== null).length;
      return { dryRun: body.dryRun, done: results.length - refused, refused, results };
    },
  }),
];
