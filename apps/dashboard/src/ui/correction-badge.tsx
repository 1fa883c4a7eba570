import { rich } from '../strings/text.js';
import type { ShownCorrection } from '@casefile/contracts';
import { visible } from '../format/visible.js';
import { Badge } from './badge.js';

/** Marks a verdict that a person corrected, with the corrected one and the person. */
export function CorrectionBadge({ correction }: { correction: ShownCorrection | null | undefined }) {
  if (!correction) return null;
  return (
    <Badge tone="blue">
      {rich('ui.decidedBy', { word: visible(correction.word), by: visible(correction.by) })}
    </Badge>
  );
}
