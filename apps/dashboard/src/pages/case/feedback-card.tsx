import { rich, t } from '../../strings/text.js';
import type {
  AnswerField,
  Feedback,
  FeedbackList,
  GiveFeedback,
  JsonObject,
  ShownRun,
} from '@casefile/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { usePlaybooks } from '../../api/queries.js';
import { getJson, postJson } from '../../api/request.js';
import { visible } from '../../format/visible.js';
import { useActor } from '../../shell/use-actor.js';
import { useToast } from '../../shell/toasts.js';
import { useKeys } from '../../shell/use-keys.js';
import { Button } from '../../ui/button.js';
import { Stamp } from '../../ui/stamp.js';
import { errorMessage } from '../../ui/states.js';
import { answerInWords, answerText, fieldInWords } from '../inbox/act-in-words.js';
import { ConfirmOverride, contradictionIn } from '../inbox/confirm-override.js';
import './feedback.css';

interface FeedbackCardProps {
  caseId: string;
  playbook: string;
  verdict: NonNullable<ShownRun['verdict']>;
  /** Whether a person answered the verdict. */
  isAnswered: boolean;
}

/**
 * Labels of the verdict, with a key to agree and a form for another answer. For a verdict in review only the
 * form is shown.
 */
export function FeedbackCard({ caseId, playbook, verdict, isAnswered }: FeedbackCardProps) {
  const { labels, give, withdraw, isOwn } = useFeedback(caseId);
  const { data } = usePlaybooks();
  const fields = data?.playbooks.find(({ name }) => name === playbook)?.answers ?? [];
  const asks = verdict.disposition === 'review';
  const isOpen = asks && !isAnswered;
  // A kind without answer fields has no form, so agreeing is the only label.
  const canAgree = !asks || (data !== undefined && fields.length === 0);
  const agree = (): void => {
    if (!give.isPending) give.mutate({ agree: true });
  };
  useKeys(canAgree ? { a: agree } : {});
  const form = (
    <AnswerForm fields={fields} isSending={give.isPending} send={(outcome) => give.mutate({ outcome })} />
  );
  return (
    <section className="case-feedback" aria-label={t('case.feedback')}>
      {canAgree ? (
        <Button small disabled={give.isPending} onClick={agree}>
          {rich('case.agree', { kbd: <kbd>a</kbd> })}
        </Button>
      ) : (
        labels.length === 0 && isOpen && <p>{t('case.thisVerdictNeedsAnAnswer')}</p>
      )}
      {fields.length > 0 &&
        (isOpen && labels.length === 0 ? (
          form
        ) : (
          <details>
            <summary>{t('case.giveAnotherAnswer')}</summary>
            {form}
          </details>
        ))}
      <ConfirmOverride
        contradiction={contradictionIn(give.error)}
        busy={give.isPending}
        close={give.reset}
        confirm={() => give.mutate({ ...give.variables, override: true })}
      />
      {labels.length > 0 && (
        <ul>
          {labels.map((label) => (
            <li key={label.id}>
              <span>
                {visible(label.by)}{' '}
                {label.agrees
                  ? t('case.agrees')
                  : t('case.says', { outcome: visible(answerText(label.outcome)) })}
                {label.note !== null && `: ${visible(label.note)}`}
              </span>
              <span className="quiet">
                <Stamp at={label.at} />
              </span>
              {isOwn(label) && (
                <Button
                  kind="bare"
                  small
                  disabled={withdraw.isPending}
                  onClick={() => withdraw.mutate(label.id)}
                >
                  {t('case.withdraw')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface AnswerFormProps {
  fields: readonly AnswerField[];
  isSending: boolean;
  send(outcome: JsonObject): void;
}

/** Form for the answer that a verdict should have given, in the fields and values of its kind. */
function AnswerForm({ fields, isSending, send }: AnswerFormProps) {
  const [outcome, setOutcome] = useState<JsonObject>({});
  const isEmpty = Object.keys(outcome).length === 0;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isEmpty) send(outcome);
  };
  return (
    <form className="answer-form" onSubmit={submit}>
      {fields.map(({ field, values }) => (
        <fieldset key={field}>
          <legend>{fieldInWords(field)}</legend>
          {values.map((value) => (
            <label key={String(value)}>
              <input
                type="radio"
                className="radio"
                name={field}
                checked={outcome[field] === value}
                onChange={() => setOutcome((before) => ({ ...before, [field]: value }))}
              />
              {answerInWords(value)}
            </label>
          ))}
        </fieldset>
      ))}
      <Button kind="primary" small type="submit" disabled={isEmpty || isSending}>
        {t('case.saveTheAnswer')}
      </Button>
    </form>
  );
}

/** Reads the labels of a case, adds a label and withdraws one. A new label replaces the earlier one. */
function useFeedback(caseId: string) {
  const client = useQueryClient();
  const toast = useToast();
  const path = `/cases/${caseId}/feedback`;
  const { name: by } = useActor();
  const queryKey = ['feedback', caseId];
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => getJson<FeedbackList>(path, signal),
  });
  // An answer may replace the verdict that the page shows.
  const onSettled = () =>
    Promise.all([
      client.invalidateQueries({ queryKey }),
      client.invalidateQueries({ queryKey: ['case', caseId] }),
    ]);
  const give = useMutation({
    mutationFn: (label: Pick<GiveFeedback, 'agree' | 'outcome' | 'override'>) =>
      postJson<Feedback>(path, { ...label, by }),
    onSuccess: ({ agrees }) =>
      toast({ title: agrees ? t('case.youAgreeWithTheVerdict') : t('case.theAnswerIsSaved') }),
    onError: (error) => {
      // The card asks whether to override.
      if (contradictionIn(error) !== null) return;
      toast({ title: t('case.nothingWasSaved'), text: errorMessage(error), isError: true });
    },
    onSettled,
  });
  const withdraw = useMutation({
    mutationFn: (id: string) => postJson<Feedback>(`${path}/${id}/withdraw`, {}),
    onError: (error) =>
      toast({ title: t('case.nothingWasWithdrawn'), text: errorMessage(error), isError: true }),
    onSettled,
  });
  const labels = data?.feedback ?? [];
  return { labels, give, withdraw, isOwn: (label: Feedback) => label.by === by };
}
