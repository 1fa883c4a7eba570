import type { ShownCase } from '@casefile/contracts';

/** What a case is called: its alert's text, else the title of what was handed in, or what that asks. */
export function titleOf({ alerts, playbook }: Pick<ShownCase, 'alerts' | 'playbook'>): string {
  const alert = alerts.at(-1);
  const text = alert?.text?.trim() ?? '';
  if (text !== '') return text;
  for (const named of [alert?.payload?.['title'], alert?.payload?.['query']])
    if (typeof named === 'string' && named.trim() !== '') return named.trim();
  return alert?.image === undefined ? playbook : 'An image';
}
