import type { ShownCase } from '@casefile/contracts';

/** What a case is called: its alert's text, else the title of what was handed in. */
export function titleOf({ alerts, playbook }: Pick<ShownCase, 'alerts' | 'playbook'>): string {
  const alert = alerts.at(-1);
  const text = alert?.text?.trim() ?? '';
  if (text !== '') return text;
  const title = alert?.payload?.['title'];
  if (typeof title === 'string' && title.trim() !== '') return title.trim();
  return alert?.image === undefined ? playbook : 'An image';
}
