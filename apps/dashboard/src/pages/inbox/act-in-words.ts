import { t } from '../../strings/text.js';
import type { JsonObject, ShownReview } from '@casefile/contracts';
import { stampText, type Zone } from '../../format/time.js';
import { inWords } from '../../format/words.js';

type Act = ShownReview['history'][number];

/** Returns an act in words, as the rest of a sentence that begins with the person's name. */
export function actInWords(act: Act, zone: Zone = 'local'): string {
  const how = act.bulk ? t('inbox.inBulk') : '';
  const why = act.note === null ? '' : `: ${act.note}`;
  return `${doneInWords(act, zone)}${how}${why}`;
}

function doneInWords({ act, outcome, part, assignee, until, event }: Act, zone: Zone): string {
  switch (act) {
    case 'agree':
      return t('inbox.agreesWithTheVerdictOf');
    case 'correct': {
      const wrong = part === null ? '' : t('inbox.wrongWas', { part });
      const from = event === null ? '' : t('inbox.after', { event: inWords(event) });
      return t('inbox.says', { outcome: answerText(outcome ?? {}), wrong, from });
    }
    case 'acknowledge':
      return t('inbox.sawIt');
    case 'skip':
      return t('inbox.skippedIt');
    case 'assign':
      return assignee === null ? t('inbox.removedTheAssignee') : t('inbox.assignedItTo', { assignee });
    case 'snooze':
      return t('inbox.snoozedItUntil', { until: until === null ? '-' : stampText(until, zone) });
    case 'comment':
      return t('inbox.commented');
    case 'undo':
      return t('inbox.undidAnAction');
  }
}

/** `{ riskLevel: 'high' }` -> `risk level high`. */
export function answerText(outcome: JsonObject): string {
  return Object.entries(outcome)
    .map(([field, value]) => `${fieldInWords(field).toLowerCase()} ${answerInWords(value)}`)
    .join(', ');
}

/** `riskLevel` -> `Risk level`. */
export function fieldInWords(field: string): string {
  const words = field.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `NOT_MET` -> `not met`, true -> `yes`. */
export function answerInWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? t('ui.yes') : t('ui.no');
  return inWords(String(value)).toLowerCase();
}
