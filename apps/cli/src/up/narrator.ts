import type { Config, ModelProbe } from '@casefile/runtime';
import { oneLine } from '@casefile/kit/output/escape';
import type { Terminal } from '../output/terminal.js';
import {
  costLine,
  tally,
  verdictHeader,
  verdictLine,
  missingLine,
  type DecidedCase,
} from '../output/verdict-line.js';
import { secondsUp, type System } from './system.js';
import type { VerdictListener } from './verdict-follower.js';
import { relative } from 'node:path';

/** Reports what `up` does: as lines for people, or as JSON objects for programs. */
export interface Narrator extends VerdictListener {
  starting(config: Config): void;
  ready(config: Config, system: System, seconds: number): void;
  /** Reports whether a configured model answers. */
  probed(probe: ModelProbe): void;
  submitting(count: number): void;
  verdictsDone(decided: DecidedCase[], seconds: number): void;
  staysUp(): void;
  stopping(): void;
  stopped(): void;
  note(text: string): void;
}

export function narrator(terminal: Terminal, json: boolean): Narrator {
  return json ? forPrograms(terminal) : forPeople(terminal);
}

function forPeople(terminal: Terminal): Narrator {
  const { out, colors } = terminal;
  let firstAfter: number | null = null;
  let isDemonstration = false;
  return {
    starting: (config) => {
      isDemonstration = config.demonstration !== undefined;
      out(colors.bold('Casefile is starting'));
      announcement(config).forEach((line) => out(`  ${line}`));
    },
    ready: (_config, { consoleUrl, ingestUrl }, seconds) => {
      out(`  console  ${colors.cyan(consoleUrl)}  (API ${consoleUrl}/api/docs, queues ${consoleUrl}/queues)`);
      out(`  intake   POST ${ingestUrl}/v1/alerts`);
      out(`Ready after ${seconds.toFixed(1)} s.`);
    },
    probed: (probe) => out(probe.answers ? probeLine(probe) : colors.yellow(probeLine(probe))),
    submitting: (count) =>
      out(`\nSubmitting ${count} made-up sample alerts (CASEFILE_SAMPLES=off starts without them):\n`),
    verdict: (decided) => {
      if (firstAfter === null) out(verdictHeader(terminal));
      firstAfter ??= secondsUp();
      out(verdictLine(decided, terminal));
    },
    skipped: (count) => out(colors.dim(`... and ${count} more verdicts: the console has them all`)),
    lost: (why) => out(`Verdicts are no longer shown (${oneLine(why)}); the services continue.`),
    verdictsDone: (decided, seconds) => {
      const first = firstAfter === null ? '' : ` (the first after ${firstAfter.toFixed(1)} s)`;
      out(`\n${decided.length} verdicts after ${seconds.toFixed(1)} s${first}: ${tally(decided)}.`);
      const cost = costLine(decided);
      if (cost !== null)
        out(`${cost}${isDemonstration ? ' at made-up prices: no provider was called' : ''}.`);
      const more = missingLine(decided);
      if (more !== null) out(more);
    },
    staysUp: () =>
      out(
        '\nWaiting for alerts; each verdict is printed here. Ctrl-C stops. (LOG_LEVEL=info shows the log.)',
      ),
    stopping: () => out('\nStopping: finishing work in progress ...'),
    stopped: () => out('Stopped. All results are stored; the next start continues from there.'),
    note: (text) => out(text),
  };
}

function forPrograms({ out, err }: Terminal): Narrator {
  const say = (type: string, facts: object = {}): void => out(JSON.stringify({ type, ...facts }));
  return {
    starting: () => undefined,
    ready: (config, { consoleUrl, ingestUrl }, seconds) =>
      say('ready', {
        console: consoleUrl,
        ingest: ingestUrl,
        model: configModel(config),
        provider: config.provider?.entry.name ?? 'none',
        demonstration: config.demonstration !== undefined,
        seconds,
      }),
    probed: (probe) => say('model', probe),
    submitting: (count) => say('submitting', { count }),
    verdict: (decided) => say('verdict', decided),
    skipped: (count) => say('skipped', { count }),
    lost: (why) => say('lost', { why }),
    verdictsDone: (decided, seconds) => say('verdicts-done', { count: decided.length, seconds }),
    staysUp: () => undefined,
    stopping: () => say('stopping'),
    stopped: () => say('stopped'),
    note: (text) => err(text),
  };
}

function probeLine({ provider, model, answers, ms, why }: ModelProbe): string {
  const outcome = answers ? `answers (${ms} ms)` : `does not answer: ${why ?? 'unknown'}`;
  return `  model ${oneLine(model)} at ${provider}: ${oneLine(outcome)}`;
}

/** Describes the database, the queue and the models of this configuration, without keys and passwords. */
export function announcement(config: Config): string[] {
  return [
    `record   ${configRecord(config)}`,
    `queue    ${configQueue(config)}`,
    `model    ${configModel(config)}`,
  ];
}

/** Describes the model provider. */
export function configModel({ provider, demonstration }: Pick<Config, 'provider' | 'demonstration'>): string {
  if (demonstration !== undefined) {
    return 'DEMONSTRATION: hand-written answers for the bundled samples, at made-up prices. No model is asked; other alerts are judged by rules';
  }
  if (provider === null) {
    return 'none: verdicts come from rules. Set OPENAI_API_KEY (or LLM_PROVIDER) to ask a model, or start with --demo to see hand-written answers';
  }
  const { name, model, baseUrl } = provider.entry;
  const simulated = name === 'simulator' ? ', a simulator whose answers are made up' : '';
  return `${model} of ${name} at ${urlPlace(baseUrl)}${simulated}`;
}

function configRecord({ databaseUrl, dataDir }: Config): string {
  if (databaseUrl !== null) return `Postgres at ${urlPlace(databaseUrl)}`;
  const near = relative(process.cwd(), dataDir);
  return `embedded Postgres in ${near === '' || near.startsWith('..') ? dataDir : near}/ (delete it to start over)`;
}

function configQueue({ queueUrl }: Config): string {
  if (queueUrl === null) return 'the same Postgres';
  return `${queueUrl.startsWith('redis') ? 'Redis' : 'Postgres'} at ${urlPlace(queueUrl)}`;
}

// URLs may contain a password. `URL` reads no URL with several hosts, as that of a cluster.
function urlPlace(url: string): string {
  const written = url.slice(url.lastIndexOf('@') + 1).replace(/^[a-z+]+:\/\//, '');
  const hosts = URL.canParse(url) ? new URL(url).host : (written.split(/[/?#]/)[0] ?? '');
  return hosts.replaceAll(',', ', ') || 'a local socket';
}
