import { useLocation } from 'wouter';
import { Dialog } from '../../ui/dialog.js';
import { BatchForm } from './batch-form.js';

/** Number of cases that a first batch judges, unless the user changes it. */
const SAMPLE = 10;

/** Dialog that judges the verdicts that were degraded since a time again. */
export function JudgeAgain({ since, open, close }: { since: string; open: boolean; close(): void }) {
  const [, navigate] = useLocation();
  return (
    <Dialog open={open} title="Judge degraded verdicts again?" alert close={close}>
      <BatchForm
        ask={{ degradedSince: since, evidence: 'fresh' }}
        sample={SAMPLE}
        started={(batchId) => (batchId === null ? close() : navigate(`/batches/${batchId}`))}
        cancel={close}
      >
        Tools are called again. The cases keep their verdicts, and nothing is sent, until you apply the batch.
      </BatchForm>
    </Dialog>
  );
}
