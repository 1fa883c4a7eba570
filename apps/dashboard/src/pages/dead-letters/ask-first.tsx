import { reasonInWords } from '@casefile/contracts/reason-codes';
import type { DeadLetter } from '@casefile/contracts';
import { useLetterAction, type LetterAction, type LetterOutcome } from '../../api/dead-letters.js';
import { countOf } from '../../format/numbers.js';
import { useToast, type Toast } from '../../shell/toasts.js';
import { Confirm } from '../../ui/confirm.js';
import { errorMessage } from '../../ui/states.js';

/** Asks before an action on dead letters, and performs it. */
export function AskFirst({
  action,
  letters,
  close,
  done = close,
}: {
  action: LetterAction | null;
  letters: readonly DeadLetter[];
  close(): void;
  /** Called after the action. Default: `close`. */
  done?(): void;
}) {
  const act = useLetterAction();
  const say = useToast();
  const count = action === null ? '' : letterCountText(action);
  const confirm = (): void => {
    if (action === null) return;
    act.mutate(action, {
      onSuccess: (outcome) => say(actionToast(action, outcome)),
      onError: (error) => say({ isError: true, title: 'The request failed', text: errorMessage(error) }),
      onSettled: done,
    });
  };
  const isDrop = action?.kind === 'drop';
  return (
    <Confirm
      open={action !== null}
      title={isDrop ? `Drop ${count}?` : `Redrive ${count}?`}
      action={isDrop ? 'Drop' : 'Redrive'}
      danger={isDrop}
      busy={act.isPending}
      close={close}
      confirm={confirm}
    >
      {isDrop
        ? 'Rejected alerts are removed, and runs are stopped permanently. '
        : 'Runs continue where they stopped; alerts are submitted again. '}
      {actionReasons(action, letters)} It is kept in the event log.
    </Confirm>
  );
}

function letterCountText(action: LetterAction): string {
  const ids = action.kind === 'drop' ? action.ids : action.request.ids;
  return ids === undefined ? 'all that match' : countOf(ids.length, 'dead letter');
}

function actionReasons(action: LetterAction | null, letters: readonly DeadLetter[]): string {
  const ids = new Set(action?.kind === 'drop' ? action.ids : action?.request.ids);
  const reasons = [...new Set(letters.filter(({ id }) => ids.has(id)).map(({ reasonCode }) => reasonCode))];
  if (reasons.length === 0) return '';
  return `${reasons.length === 1 ? 'Reason' : 'Reasons'}: ${reasons.slice(0, 4).map(reasonInWords).join(', ')}${reasons.length > 4 ? ', …' : ''}.`;
}

function actionToast({ kind }: LetterAction, { went, failed, problems }: LetterOutcome): Toast {
  const count = countOf(went, 'dead letter');
  const title = kind === 'redrive' ? `${count} redriven` : `${count} dropped`;
  return failed === 0
    ? { title }
    : { isError: true, title, text: `${failed} failed: ${problems.join(' · ')}` };
}
