import { readFileSync } from 'node:fs';
import { CasefileError, InvalidInput, z } from '@casefile/contracts';
import { isEnding, thrownText } from '@casefile/runtime/process-end';
import type { DatasetKind } from '@casefile/kit/evaluation/dataset';
import { Command, CommanderError } from 'commander';
import { addCommands } from './commands/index.js';
import { EXIT } from './exit-code.js';
import { manyLines } from '@casefile/kit/output/escape';
import { problemLine, WRONG_USAGE } from './output/problem-line.js';
import type { Terminal } from './output/terminal.js';

const HELP_AFTER = `
Every command takes --json: results as JSON on standard output, an error as a problem object on standard error.
Exit codes:
  0  done
  1  failed: something is not valid, not found, not reachable, or has no verdict
  2  the command line is wrong
  129, 130, 143  ended by HUP, INT or TERM before it was done; 137: killed
A command that follows something (up, watch) ends with 0 when a signal ends it. If the reader of the output is gone,
a command ends with 0 at the next line. Processes that a command started end with it, even if it is killed.`;

/** Maximum number of wrong fields in the output. Further ones are only counted. */
const MOST_PROBLEMS = 50;

/** Runs the `casefile` command. Returns the exit code; never throws. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode: number = EXIT.ok;
  const asJson = args.includes('--json');
  try {
    const program = commandTree(terminal, asJson, (code) => (exitCode = code), await evaluationsFor(args));
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (thrown) {
    // The process is ending, so the error may only mean that its connections were closed.
    if (isEnding()) return EXIT.failed;
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return EXIT.ok;
    const isUsage = thrown instanceof CommanderError;
    if (asJson) terminal.err(problemLine(isUsage ? usageError(thrown) : thrown));
    else if (!isUsage) for (const line of errorLines(thrown)) terminal.err(line);
    return isUsage ? EXIT.usage : EXIT.failed;
  }
}

// Commander has printed its own message already, but not as JSON.
function usageError({ code, message }: CommanderError): CasefileError {
  const detail = code === 'commander.help' ? 'expected a command; casefile --help lists them' : message;
  return new CasefileError(WRONG_USAGE, detail.replace(/^error: /, ''));
}

/** Returns the evaluations of the installed kinds if the command needs them. Other commands start faster. */
async function evaluationsFor(args: readonly string[]): Promise<readonly DatasetKind[]> {
  // Also for `casefile help eval`.
  if (!args.slice(0, 2).includes('eval')) return [];
  const { KindParts } = await import('./kinds.js');
  return (await KindParts.load()).evaluations();
}

/**
 * Returns the commands with their options, without running any.
 * @param evaluations Evaluations whose options `casefile eval` has.
 */
export function commandTree(
  terminal: Terminal,
  asJson: boolean,
  end: (exitCode: number) => void,
  evaluations: readonly DatasetKind[],
): Command {
  const program = new Command('casefile')
    .description('Casefile turns alerts into verdicts that can be audited.')
    .version(version(), '--version', 'print the version')
    .addHelpText('after', HELP_AFTER)
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => (asJson ? undefined : terminal.err(text.trimEnd())),
    })
    .exitOverride()
    // An option after the name of a command belongs to that command, also if its parent has one of that name.
    .enablePositionalOptions();
  const context = { terminal, end, evaluations };
  addCommands(program, context);
  program.commands.forEach(inheritFrom(program));
  return program;
}

// `package.json` is one level up, from src and from dist.
function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

// Commands that were created separately do not have the program's settings yet.
function inheritFrom(program: Command): (command: Command) => void {
  const inherit = (command: Command): void => {
    command.copyInheritedSettings(program);
    command.commands.forEach(inherit);
  };
  return inherit;
}

/**
 * Returns an error as lines for people: one line per wrong field. Only an unexpected error shows its stack.
 */
export function errorLines(thrown: unknown): string[] {
  if (thrown instanceof InvalidInput) {
    const problems = thrown.problems.map(
      ({ path, message }) => `  ${manyLines(path || '(whole)')}: ${manyLines(message)}`,
    );
    const more = problems.length > MOST_PROBLEMS ? [`  and ${problems.length - MOST_PROBLEMS} more`] : [];
    return ['casefile: not valid:', ...problems.slice(0, MOST_PROBLEMS), ...more];
  }
  return [`casefile: ${manyLines(thrownText(thrown))}`];
}
