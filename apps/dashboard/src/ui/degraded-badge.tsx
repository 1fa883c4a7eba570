import { t } from '../strings/text.js';
import type { Verdict } from '@casefile/contracts';
import { TriangleAlert } from 'lucide-react';
import { Badge } from './badge.js';

/** Missing inputs of a verdict, in short words (`model out`). Renders nothing if the verdict is not degraded. */
export function DegradedBadge({ verdict }: { verdict: Pick<Verdict, 'degraded' | 'degradedNote'> | null }) {
  if (verdict === null || !verdict.degraded) return null;
  return (
    <Badge tone="amber" title={t('ui.degradedSomethingWasMissingSuch')}>
      <TriangleAlert aria-hidden="true" size={12} />
      {verdict.degradedNote || t('ui.degraded')}
    </Badge>
  );
}
