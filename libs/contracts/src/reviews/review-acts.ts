import type { JsonObject } from '../json.js';

/** Acts of a person on a case of the review desk, with the type of the event that reports each. */
export const REVIEW_EVENTS = {
  agree: 'review.agreed',
  correct: 'review.corrected',
  acknowledge: 'review.acknowledged',
  skip: 'review.skipped',
  assign: 'review.assigned',
  snooze: 'review.snoozed',
  comment: 'review.commented',
  undo: 'review.undone',
} as const;
export type ReviewActType = keyof typeof REVIEW_EVENTS;
export const REVIEW_ACTS = Object.keys(REVIEW_EVENTS) as [ReviewActType, ...ReviewActType[]];

/** A recorded act on a case. */
export interface ReviewAct {
  actId: string;
  act: ReviewActType;
  /** The run whose verdict it is about. */
  runId: string;
  by: string;
  at: string;
  /** Time of the finding, if a sender reported it. Default: `at`. */
  foundAt?: string | null;
  note: string | null;
  /** Deciding fields that the person considers right; null: the act gives no answer. */
  outcome: JsonObject | null;
  /** The part of the verdict that was wrong; null: not stated. */
  part: string | null;
  /** The person of an assignment; null: none. */
  assignee: string | null;
  /** End of a snooze; null: none. */
  until: string | null;
  /** The act that is undone; null: none. */
  undoes: string | null;
  /** Whether many cases were answered in one request, so that the person may not have read the case. */
  bulk: boolean;
  /** Event of another system that led to the act, such as `chargeback`; null: a person acted. */
  event: string | null;
}

/** `sampled`: the case does not wait for review, but was drawn at random for a check. */
export const REVIEW_STATES = [
  'open',
  'snoozed',
  'answered',
  'disputed',
  'acknowledged',
  'skipped',
  'sampled',
] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

/** State of a case that results from all acts on it. */
export interface ReviewStanding {
  /** Without `snoozed`, which depends on the time, and `sampled`, which follows from no act. */
  state: Exclude<ReviewState, 'snoozed' | 'sampled'>;
  assignee: string | null;
  snoozedUntil: string | null;
  /** The newest answer of each person on the verdict of the run, oldest first. */
  answers: ReviewAct[];
  /** The newest answer, which decides the verdict in force; null: the verdict of the run is in force. */
  standing: ReviewAct | null;
}

/** States of a review whose verdict in force was given by a person. */
export const ANSWERED_STATES = ['answered', 'disputed'] as const satisfies readonly ReviewState[];

/** Returns whether a person decided: an answer is in force. null: no person acted on the verdict. */
export function isAnswered(state: ReviewState | null): boolean {
  return ANSWERED_STATES.some((answered) => answered === state);
}

const ANSWERS: readonly ReviewActType[] = ['agree', 'correct'];
const isAnswer = ({ act }: ReviewAct): boolean => ANSWERS.includes(act);

/**
 * Returns the state that results from the acts on a case.
 * @param acts in the order in which they were recorded
 * @param runId run whose verdict the case shows. Answers to earlier verdicts no longer count.
 */
export function reviewStanding(acts: readonly ReviewAct[], runId: string): ReviewStanding {
  const valid = validActs(acts);
  const own = valid.filter((act) => act.runId === runId);
  const answerActs = byFinding(own.filter(isAnswer));
  const answers = answerActs.filter((act, i) => !answerActs.slice(i + 1).some(({ by }) => by === act.by));
  const lastMark = own.findLast(({ act }) => act === 'acknowledge' || act === 'skip');
  const passed = lastMark === undefined ? 'open' : lastMark.act === 'skip' ? 'skipped' : 'acknowledged';
  return {
    state: answers.length === 0 ? passed : isDisputed(answers) ? 'disputed' : 'answered',
    assignee: valid.findLast(({ act }) => act === 'assign')?.assignee ?? null,
    snoozedUntil: valid.findLast(({ act }) => act === 'snooze')?.until ?? null,
    answers,
    standing: answers.at(-1) ?? null,
  };
}

/** Returns the answers in order of their findings, because an answer may arrive late. */
function byFinding(answers: readonly ReviewAct[]): ReviewAct[] {
  const ordered: ReviewAct[] = [];
  for (const answer of answers) {
    let place = ordered.length;
    const isReported = answer.foundAt !== undefined && answer.foundAt !== null;
    while (isReported && place > 0 && findingTime(ordered[place - 1]!) > findingTime(answer)) place -= 1;
    ordered.splice(place, 0, answer);
  }
  return ordered;
}

// A time in the future counts as the time of the act.
function findingTime({ at, foundAt }: ReviewAct): number {
  return Math.min(Date.parse(at), Date.parse(foundAt ?? at));
}

/** Returns the acts that were not undone, without the undos. */
function validActs(acts: readonly ReviewAct[]): ReviewAct[] {
  const undone = new Set(acts.map(({ undoes }) => undoes));
  return acts.filter(({ actId, act }) => act !== 'undo' && !undone.has(actId));
}

/** Returns the act that this undo cancels; null: there is none. */
export function actToUndo(acts: readonly ReviewAct[], by: string, actId?: string): ReviewAct | null {
  const own = validActs(acts).filter((act) => act.by === by);
  return (actId === undefined ? own.at(-1) : own.find((act) => act.actId === actId)) ?? null;
}

// Answers that set different fields do not contradict each other.
function isDisputed(answers: readonly ReviewAct[]): boolean {
  return answers.some((a) => answers.some((b) => differ(a.outcome ?? {}, b.outcome ?? {})));
}

function differ(a: JsonObject, b: JsonObject): boolean {
  return Object.entries(a).some(([name, value]) => name in b && b[name] !== value);
}

/** A verdict that a person corrected, on its way to receivers. */
export interface CorrectionRow {
  id: string;
  /** The act whose answer it carries; null: it restores the verdict of the run. */
  answerId: string | null;
  /** Whether a process has begun to send it, so that it can no longer be cancelled. */
  sent: boolean;
}

/** Changes that give receivers the verdict in force. */
export interface CorrectionPlan {
  /** Rows that are not to be sent. */
  cancel: string[];
  /** Whether a new row is needed. */
  add: boolean;
}

/**
 * Returns the changes that give receivers the verdict in force.
 * @param rows rows that were not cancelled, oldest first
 * @param answerId act whose correction is in force; null: the verdict of the run is in force
 */
export function planCorrection(rows: readonly CorrectionRow[], answerId: string | null): CorrectionPlan {
  const last = rows.at(-1)?.answerId ?? null;
  if (last === answerId) return { cancel: [], add: false };
  const received = rows.findLast(({ sent }) => sent)?.answerId ?? null;
  return { cancel: rows.filter(({ sent }) => !sent).map(({ id }) => id), add: received !== answerId };
}
