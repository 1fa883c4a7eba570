import type { Command } from 'commander';
import { asCasefileError, type Condition, type Meta } from '@casefile/contracts';
import { connectConsole } from './options.js';
import { showReadings, watchedOptions, type WatchedOptions } from './watched.js';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { oneLine } from '@casefile/kit/output/escape';
import { conditionLines } from '../output/condition-lines.js';
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

function judgedBy(provider: string, model: string | null): string {
  if (provider === 'none') return 'verdicts come from rules';
  if (provider === 'unknown') return 'no service that calls models has started yet';
  return oneLine(`${provider} ${model ?? ''}`.trim());
}
