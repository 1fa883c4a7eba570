import type { Command } from 'commander';
import { asCasefileError, type Condition, type Meta } from '@casefile/contracts';
import { connectConsole } from './options.js';
import { showReadings, watchedOptions, type WatchedOptions } from './watched.js';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { oneLine } from '@casefile/kit/output/escape';
import type { Terminal } from '../output/terminal.js';

/** `casefile status` */
export function addStatus(program: Command, context: CommandContext): void {
  const command = program
    .command('status')
    .description(
      'show the running services and current problems; exit code 1 if a problem has the severity error',
    );
  watchedOptions(command).action(async (options: WatchedOptions) => {
    const client = await connectConsole(options);
    await showReadings(context, options, async () => {
      const metaRead = client.get('/meta').catch(withoutDatabase);
      // The error of the conditions states an outage of the database. It is the one to report.
      const [{ conditions }] = await Promise.all([client.get('/conditions'), metaRead.catch(() => null)]);
      const meta = await metaRead;
      const isBad = conditions.some(({ severity }) => severity === 'error');
      return {
        answer: { ...meta, conditions },
        lines: statusLines(client.baseUrl, meta, conditions, context.terminal),
        exitCode: isBad ? EXIT.failed : EXIT.ok,
      };
    });
  });
}

// The console lists conditions even while it cannot check its callers, to those whom it checked before.
function withoutDatabase(thrown: unknown): null {
  if (asCasefileError(thrown).reasonCode === 'store_unreachable') return null;
  throw thrown;
}

function statusLines(
  consoleUrl: string,
  meta: Meta | null,
  conditions: readonly Condition[],
  { colors }: Pick<Terminal, 'colors'>,
): string[] {
  const head =
    meta === null
      ? `Casefile at ${consoleUrl}: its version and model are not known now.`
      : `Casefile ${meta.version} at ${consoleUrl}: ${judgedBy(meta.provider, meta.model)}.`;
  if (conditions.length === 0) return [head, colors.green('Nothing is wrong.')];
  return [head, ...conditions.flatMap((condition) => conditionLines(condition, colors))];
}

/** A condition with its effect and what to do, after an empty line. */
export function conditionLines(
  { id, severity, since, text, effect, act, asOf }: Condition,
  colors: Terminal['colors'],
): string[] {
  const color = severity === 'error' ? colors.red : colors.yellow;
  const started = since === null ? '' : ` (since ${localTime(since)})`;
  const read = asOf === undefined ? '' : ` (as of ${ageInWords(asOf)} ago, cannot be read now)`;
  return [
    '',
    `${color(severity)}  ${oneLine(text)}${started}${read}`,
    `  effect  ${oneLine(effect)}`,
    `  do      ${oneLine(act)}`,
    colors.dim(`  id      ${oneLine(id)}`),
  ];
}

function judgedBy(provider: string, model: string | null): string {
  if (provider === 'none') return 'verdicts come from rules';
  if (provider === 'unknown') return 'no service that calls models has started yet';
  return oneLine(`${provider} ${model ?? ''}`.trim());
}

/** Returns the age of a time, as `40 s` or `12 min`. */
function ageInWords(iso: string): string {
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(iso)) / 1_000));
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`;
}

function localTime(iso: string): string {
  return new Date(iso).toLocaleString('sv-SE');
}
