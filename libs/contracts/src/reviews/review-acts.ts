import type { JsonObject } from '../json.js';

/** What a person can do with a case on the review desk, with the type of the event that reports it. */
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

/** An act on a case, as it was recorded. */
export interface ReviewAct {
  actId: string;
  act: ReviewActType;
  /** The run whose verdict it is about. */
  runId: string;
  by: string;
  at: string;
  /** When it was found, if a sender reported that time. Default: `at`. */
  foundAt?: string | null;
  note: string | null;
  /** Deciding fields of the verdict that the person holds right; null: the act gives no answer. */
  outcome: JsonObject | null;
  /** The part of the verdict that was wrong; null: not stated. */
  part: string | null;
  /** The person of an assignment; null: none. */
  assignee: string | null;
  /** End of a snooze; null: none. */
  until: string | null;
  /** The act that an undo takes back; null: none. */
  undoes: string | null;
  /** Whether it was done for many cases in one request, so that the case may not have been read. */
  bulk: boolean;
  /** Event of another system that led to it, such as `chargeback`; null: a person's own act. */
  event: string | null;
}

/** `sampled`: not waiting, but drawn at random for a check. */
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

/** Result of all acts on a case. */
export interface ReviewStanding {
  /** Without `snoozed`, which depends on the time, and `sampled`, which no act leads to. */
  state: Exclude<ReviewState, 'snoozed' | 'sampled'>;
  assignee: string | null;
  snoozedUntil: string | null;
  /** The newest answer of each person on the verdict of the run, oldest first. */
  answers: ReviewAct[];
  /** The newest answer, which decides the verdict that stands; null: the verdict of the run does. */
  standing: ReviewAct | null;
}

const ANSWERS: readonly ReviewActType[] = ['agree', 'correct'];
const isAnswer = ({ act }: ReviewAct): boolean => ANSWERS.includes(act);

/**
 * Returns the result of the acts on a case.
 * @param acts In the order in which they were recorded.
 * @param runId The run whose verdict the case shows. Answers to earlier verdicts no longer count.
 */
export function reviewStanding(acts: readonly ReviewAct[], runId: string): ReviewStanding {
  const valid = validActs(acts);
  const own = valid.filter((act) => act.runId === runId);
  const given = byFinding(own.filter(isAnswer));
  const answers = given.filter((act, i) => !given.slice(i + 1).some(({ by }) => by === act.by));
  const seen = own.findLast(({ act }) => act === 'acknowledge' || act === 'skip');
  const passed = seen === undefined ? 'open' : seen.act === 'skip' ? 'skipped' : 'acknowledged';
  return {
    state: answers.length === 0 ? passed : isDisputed(answers) ? 'disputed' : 'answered',
    assignee: valid.findLast(({ act }) => act === 'assign')?.assignee ?? null,
    snoozedUntil: valid.findLast(({ act }) => act === 'snooze')?.until ?? null,
    answers,
    standing: answers.at(-1) ?? null,
  };
}

/** Returns answers with each one that arrived late before those that were found after it. */
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

/** Returns the acts that were not taken back, without the undos. */
function validActs(acts: readonly ReviewAct[]): ReviewAct[] {
  const undone = new Set(acts.map(({ undoes }) => undoes));
  return acts.filter(({ actId, act }) => act !== 'undo' && !undone.has(actId));
}

/** Returns the act that an undo of this person takes back; null: there is none. */
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
  /** Whether a process has begun to send it, so that it can no longer be held back. */
  sent: boolean;
}

/** The change that makes receivers hold the verdict that stands. */
export interface CorrectionPlan {
  /** Rows that are not to be sent. */
  cancel: string[];
  /** Whether a new row is needed. */
  add: boolean;
}

/**
 * Returns how to bring receivers to the verdict that stands.
 * @param rows Rows that were not cancelled, oldest first.
 * @param answerId The act whose correction stands; null: the verdict of the run stands.
 */
export function planCorrection(rows: readonly CorrectionRow[], answerId: string | null): CorrectionPlan {
  const last = rows.at(-1)?.answerId ?? null;
  if (last === answerId) return { cancel: [], add: false };
  const received = rows.findLast(({ sent }) => sent)?.answerId ?? null;
  return { cancel: rows.filter(({ sent }) => !sent).map(({ id }) => id), add: received !== answerId };
}
