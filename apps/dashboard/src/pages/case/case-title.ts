import type { ShownCase } from '@casefile/contracts';

/** Returns the title of a case: the text of its alert, else the title or the question in its payload. */
export function shownCaseTitle({ alerts, playbook }: Pick<ShownCase, 'alerts' | 'playbook'>): string {
  const alert = alerts.at(-1);
  const text = alert?.text?.trim() ?? '';
  if (text !== '') return text;
  for (const title of [alert?.payload?.['title'], alert?.payload?.['query']])
    if (typeof title === 'string' && title.trim() !== '') return title.trim();
  return alert?.image === undefined ? playbook : 'An image';
}
