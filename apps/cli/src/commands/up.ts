import { Option, type Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import type { UpOptions } from '../up/up.js';

/** `casefile up` */
export function addUp(program: Command, { terminal, end }: CommandContext): void {
  program
    .command('up')
    .description(
      'start every service and the console, judge the sample alerts when the record is empty, stay up until Ctrl-C',
    )
    .option('--once', 'exit when every sample alert has its verdict')
    .option(
      '--demo',
      'use hand-written answers, marked as such, for the bundled samples; rules judge other alerts',
    )
    .addOption(new Option('--processes', 'run each service as a separate process').conflicts('demo'))
    .addOption(
      new Option(
        '--samples <when>',
        'again: judge the sample alerts again even if they have verdicts',
      ).choices(['again']),
    )
    .option('--no-samples', 'submit no sample alerts')
    .option('--json', 'print JSON objects, one per line')
    .action(async (options: Partial<UpOptions>) => {
      // The services are loaded only by this command, so that other commands start fast.
      const { up } = await import('../up/up.js');
      const { once = false, processes = false, demo = false, samples = true, json = false } = options;
      end(await up({ once, processes, demo, samples, json }, terminal));
    });
}
