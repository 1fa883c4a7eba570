import type { Feedback, ShownRun } from '@casefile/contracts';
import { usePlaybooks } from '../../api/queries.js';
import { visible } from '../../format/visible.js';
import { useKeys } from '../../shell/use-keys.js';
import { Button } from '../../ui/button.js';
import { Stamp } from '../../ui/stamp.js';
import { AnswerForm, answerInWords, fieldInWords } from './answer-form.js';
import { useFeedback } from './use-feedback.js';
import './feedback.css';

interface CardProps {
  caseId: string;
  playbook: string;
  verdict: NonNullable<ShownRun['verdict']>;
}

/** The labels of the verdict, with a key to agree and a form for another answer. A verdict in review takes an answer alone. */
export function FeedbackCard({ caseId, playbook, verdict }: CardProps) {
  const { labels, give, withdraw, isOwn } = useFeedback(caseId);
  const { data } = usePlaybooks();
  const fields = data?.playbooks.find(({ name }) => name === playbook)?.answers ?? [];
  const asks = verdict.disposition === 'review';
  // A kind that declares no fields has nothing else to send.
  const canAgree = !asks || (data !== undefined && fields.length === 0);
  const agree = (): void => {
    if (!give.isPending) give.mutate({ agree: true });
  };
  useKeys(canAgree ? { a: agree } : {});
  const form = (
    <AnswerForm fields={fields} isSending={give.isPending} send={(outcome) => give.mutate({ outcome })} />
  );
  return (
    <section className="case-feedback" aria-label="What people said">
      {canAgree ? (
        <Button small disabled={give.isPending} onClick={agree}>
          Agree <kbd>a</kbd>
        </Button>
      ) : (
        <p>This verdict asks for an answer, so there is nothing to agree with yet. Give the answer:</p>
      )}
      {fields.length > 0 &&
        (asks ? (
          form
        ) : (
          <details>
            <summary>Give another answer</summary>
            {form}
          </details>
        ))}
      {labels.length > 0 && (
        <ul>
          {labels.map((label) => (
            <li key={label.id}>
              <span>
                {visible(label.by)} {label.agrees ? 'agrees' : `says ${visible(answerOf(label))}`}
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
                  Withdraw
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function answerOf({ outcome }: Feedback): string {
  return Object.entries(outcome)
    .map(([field, value]) => `${fieldInWords(field).toLowerCase()} ${answerInWords(value)}`)
    .join(', ');
}
