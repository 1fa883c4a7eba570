import { rich, t } from '../../strings/text.js';
import type { AnswerField, JsonObject, ShownReview } from '@casefile/contracts';
import { useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { usePlaybooks } from '../../api/queries.js';
import { newActId, useDeskAct, type DeskAct } from '../../api/reviews.js';
import { useKeys } from '../../shell/use-keys.js';
import { useToast } from '../../shell/toasts.js';
import { Button } from '../../ui/button.js';
import { cx } from '../../ui/cx.js';
import { errorMessage } from '../../ui/states.js';
import { answerInWords, answerText, fieldInWords } from './act-in-words.js';
import { ActForm, type FormKind } from './act-form.js';
import { ConfirmOverride, contradictionIn } from './confirm-override.js';
import { useSubmit } from './use-submit.js';

/** Acts after which the desk shows the next case. */
const SETTLES: readonly DeskAct['act'][] = ['answer', 'acknowledge', 'skip', 'snooze'];
const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;

interface ActsProps {
  /** null: no case is shown, or it is not read yet. A case can only be answered when it is visible. */
  review: ShownReview | null;
  by: string;
  /** The case of this person's last act here; null: none. */
  last: string | null;
  /** Description of this person's last act. */
  announcement: string;
  /** Whether a request is in flight. A key that is pressed again before the screen changed counts once. */
  busy: RefObject<boolean>;
  acted(id: string, text: string, settles: boolean): void;
  undone(id: string): void;
}

/** Acts on the shown case: by key, by button, and by form. */
export function ReviewActs({ review, by, last, announcement, busy, acted, undone }: ActsProps) {
  const { data } = usePlaybooks();
  const toast = useToast();
  const act = useDeskAct(by);
  const [form, setForm] = useState<FormKind | null>(null);
  const [outcome, setOutcome] = useState<JsonObject>({});
  const [refused, setRefused] = useState<{ act: DeskAct; words: string; why: string } | null>(null);
  const fields = data?.playbooks.find(({ name }) => name === review?.playbook)?.answers ?? [];
  const [first] = fields;
  const choices = (first?.values ?? []).slice(0, DIGITS.length);

  const send = (deskAct: DeskAct, words: string): void => {
    if (busy.current) return;
    busy.current = true;
    const show = (): void => {
      setForm(null);
      setOutcome({});
      setRefused(null);
      if (deskAct.act === 'undo') undone(deskAct.id);
      else acted(deskAct.id, words, SETTLES.includes(deskAct.act));
    };
    // The next case is on the screen before the next key counts.
    void act
      .mutateAsync(deskAct)
      .then(() => flushSync(show))
      .catch((error: unknown) => {
        const why = contradictionIn(error);
        setRefused(why === null ? null : { act: deskAct, words, why });
        if (why === null)
          toast({ title: t('inbox.nothingWasSaved'), text: errorMessage(error), isError: true });
      })
      .finally(() => (busy.current = false));
  };
  const onCase = (kind: DeskAct['act'], body: object, words: string): void => {
    if (review === null) return;
    const actId = newActId();
    const about = kind === 'assign' || kind === 'comment' || kind === 'snooze' ? {} : { runId: review.runId };
    send({ id: review.id, act: kind, body: { ...body, ...about, actId } }, words);
  };
  const answer = (body: object, words: string): void => onCase('answer', body, words);
  const agree = (): void => answer({ agree: true }, t('inbox.youAgreed'));
  const acknowledge = (): void => onCase('acknowledge', {}, t('inbox.acknowledged'));
  const undo = (): void => {
    if (last !== null) send({ id: last, act: 'undo', body: { actId: newActId() } }, '');
  };
  const choose = (index: number): void => {
    const value = choices[index];
    if (first !== undefined && value !== undefined) setOutcome({ [first.field]: value });
  };
  const isChosen = Object.keys(outcome).length > 0;
  const save = (): void => {
    if (isChosen) answer({ outcome }, t('inbox.answered', { outcome: answerText(outcome) }));
  };
  useSubmit(form === null ? save : null);
  const override = (): void => {
    if (refused === null) return;
    const { act: deskAct, words } = refused;
    send({ ...deskAct, body: { ...deskAct.body, override: true, actId: newActId() } }, words);
  };
  const open = (kind: FormKind) => () => {
    if (review !== null) setForm(kind);
  };
  // A held key repeats, and its repeats must not answer the next case.
  const once = (does: () => void) => (event: KeyboardEvent) => {
    if (!event.repeat && !busy.current) does();
  };
  useKeys({
    u: once(undo),
    ...(review === null
      ? {}
      : {
          ...(review.asks ? {} : { a: once(agree) }),
          ...Object.fromEntries(DIGITS.map((digit, i) => [digit, once(() => choose(i))])),
          e: once(acknowledge),
          o: once(open('answer')),
          s: once(open('skip')),
          c: once(open('comment')),
          m: once(open('assign')),
          z: once(open('snooze')),
        }),
  });
  return (
    <section
      className={review === null && announcement === '' ? undefined : 'desk-acts'}
      aria-label={t('inbox.yourAnswer')}
    >
      {review !== null && form === null && (
        <>
          {first !== undefined && (
            <Outcomes field={first} choices={choices} outcome={outcome} choose={choose} />
          )}
          <div className="desk-buttons">
            {first !== undefined && (
              <Button kind="primary" disabled={!isChosen || act.isPending} onClick={save}>
                {rich('inbox.saveAndContinue', { kbd: <kbd>Ctrl</kbd>, kbd2: <kbd>Enter</kbd> })}
              </Button>
            )}
            {!review.asks && (
              <Button disabled={act.isPending} onClick={agree}>
                {rich('inbox.agree2', { kbd: <kbd>a</kbd> })}
              </Button>
            )}
            {first !== undefined && (
              <Button onClick={open('answer')}>{rich('inbox.answerInFull', { kbd: <kbd>o</kbd> })}</Button>
            )}
            <Button disabled={act.isPending} onClick={acknowledge}>
              {rich('inbox.acknowledge', { kbd: <kbd>e</kbd> })}
            </Button>
            <Button onClick={open('skip')}>{rich('inbox.skip', { kbd: <kbd>s</kbd> })}</Button>
            <Button onClick={open('comment')}>{rich('inbox.comment2', { kbd: <kbd>c</kbd> })}</Button>
            <Button onClick={open('assign')}>{rich('inbox.assign2', { kbd: <kbd>m</kbd> })}</Button>
            <Button onClick={open('snooze')}>{rich('inbox.snooze', { kbd: <kbd>z</kbd> })}</Button>
          </div>
        </>
      )}
      {review !== null && form !== null && (
        <ActForm
          kind={form}
          fields={fields}
          outcome={outcome}
          isSending={act.isPending}
          close={() => setForm(null)}
          send={onCase}
        />
      )}
      <ConfirmOverride
        contradiction={refused?.why ?? null}
        busy={act.isPending}
        close={() => setRefused(null)}
        confirm={override}
      />
      <p className="desk-said" role="status">
        {announcement}{' '}
        {last !== null && (
          <Button kind="bare" small disabled={act.isPending} onClick={undo}>
            {rich('inbox.undo', { kbd: <kbd>u</kbd> })}
          </Button>
        )}
      </p>
    </section>
  );
}

interface OutcomesProps {
  field: AnswerField;
  choices: AnswerField['values'];
  outcome: JsonObject;
  choose(index: number): void;
}

function Outcomes({ field, choices, outcome, choose }: OutcomesProps) {
  return (
    <fieldset className="desk-outcomes">
      <legend>{fieldInWords(field.field)}</legend>
      {choices.map((value, index) => (
        <Button
          key={String(value)}
          aria-pressed={outcome[field.field] === value}
          className={cx(outcome[field.field] === value && 'desk-chosen')}
          onClick={() => choose(index)}
        >
          {answerInWords(value)} <kbd>{index + 1}</kbd>
        </Button>
      ))}
    </fieldset>
  );
}
