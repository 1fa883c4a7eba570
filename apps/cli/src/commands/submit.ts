import {
  CasefileError,
  hasEnded,
  INTAKE_LANES,
  InvalidInput,
  type IntakeLane,
  type JsonObject,
  reasonCodeOf,
  sleep,
} from '@casefile/contracts';
import { Option, type Command } from 'commander';
import { readAlerts } from '@casefile/kit/files/alert-file';
import {
  returnTypeAddresses,
  connectConsole,
  consoleOptions,
  httpAddress,
  secondsAbove0,
  type ConsoleOptions,
} from './options.js';
import type { ConsoleClient, ShownRun } from '../client/console-client.js';
import { IntakeClient, type SubmittedAlert, type Submission, type Wish } from '../client/intake-client.js';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { terminalProgress } from '../output/progress.js';
import { oneLine } from '@casefile/kit/output/escape';
import { problemLine } from '../output/problem-line.js';
import type { Terminal } from '../output/terminal.js';
import { verdictLine } from '../output/verdict-line.js';
import { decidedCase, whyWaiting } from '../settled.js';

interface SubmitOptions extends ConsoleOptions {
  wait?: boolean;
  again?: boolean;
  lane?: IntakeLane;
  /** In seconds. */
  timeout: number;
  ingest?: string;
}

/** Maximum number of alerts per request. */
const BATCH = 100;
const LOOK_EVERY_MS = 250;

/** `casefile submit FILE|-` */
export function addSubmit(program: Command, context: CommandContext): void {
  const command = program
    .command('submit')
    .description('submit the alert or the array of alerts in a JSON file')
    .argument('<file>', 'JSON file; - for standard input')
    .option('--again', 'judge the case again if it already has a verdict')
    .addOption(new Option('--lane <lane>', 'batch: low priority, yields to live work').choices(INTAKE_LANES))
    .option('--wait', 'wait for the verdicts and print them')
    .option('--timeout <seconds>', 'with --wait: seconds to wait for all verdicts', secondsAbove0, 120)
    .option('--ingest <url>', 'URL of the intake', httpAddress);
  consoleOptions(command, 'print one JSON object per alert').action(
    async (file: string, options: SubmitOptions) =>
      context.end(await submit(file, options, context.terminal)),
  );
}

async function submit(file: string, options: SubmitOptions, terminal: Terminal): Promise<number> {
  const alerts = await readAlerts(file);
  const intake = new IntakeClient(options.ingest ?? (await returnTypeAddresses()).ingest);
  const client = await connectConsole(options);
  const submissions = await submitAll(intake, alerts, options, terminal);
  const accepted = submissions.filter((it): it is SubmittedAlert => !('error' in it));
  submissions.forEach((it, index) => say(it, index, { options, client, terminal }));
  const undecided = options.wait ? await waitFor(accepted, { options, client, terminal }) : 0;
  return accepted.length === alerts.length && undecided === 0 ? EXIT.ok : EXIT.failed;
}

async function submitAll(
  intake: IntakeClient,
  alerts: JsonObject[],
  { again = false, lane }: SubmitOptions,
  terminal: Terminal,
): Promise<Submission[]> {
  const [only] = alerts;
  const wish: Wish = lane === undefined ? { again } : { again, lane };
  if (alerts.length === 1 && only !== undefined) return [await intake.submit(only, wish)];
  const progress = terminalProgress(terminal, 'submitting', alerts.length);
  const submissions: Submission[] = [];
  for (let from = 0; from < alerts.length; from += BATCH) {
    submissions.push(...(await intake.submitAll(alerts.slice(from, from + BATCH), wish)));
    progress.to(submissions.length);
  }
  progress.end();
  return submissions;
}

interface Saying {
  options: SubmitOptions;
  client: ConsoleClient;
  terminal: Terminal;
}

function say(submission: Submission, index: number, { options, client, terminal }: Saying): void {
  if ('error' in submission) {
    const { reasonCode, message } = submission.error;
    if (options.json) terminal.out(JSON.stringify({ index, error: { reasonCode, message } }));
    else terminal.err(`alert ${index + 1}: ${oneLine(whatIsWrong(submission.error))}`);
    return;
  }
  // With --wait the verdict is printed next. This line explains that the verdict is an earlier one.
  if (!options.json && submission.verdictOf !== undefined) terminal.err(earlierLine(submission.verdictOf));
  const chosen = chosenLine(submission);
  if (options.wait) {
    if (!options.json && chosen !== '') terminal.err(`alert ${index + 1}: ${chosen}`);
    return;
  }
  const joined = submission.joined ? 'joined  ' : 'accepted';
  terminal.out(
    options.json
      ? JSON.stringify({ index, ...submission })
      : `${joined}  ${client.linkTo(submission.caseId)}${chosen === '' ? '' : `  ${chosen}`}`,
  );
}

/**
 * Returns the kind chosen for an alert without `playbook`, and the reason; empty: the alert names its kind.
 */
function chosenLine({ playbook, chosenBy }: SubmittedAlert): string {
  if (chosenBy === undefined || chosenBy.rule === 'name') return '';
  return oneLine(`${playbook ?? ''}: ${chosenBy.why}`);
}

/**
 * Returns the line for an alert that joined a decided case: when that case was judged, and how to judge
 * again.
 */
function earlierLine({
  decidedAt,
  degraded,
  degradedNote,
}: NonNullable<SubmittedAlert['verdictOf']>): string {
  const lacked = degraded ? `, degraded: ${oneLine(degradedNote) || 'see the case'}` : '';
  return `the same alert was judged at ${oneLine(decidedAt)}${lacked}; --again judges it again`;
}

function whatIsWrong(error: CasefileError): string {
  if (!(error instanceof InvalidInput)) return error.message;
  return error.problems
    .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
    .join('; ');
}

/** Prints each verdict as soon as it exists. Returns the number of runs without a verdict. */
async function waitFor(accepted: SubmittedAlert[], { options, client, terminal }: Saying): Promise<number> {
  const until = Date.now() + options.timeout * 1000;
  const open = new Map(accepted.map((it) => [it.runId, it.caseId]));
  const answers = new Map(accepted.map(({ runId, verdictOf, chosenBy }) => [runId, { verdictOf, chosenBy }]));
  let without = 0;
  while (open.size > 0 && Date.now() < until) {
    for (const [runId, caseId] of open) {
      const shownCase = await client.getCase(caseId);
      const run = shownCase.runs.find((candidate) => candidate.id === runId);
      if (run === undefined || !hasEnded(run)) continue;
      open.delete(runId);
      const decided = decidedCase(shownCase, run, client);
      if (decided === null) without += 1;
      if (decided === null) terminal.err(noVerdict(run, client.linkTo(caseId), options));
      else
        terminal.out(
          options.json
            ? JSON.stringify({ ...decided, ...answers.get(runId) })
            : verdictLine(decided, terminal),
        );
    }
    if (open.size > 0) await sleep(LOOK_EVERY_MS);
  }
  if (open.size === 0) return without;
  const waiting = await Promise.all([...open].map(([runId, caseId]) => whereItIs(client, caseId, runId)));
  const message = `${open.size} of ${accepted.length} had no verdict after ${options.timeout} s; their runs continue:`;
  throw new CasefileError('timeout', [message, ...waiting].join('\n  '));
}

// Often the sender can fix the problem, for example a policy that was never imported.
function noVerdict(run: ShownRun, link: string, { json }: SubmitOptions): string {
  const { status, reasonCode, message } = run;
  if (json) {
    const error = new CasefileError(reasonCodeOf(reasonCode), message ?? `the run is ${status}`);
    return problemLine(error, { caseId: run.caseId, runId: run.id, link });
  }
  const why = message === null ? '' : `\n  ${oneLine(message)}`;
  return `no verdict (${status}, ${oneLine(reasonCode ?? '-')})  ${link}${why}`;
}

/** Returns the case's URL, its stage, and what the case waits for. */
async function whereItIs(client: ConsoleClient, caseId: string, runId: string): Promise<string> {
  const { runs } = await client.getCase(caseId);
  const run = runs.find(({ id }) => id === runId);
  return `${client.linkTo(caseId)}  ${run === undefined ? 'not started' : oneLine(whyWaiting(run))}`;
}
