import type { Verdict } from '@casefile/contracts';
import { Badge, type Tone } from './badge.js';

const TONES: Record<Verdict['disposition'], Tone> = { act: 'red', review: 'amber', dismiss: 'green' };
const MEANINGS: Record<Verdict['disposition'], string> = {
  act: 'Act: what the playbook is for was found',
  review: 'Review: a person has to look at it',
  dismiss: 'Dismiss: nothing to do',
};

/** A verdict in its reader's word; what follows from it is its colour, and said on hovering. */
export function VerdictBadge({
  disposition,
  word,
}: {
  disposition: Verdict['disposition'];
  /** Absent: the disposition itself. */
  word?: string | undefined;
}) {
  return (
    <Badge tone={TONES[disposition]} dot="still" title={MEANINGS[disposition]}>
      {word ?? disposition}
    </Badge>
  );
}

/** The tone of a disposition, for what is drawn in its colour. */
export function toneOfDisposition(disposition: string): Tone {
  return disposition in TONES ? TONES[disposition as Verdict['disposition']] : 'neutral';
}
