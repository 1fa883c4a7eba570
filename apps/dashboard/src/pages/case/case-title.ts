import { t } from '../../strings/text.js';
import type { ShownCase } from '@casefile/contracts';

/** Returns the title of a case, or what it is if nothing names it for the reader. */
export function shownCaseTitle({
  title,
  alerts,
  playbook,
}: Pick<ShownCase, 'title' | 'alerts' | 'playbook'>): string {
  if (title !== '') return title;
  return alerts.at(-1)?.image === undefined ? playbook : t('case.anImage');
}
