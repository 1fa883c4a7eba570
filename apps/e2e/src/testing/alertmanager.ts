import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { debianProgram, startServer } from './debian-program.js';

/** Debian's build reads its templates from here and does not start without them. */
const TEMPLATES = '/usr/share/prometheus/alertmanager';

export interface AlertmanagerOptions {
  /** URL to which groups of alerts are posted. */
  webhookUrl: string;
  /** By this label alerts are grouped. */
  groupBy: string;
  /** Interval between posts of a group with changes, and of a group without, in whole seconds. */
  groupSeconds: number;
  repeatSeconds: number;
}

/** An alert as a rule of Prometheus posts it. Without an end time the alert is firing. */
export interface FiredAlert {
  labels: Record<string, string>;
  annotations: Record<string, string>;
  startsAt: string;
  endsAt?: string;
}

export interface Alertmanager {
  url: string;
  /** Sends alerts to Alertmanager, as Prometheus does. */
  fire(alerts: readonly FiredAlert[]): Promise<void>;
  stop(): Promise<void>;
}

/** Starts Debian's Alertmanager with one receiver, a webhook. */
export function startAlertmanager(options: AlertmanagerOptions): Promise<Alertmanager> {
  return startConfiguredAlertmanager(configOf(options));
}

/**
 * Starts Debian's Alertmanager on the loopback address, without a cluster, with its own folder.
 * @param config Content of `alertmanager.yml`.
 * @throws CasefileError `program_missing` that states what to install.
 */
export async function startConfiguredAlertmanager(config: object): Promise<Alertmanager> {
  const { path, root } = debianProgram('prometheus-alertmanager');
  if (!existsSync(join(TEMPLATES, 'default.tmpl'))) {
    mkdirSync(TEMPLATES, { recursive: true });
    for (const name of ['email.tmpl', 'default.tmpl'])
      cpSync(join(root, TEMPLATES, name), join(TEMPLATES, name));
  }
  const { url, stop } = await startServer(
    path,
    () => config,
    ({ config: file, data, port }) => [
      `--config.file=${file}`,
      `--storage.path=${data}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
      '--log.level=warn',
    ],
  );
  return { url, fire: (alerts) => fire(url, alerts), stop };
}

function configOf({ webhookUrl: url, groupBy, groupSeconds, repeatSeconds }: AlertmanagerOptions): object {
  return {
    route: {
      receiver: 'casefile',
      group_by: [groupBy],
      group_wait: '1s',
      group_interval: `${groupSeconds}s`,
      repeat_interval: `${repeatSeconds}s`,
    },
    receivers: [{ name: 'casefile', webhook_configs: [{ url, send_resolved: true, max_alerts: 1_000 }] }],
  };
}

async function fire(url: string, alerts: readonly FiredAlert[]): Promise<void> {
  const answer = await fetch(`${url}/api/v2/alerts`, {
    method: 'POST',
    body: JSON.stringify(alerts),
    headers: { 'content-type': 'application/json' },
  });
  if (!answer.ok) throw new Error(`Alertmanager took no alerts: ${await answer.text()}`);
}
