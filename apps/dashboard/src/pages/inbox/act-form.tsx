import { rich, t } from '../../strings/text.js';
import type { AnswerField, JsonObject } from '@casefile/contracts';
import { useState, type FormEvent, type KeyboardEvent } from 'react';
import type { DeskAct } from '../../api/reviews.js';
import { Button } from '../../ui/button.js';
import { answerText } from './act-in-words.js';
import { OutcomeFields } from './outcome-fields.js';
import { useSubmit } from './use-submit.js';

export type FormKind = 'answer' | 'skip' | 'comment' | 'assign' | 'snooze';

const TITLES: Record<FormKind, string> = {
  answer: t('inbox.answer'),
  skip: t('inbox.skipThisVerdict'),
  comment: t('inbox.comment'),
  assign: t('inbox.assign'),
  snooze: t('inbox.snoozeUntil'),
};
const TEXTS: Record<FormKind, string> = {
  answer: t('inbox.reason'),
  skip: t('inbox.whyNoAnswerIsNeeded'),
  comment: t('inbox.commentForOtherReviewers'),
  assign: t('inbox.person'),
  snooze: t('inbox.note'),
};
const HOUR_MS = 3_600_000;
const SNOOZES = [
  [t('inbox.1Hour'), HOUR_MS],
  [t('inbox.4Hours'), 4 * HOUR_MS],
  [t('inbox.1Day'), 24 * HOUR_MS],
  [t('inbox.1Week'), 168 * HOUR_MS],
] as const;
const PARTS = ['', 'verdict', 'evidence', 'reasoning'] as const;

interface FormProps {
  kind: FormKind;
  fields: readonly AnswerField[];
  /** Answer that was chosen by key before the form was opened. */
  outcome: JsonObject;
  isSending: boolean;
  close(): void;
  send(act: DeskAct['act'], body: object, words: string): void;
}

/** Form of an act that needs more than a key. Ctrl+Enter sends it, Escape closes it. */
export function ActForm({ kind, fields, outcome: chosen, isSending, close, send }: FormProps) {
  const [text, setText] = useState('');
  const [outcome, setOutcome] = useState(chosen);
  const [part, setPart] = useState('');
  const [place, setPlace] = useState('');
  const [snooze, setSnooze] = useState<number>(HOUR_MS);
  const isReady =
    kind === 'answer' ? Object.keys(outcome).length > 0 : kind === 'snooze' || text.trim() !== '';
  const submit = (): void => {
    if (!isReady || isSending) return;
    const note = text.trim() === '' ? {} : { note: text.trim() };
    if (kind === 'skip') send('skip', { reason: text.trim() }, t('inbox.skipped'));
    if (kind === 'comment') send('comment', note, t('inbox.commentSaved'));
    if (kind === 'assign') send('assign', { to: text.trim() }, t('inbox.assignedTo', { text: text.trim() }));
    if (kind === 'snooze') {
      const until = new Date(Date.now() + snooze).toISOString();
      send('snooze', { ...note, until }, t('inbox.snoozed'));
    }
    if (kind !== 'answer') return;
    const wrong = place.trim() === '' ? part : `${part} ${place.trim()}`;
    const about = wrong === '' ? note : { ...note, part: wrong };
    send('answer', { outcome, ...about }, t('inbox.answered', { outcome: answerText(outcome) }));
  };
  useSubmit(submit);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    submit();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close();
    // Enter without Ctrl never sends, because it may have been intended for another element.
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && event.target instanceof HTMLInputElement)
      event.preventDefault();
  };
  return (
    <form className="desk-form" aria-label={TITLES[kind]} onSubmit={onSubmit} onKeyDown={onKeyDown}>
      <h3>{TITLES[kind]}</h3>
      {kind === 'answer' && (
        <OutcomeFields
          name="answer"
          fields={fields}
          outcome={outcome}
          choose={(field, value) => setOutcome((before) => ({ ...before, [field]: value }))}
        />
      )}
      {kind === 'answer' && (
        <div className="desk-part">
          <label className="labelled-field">
            <span>{t('inbox.whatWasWrong')}</span>
            <select className="field" value={part} onChange={(event) => setPart(event.target.value)}>
              {PARTS.map((one) => (
                <option key={one} value={one}>
                  {one === '' ? t('inbox.notStated') : one}
                </option>
              ))}
              <option value="citation">{t('inbox.citation')}</option>
              <option value="unit">{t('inbox.unit')}</option>
            </select>
          </label>
          {(part === 'citation' || part === 'unit') && (
            <label className="labelled-field">
              <span>{t('inbox.whichOne')}</span>
              <input className="field" value={place} onChange={(event) => setPlace(event.target.value)} />
            </label>
          )}
        </div>
      )}
      {kind === 'snooze' && (
        <label className="labelled-field">
          <span>{t('inbox.for')}</span>
          <select
            autoFocus
            className="field"
            value={snooze}
            onChange={(event) => setSnooze(Number(event.target.value))}
          >
            {SNOOZES.map(([name, ms]) => (
              <option key={name} value={ms}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <label className="desk-text">
        <span>{TEXTS[kind]}</span>
        {kind === 'assign' ? (
          <input
            autoFocus
            className="field"
            value={text}
            maxLength={200}
            onChange={(event) => setText(event.target.value)}
          />
        ) : (
          <textarea
            autoFocus={kind !== 'snooze'}
            className="field"
            rows={3}
            value={text}
            maxLength={2_000}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </label>
      <div className="desk-buttons">
        <Button kind="primary" type="submit" disabled={!isReady || isSending}>
          {rich('inbox.saveAndContinue', { kbd: <kbd>Ctrl</kbd>, kbd2: <kbd>Enter</kbd> })}
        </Button>
        <Button onClick={close}>{rich('inbox.cancel', { kbd: <kbd>Esc</kbd> })}</Button>
      </div>
    </form>
  );
}
