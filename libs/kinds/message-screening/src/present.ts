import { isObject, z, type Json, type JsonObject, type RunSettings } from '@casefile/contracts';
import { ACTIONS, DISPOSITION } from './action-table.js';
import { HARMS } from './harms.js';
import { byField, confidenceScale, withBands, wordOf, type Presenting } from '@casefile/pipeline/present';
import { options } from './options.js';

/** Presentation of the screening of a message. */
export const presenting: Presenting = {
  // A message that was ignored without a judgement is in review. Its word is then `unclear`, not `ignore`.
  word: ({ outcome, disposition }) =>
    disposition === 'review' && outcome['action'] === 'ignore' ? 'unclear' : wordOf(outcome['action']),
  answer: (outcome) => {
    if (isUnjudged(outcome)) return 'not judged';
    return outcome['scamDetected'] === true ? 'scam' : 'no scam';
  },
  harms: HARMS,
  rule: 'Confidence and the number of red flags choose engage, probe or ignore. An answer that nothing but the model states means probe. Any failure on the way means ignore.',
  judged: z.object({ action: z.enum(ACTIONS), scamDetected: z.boolean() }),
  codes: ['normal', 'strict'],
  impliedDisposition: byField('action', DISPOSITION),
  // A receiver that answers the sender reads them.
  actedOn: ({ category = null, engagement }) => ({
    category,
    stage: isObject(engagement) ? (engagement['stage'] ?? null) : null,
  }),
  labels: {
    category: 'category',
    mode: 'mode',
    language: 'language',
    reason: 'reason',
  },
  display: {
    text: {
      label: 'Message',
      example: 'Your parcel is held. Pay the fee at https://parcel-fee.example today.',
    },
    judging: ['alert', 'report', 'claims'],
  },
  scales: (verdict, settings) => {
    const { outcome } = verdict;
    // A message without a judgement has no confidence to show.
    const isScam = outcome['scamDetected'] === true;
    if (!isScam && verdict.confidence === 0) return [];
    const scale = confidenceScale(verdict);
    // For a harmless message the action is `ignore` at any confidence, so no thresholds are shown.
    return [isScam ? withBands(scale, bandsOf(outcome['mode'], settings), outcome['action']) : scale];
  },
};

function isUnjudged({ reason, scamDetected, confidence }: JsonObject): boolean {
  return reason === 'not judged' || (scamDetected !== true && confidence === 0);
}

// Returns the run's frozen thresholds for this mode. Without both thresholds, no bounds are
// shown.
function bandsOf(mode: Json | undefined, settings: RunSettings) {
  const name = mode === 'strict' ? 'strict' : 'normal';
  const frozen = options.shown(settings.options);
  const { [`${name}ProbeFrom` as const]: probe, [`${name}EngageFrom` as const]: engage } = frozen;
  if (probe === undefined || engage === undefined) return [];
  return [
    { from: 0, label: 'ignore' },
    { from: probe, label: 'probe' },
    { from: engage, label: 'engage' },
  ];
}
