import { t } from '../strings/text.js';
import type { Verdict } from '@casefile/contracts';
import { Badge, type Tone } from './badge.js';

const TONES: Record<Verdict['disposition'], Tone> = { act: 'red', review: 'amber', dismiss: 'green' };
const MEANINGS: Record<Verdict['disposition'], string> = {
  act: t('ui.actTheCaseNeedsAction'),
  review: t('ui.reviewAPersonMustReview'),
  dismiss: t('ui.dismissNothingToDo'),
};

/** The label of a verdict. Its colour and tooltip show the resulting action. */
export function VerdictBadge({
  disposition,
  word,
}: {
  disposition: Verdict['disposition'];
  /** Default: the disposition itself. */
  word?: string | undefined;
}) {
  return (
    <Badge tone={TONES[disposition]} dot="still" title={MEANINGS[disposition]}>
      {word ?? disposition}
    </Badge>
  );
}

/** Returns the tone of a disposition, for elements drawn in its colour. */
export function toneOfDisposition(disposition: string): Tone {
  return disposition in TONES ? TONES[disposition as Verdict['disposition']] : 'neutral';
}
