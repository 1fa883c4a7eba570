import { counted, rich, t } from '../../strings/text.js';
import type { BulkReviewed, JsonObject, ListedReview } from '@casefile/contracts';
import { useEffect, useRef, useState } from 'react';
import { usePlaybooks } from '../../api/queries.js';
import { newActId, useBulkAct } from '../../api/reviews.js';
import { visible } from '../../format/visible.js';
import { useKeys } from '../../shell/use-keys.js';
import { Button } from '../../ui/button.js';
import { Failed } from '../../ui/states.js';
import { answerText } from './act-in-words.js';
import { changesIn } from './bulk-changes.js';
import { OutcomeFields } from './outcome-fields.js';
import { useSubmit } from './use-submit.js';

/** Verdicts that the preview lists. */
const LISTED = 10;

interface BulkFormProps {
  /** The selected verdicts. */
  reviews: readonly ListedReview[];
  by: string;
  /** Called when the answers are recorded, with the cases that were not refused. */
  answered(ids: readonly string[]): void;
  undone(ids: readonly string[]): void;
  close(): void;
}

/** One answer for the selected verdicts: first the answer, then a preview, then the result with an undo. */
export function BulkForm({ reviews, by, answered, undone, close }: BulkFormProps) {
  const { data } = usePlaybooks();
  const act = useBulkAct(by);
  const [outcome, setOutcome] = useState<JsonObject>({});
  const [agrees, setAgrees] = useState(false);
  const [note, setNote] = useState('');
  const [preview, setPreview] = useState<BulkReviewed | null>(null);
  const [done, setDone] = useState<BulkReviewed | null>(null);
  const [isUndone, setUndone] = useState(false);
  // A request that failed is repeated with the same id, so that each case is answered once.
  const [actId] = useState(newActId);
  const [undoId] = useState(newActId);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [preview, done]);

  const [first] = reviews;
  const isOneKind = reviews.every(({ playbook }) => playbook === first?.playbook);
  const fields = isOneKind
    ? (data?.playbooks.find(({ name }) => name === first?.playbook)?.answers ?? [])
    : [];
  const isChosen = agrees || Object.keys(outcome).length > 0;
  const ids = reviews.map(({ id }) => id);
  const text = note.trim() === '' ? {} : { note: note.trim() };
  const body = { ids, actId, ...text, ...(agrees ? { agree: true as const } : { outcome }) };

  const next = (): void => {
    if (act.isPending || done !== null || !isChosen) return;
    const dryRun = preview === null;
    act.mutate(
      { ...body, dryRun },
      {
        onSuccess: (result) => {
          if (dryRun) return setPreview(result);
          setDone(result);
          answered(acceptedCaseIds(result));
        },
      },
    );
  };
  const undo = (): void => {
    if (act.isPending || done === null || isUndone) return;
    const restored = acceptedCaseIds(done);
    act.mutate(
      { ids: restored, undoes: actId, actId: undoId },
      {
        onSuccess: () => {
          setUndone(true);
          undone(restored);
        },
      },
    );
  };
  useSubmit(next);
  useKeys({ u: (event) => (event.repeat ? undefined : undo()) });
  const change = (does: () => void): void => {
    setPreview(null);
    does();
  };
  const failed = act.error !== null && (
    <Failed what={t('inbox.theRequestFailed')} error={act.error} retry={next} />
  );

  if (done !== null)
    return (
      <section className="card desk-form" aria-label={t('inbox.result')}>
        <h2 ref={heading} tabIndex={-1}>
          {isUndone
            ? t('inbox.takenBack', { done: counted('count.answer', acceptedCaseIds(done).length) })
            : t('inbox.answered2', { done: counted('count.verdict', done.done) })}
        </h2>
        {failed}
        {!isUndone && <Changes result={done} />}
        <div className="desk-buttons">
          <Button kind="primary" onClick={close}>
            {t('inbox.backToTheList')}
          </Button>
          {!isUndone && (
            <Button disabled={act.isPending} onClick={undo}>
              {rich('inbox.undo', { kbd: <kbd>u</kbd> })}
            </Button>
          )}
        </div>
      </section>
    );
  return (
    <section
      className="card desk-form"
      aria-label={t('inbox.answerInBulk')}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
    >
      <h2 ref={heading} tabIndex={-1}>
        {preview === null
          ? t('inbox.answer2', { reviews: counted('count.verdict', reviews.length) })
          : t('inbox.previewNothingIsSavedYet')}
      </h2>
      {!isOneKind && <p role="status">{t('inbox.selectVerdictsOfOneKind')}</p>}
      {isOneKind && reviews.every(({ asks }) => !asks) && (
        <label className="desk-agree">
          {rich('inbox.agreeWithEachVerdict', {
            input: (
              <input
                type="checkbox"
                checked={agrees}
                onChange={(event) => change(() => setAgrees(event.target.checked))}
              />
            ),
          })}
        </label>
      )}
      {!agrees && (
        <OutcomeFields
          name="bulk"
          fields={fields}
          outcome={outcome}
          choose={(field, value) => change(() => setOutcome((before) => ({ ...before, [field]: value })))}
        />
      )}
      {isOneKind && (
        <label className="desk-text">
          <span>{t('inbox.reasonForAllOfThem')}</span>
          <textarea
            className="field"
            rows={2}
            value={note}
            maxLength={2_000}
            onChange={(event) => change(() => setNote(event.target.value))}
          />
        </label>
      )}
      {preview !== null && (
        <>
          <p>
            {rich('inbox.asForTheAnswersAre', {
              strong: <strong>{agrees ? t('inbox.agree') : answerText(outcome)}</strong>,
              by: visible(by),
              done: counted('count.verdict', preview.done),
            })}
          </p>
          <Changes result={preview} />
          <ul className="desk-bulk-texts">
            {reviews.slice(0, LISTED).map(({ id, text: words, headline }) => (
              <li key={id} dir="auto">
                {visible((words === '' ? headline : words).slice(0, 120))}
              </li>
            ))}
            {reviews.length > LISTED && (
              <li>{rich('inbox.and', { reviews: counted('count.more', reviews.length - LISTED) })}</li>
            )}
          </ul>
        </>
      )}
      {failed}
      <div className="desk-buttons">
        <Button kind="primary" disabled={!isChosen || act.isPending || preview?.done === 0} onClick={next}>
          {preview === null
            ? t('inbox.preview')
            : t('inbox.answer3', { done: counted('count.verdict', preview.done) })}{' '}
          <kbd>Ctrl</kbd> <kbd>Enter</kbd>
        </Button>
        <Button onClick={close}>{rich('inbox.cancel', { kbd: <kbd>Esc</kbd> })}</Button>
      </div>
    </section>
  );
}

const acceptedCaseIds = ({ results }: BulkReviewed): string[] =>
  results.filter(({ problem }) => problem === null).map(({ id }) => id);

function Changes({ result }: { result: BulkReviewed }) {
  return (
    <ul>
      {changesIn(result).map(({ words, count }) => (
        <li key={words}>
          <strong className="num">{count}</strong> {visible(words)}
        </li>
      ))}
    </ul>
  );
}
