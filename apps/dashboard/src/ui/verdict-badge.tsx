import type { Verdict } from '@casefile/contracts';
import { Badge, type Tone } from './badge.js';

const TONES: Record<Verdict['disposition'], Tone> = { act: 'red', review: 'amber', dismiss: 'green' };
const MEANINGS: Record<Verdict['disposition'], string> = {
  act: 'Act: what the playbook is for was found',
  review: 'Review: a person has to look at it',
  dismiss: 'Dismiss: nothing to do',
};

/** What follows from a verdict, and the playbook's own word for it where that is another. */
export function VerdictBadge({
  disposition,
  action,
}: {
  disposition: Verdict['disposition'];
  action?: string | null;
}) {
  const own = action !== null && action !== undefined && action !== disposition ? ` · ${action}` : '';
  return (
    <Badge tone={TONES[disposition]} dot="still" title={MEANINGS[disposition]}>
      {disposition}
      {own}
    </Badge>
  );
}

/** The tone of a disposition, for what is drawn in its colour. */
export function toneOfDisposition(disposition: string): Tone {
  return disposition in TONES ? TONES[disposition as Verdict['disposition']] : 'neutral';
}
