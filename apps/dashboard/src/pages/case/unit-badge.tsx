import { t } from '../../strings/text.js';
import { reasonInWords } from '@casefile/contracts/reason-codes';
import type { UnitRecord } from '@casefile/contracts';
import { Badge, type Tone } from '../../ui/badge.js';

const OVER: Record<string, Tone> = { parked: 'amber', quarantined: 'red', stopped: 'red' };

/** State of a unit without a result: it works, waits for look-ups, or waits for a person to act. */
export function UnitBadge({ unit }: { unit: Pick<UnitRecord, 'status' | 'reasonCode'> | undefined }) {
  const { status = 'running', reasonCode = null } = unit ?? {};
  const tone = OVER[status];
  if (tone !== undefined) {
    return (
      <Badge tone={tone} dot="still" title={reasonCode === null ? undefined : reasonInWords(reasonCode)}>
        {status}
      </Badge>
    );
  }
  return (
    <Badge tone="blue" dot="pulse">
      {status === 'suspended' ? t('case.waits') : t('case.underWay')}
    </Badge>
  );
}
