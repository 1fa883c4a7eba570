import { t } from '../strings/text.js';
import type { RunStatus } from '@casefile/contracts';
import { Badge, type Tone } from './badge.js';

const TONES: Record<RunStatus, Tone> = {
  due: 'blue',
  running: 'blue',
  suspended: 'blue',
  parked: 'amber',
  decided: 'green',
  stopped: 'red',
  quarantined: 'red',
};

/** State of a run: its stage while the run is active, else its outcome. */
export function RunStatusBadge({ status, stage }: { status: RunStatus; stage: string | null }) {
  const goesOn = status === 'due' || status === 'running' || status === 'suspended';
  const words =
    goesOn && stage !== null ? (status === 'suspended' ? t('ui.waits', { stage }) : stage) : status;
  return (
    <Badge tone={TONES[status]} dot={goesOn ? 'pulse' : 'still'} title={t('ui.run', { status })}>
      {words}
    </Badge>
  );
}
