import { rich, t } from '../../strings/text.js';
import type { ReasonCode } from '@casefile/contracts';
import { ApiProblem } from '../../api/request.js';
import { Confirm } from '../../ui/confirm.js';

const CONTRADICTS: ReasonCode = 'contradicts_record';

/** Returns why the record contradicts an answer that was refused for this; null: the error is another one. */
export function contradictionIn(error: unknown): string | null {
  return error instanceof ApiProblem && error.reasonCode === CONTRADICTS ? error.message : null;
}

interface ConfirmOverrideProps {
  /** What contradicts the answer; null: nothing is asked. */
  contradiction: string | null;
  busy: boolean;
  close(): void;
  /** Saves the answer with `override`. */
  confirm(): void;
}

/** Asks before an answer is saved that the record of its run contradicts. */
export function ConfirmOverride({ contradiction, ...dialog }: ConfirmOverrideProps) {
  return (
    <Confirm
      open={contradiction !== null}
      title={t('inbox.theRecordContradictsThisAnswer')}
      action={t('inbox.saveItAnyway')}
      danger
      {...dialog}
    >
      {rich('inbox.ifYouSaveTheAnswer', { contradiction })}
    </Confirm>
  );
}
