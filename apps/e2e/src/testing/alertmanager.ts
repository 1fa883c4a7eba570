import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CasefileError } from '@casefile/contracts';
import { freePort } from '@casefile/embedded/testing';

const PACKAGE = 'prometheus-alertmanager';
const INSTALLED = `/usr/bin/${PACKAGE}`;
/** Debian's build reads its templates from here and does not start without them. */
const TEMPLATES = '/usr/share/prometheus/alertmanager';
const LOCKED = ['-o', 'DPkg::Lock::Timeout=120', '-o', 'APT::Sandbox::User=root'];
/** Unpacked once for all runs of the tests. */
const KEPT = join(tmpdir(), 'casefile-alertmanager');
/** A limit for what hangs. */
const READY_WITHIN_MS = 120_000;

export interface AlertmanagerOptions {
  /** Where groups of alerts are posted. */
  webhookUrl: string;
  /** By this label alerts are grouped. */
  groupBy: string;
  /** How often a group with news is posted, and how often one without; in whole seconds. */
  groupSeconds: number;
  repeatSeconds: number;
}

/** An alert as a rule of Prometheus posts it; without an end it fires. */
export interface FiredAlert {
  labels: Record<string, string>;
  annotations: Record<string, string>;
  startsAt: string;
  endsAt?: string;
}

export interface Alertmanager {
  /** Tells it of alerts, as Prometheus does. */
  fire(alerts: readonly FiredAlert[]): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Debian's Alertmanager on the loopback address, alone (no cluster), with a folder of its own. Where it is not installed its
 * package is fetched by apt and unpacked aside, so that no service of it is started.
 * @throws CasefileError `alertmanager_missing` that says what to install.
 */
export async function startAlertmanager(options: AlertmanagerOptions): Promise<Alertmanager> {
  const program = programOf();
  const dir = mkdtempSync(join(tmpdir(), 'casefile-am-'));
  const port = await freePort();
  const log = join(dir, 'log');
  writeFileSync(join(dir, 'config.yml'), JSON.stringify(configOf(options)));
  const child = spawn(
    program,
    [
      `--config.file=${join(dir, 'config.yml')}`,
      `--storage.path=${join(dir, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
      '--log.level=warn',
    ],
    { stdio: ['ignore', 'ignore', openSync(log, 'a')], cwd: dir },
  );
  const over = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    child.kill('SIGKILL');
    await over;
    rmSync(dir, { recursive: true, force: true });
  };
  const until = Date.now() + READY_WITHIN_MS;
  while (!(await answers(`${url}/-/ready`))) {
    if (child.exitCode !== null || Date.now() > until) {
      const said = readFileSync(log, 'utf8');
      await stop();
      throw new CasefileError('not_ready', `Alertmanager did not start: ${said.slice(-2_000)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { fire: (alerts) => fire(url, alerts), stop };
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

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

function programOf(): string {
  if (existsSync(INSTALLED)) return INSTALLED;
  const kept = join(KEPT, INSTALLED);
  if (!existsSync(kept)) unpack();
  if (!existsSync(join(TEMPLATES, 'default.tmpl'))) {
    mkdirSync(TEMPLATES, { recursive: true });
    for (const name of ['email.tmpl', 'default.tmpl'])
      cpSync(join(KEPT, TEMPLATES, name), join(TEMPLATES, name));
  }
  return kept;
}

// Two tests may do this at once: each unpacks aside, and the first is kept.
function unpack(): void {
  const aside = mkdtempSync(`${KEPT}-`);
  const runs = (command: string, ...args: string[]): boolean =>
    spawnSync(command, args, { cwd: aside, stdio: 'ignore' }).status === 0;
  const fetches = (): boolean => runs('apt-get', ...LOCKED, 'download', PACKAGE);
  const fetched =
    process.getuid?.() === 0 && (fetches() || (runs('apt-get', ...LOCKED, 'update') && fetches()));
  const file = readdirSync(aside).find((name) => name.endsWith('.deb'));
  if (!fetched || file === undefined || !runs('dpkg-deb', '-x', file, 'unpacked'))
    throw new CasefileError(
      'alertmanager_missing',
      `Tests over a real Alertmanager need Debian's package ${PACKAGE}: apt-get install ${PACKAGE}`,
    );
  try {
    renameSync(join(aside, 'unpacked'), KEPT);
  } catch (error) {
    if (!existsSync(KEPT)) throw error;
  }
  rmSync(aside, { recursive: true, force: true });
}
