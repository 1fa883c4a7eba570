import {
  agreesWith,
  answerTransition,
  asksForAnswer,
  CasefileError,
  type JsonObject,
  type NewReviewAct,
  type Verdict,
} from '@casefile/contracts';
import { correctedVerdict, type Playbook, type Presenting } from '@casefile/pipeline';
import { checkedAnswer, decidingFields, needsAnswer } from './deciding-fields.js';

/** A person's answer to the verdict of a run, before it is checked. */
export interface SubmittedAnswer {
  /** The deciding fields; absent: the person agrees with the verdict of the run. */
  outcome?: JsonObject | undefined;
  by: string;
  note?: string | undefined;
  part?: string | undefined;
  actId?: string | undefined;
  bulk?: boolean;
  /** Whether `override` was sent, for an answer that contradicts the record of the run. Default: no. */
  override?: true | undefined;
  /** Time of the finding. Default: now. */
  foundAt?: string | undefined;
  /** Event of another system that led to it, such as `chargeback`. Default: a person's own act. */
  event?: string | undefined;
}

/** The verdict that an answer is about. */
export interface AnsweredVerdict {
  caseId: string;
  playbook: string;
  runId: string;
  verdict: Verdict;
}

/** Dependencies of an act on a verdict. */
export interface AnswerPorts {
  playbooks: readonly Pick<Playbook, 'name' | 'presenting'>[];
  now(): number;
  newId(): string;
  /** Time in which a correction can be undone before it is sent, in milliseconds. */
  sendCorrectionsAfterMs: number;
}

/** Returns the fields that all acts have. */
export function actFields(
  { now, newId, sendCorrectionsAfterMs }: Omit<AnswerPorts, 'playbooks'>,
  { by, note, actId }: { by: string; note?: string | undefined; actId?: string | undefined },
): Omit<NewReviewAct, 'act' | 'caseId'> {
  const at = now();
  return {
    actId: actId ?? newId(),
    by,
    note: note === undefined || note === '' ? null : note,
    outcome: null,
    part: null,
    assignee: null,
    until: null,
    bulk: false,
    event: null,
    verdict: null,
    ids: { label: newId(), delivery: newId() },
    now: at,
    sendAt: at + sendCorrectionsAfterMs,
  };
}

/**
 * Returns the act of an answer: an agreement, or a correction with the corrected verdict.
 * @throws CasefileError `needs_an_answer`, `contradicts_record`; InvalidInput that names each wrong field.
 */
export function answerAct(
  ports: AnswerPorts,
  { caseId, playbook, runId, verdict }: AnsweredVerdict,
  answer: SubmittedAnswer,
): NewReviewAct {
  const presenting = kindPresenting(ports, playbook);
  const schema = presenting?.judged;
  const { part = null, bulk = false, event = null, foundAt } = answer;
  if (answer.outcome === undefined && schema !== undefined && asksForAnswer(verdict))
    throw needsAnswer(schema);
  const outcome =
    answer.outcome === undefined
      ? decidingFields(verdict.outcome, schema)
      : checkedAnswer(answer.outcome, playbook, schema);
  const agrees = answer.outcome === undefined || agreesWith(verdict, outcome);
  const contradiction = agrees ? null : (presenting?.contradiction?.(verdict.outcome, outcome) ?? null);
  const overrides = answer.override === true;
  const { isRefused, isMarked } = answerTransition({ isCurrent: true, agrees, contradiction, overrides });
  if (isRefused)
    throw new CasefileError(
      'contradicts_record',
      `${contradiction} Send override: true to accept the answer. Receivers then see the contradiction.`,
    );
  const fields = actFields(ports, answer);
  const decidedBy = {
    person: fields.by,
    at: new Date(fields.now).toISOString(),
    reason: fields.note ?? '',
    ...(isMarked && contradiction !== null ? { contradicts: contradiction } : {}),
  };
  return {
    ...fields,
    act: agrees ? 'agree' : 'correct',
    caseId,
    runId,
    outcome,
    part,
    bulk,
    event,
    verdict: agrees ? null : correctedVerdict(presenting ?? {}, verdict, outcome, decidedBy),
    ...(foundAt === undefined ? {} : { foundAt }),
  };
}

/** Returns how verdicts of a kind are shown; undefined: this process does not know the kind. */
export function kindPresenting(
  { playbooks }: Pick<AnswerPorts, 'playbooks'>,
  playbook: string,
): Presenting | undefined {
  return playbooks.find(({ name }) => name === playbook)?.presenting;
}

/** @returns the error of a case that does not exist. */
export function noCase(id: string): CasefileError {
  return new CasefileError('unknown_case', `no case has the id "${id}"`);
}
