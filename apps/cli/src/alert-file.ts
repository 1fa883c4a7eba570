import { alertInputSchema, alertTitle, isObject, type JsonObject } from '@casefile/contracts';
import { alertsIn } from '@casefile/kit/files/alert-file';
import { readJsonFile } from '@casefile/kit/files/read-input-file';
import { kindDisplay } from '@casefile/pipeline';

/**
 * Returns the alerts of a file for `casefile check`, which also accepts a post of Alertmanager or Grafana.
 * `note` receives one line per alert.
 * @throws the errors of readAlerts.
 */
export async function readCheckedAlerts(path: string, note: (line: string) => void): Promise<JsonObject[]> {
  const content = await readJsonFile(path);
  if (!isObject(content) || !('alerts' in content)) return alertsIn(content, path);
  // Loaded only if the file is such a post.
  const { alertsOfPost, loadKinds } = await import('@casefile/runtime');
  const kinds = await loadKinds();
  const alerts =
    alertsOfPost(
      content,
      kinds.map(({ playbook }) => playbook),
    ) ?? [];
  for (const [i, post] of alerts.entries()) {
    const alert = alertInputSchema.parse(post);
    const kind = kinds.find(({ playbook }) => playbook.name === alert.playbook);
    const title = alertTitle(
      alert,
      kind === undefined ? { title: [] } : kindDisplay(kind.playbook.presenting),
    );
    note(`casefile: alert ${i + 1} of ${alerts.length}: ${title || 'without a name'}`);
  }
  return alerts;
}
