import type { BatchAsk } from '@casefile/contracts';
import { useLocation } from 'wouter';
import { Dialog } from '../../ui/dialog.js';
import { BatchForm } from './batch-form.js';

/** Number of cases that a first batch judges, unless the user changes it. */
const SAMPLE = 10;

interface JudgeAgainProps {
  title: string;
  /** The cases. */
  ask: Pick<BatchAsk, 'degradedSince' | 'filter'>;
  open: boolean;
  close(): void;
}

/** Dialog that judges cases again, with the present settings and new results of tools. */
export function JudgeAgain({ title, ask, open, close }: JudgeAgainProps) {
  const [, navigate] = useLocation();
  return (
    <Dialog open={open} title={title} alert close={close}>
      <BatchForm
        ask={{ ...ask, evidence: 'fresh' }}
        sample={SAMPLE}
        started={(batchId) => (batchId === null ? close() : navigate(`/batches/${batchId}`))}
        cancel={close}
      >
        Tools are called again. The cases keep their verdicts, and nothing is sent, until you apply the batch.
      </BatchForm>
    </Dialog>
  );
}
