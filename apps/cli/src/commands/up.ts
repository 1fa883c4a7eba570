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
      'play hand-written answers for the bundled samples, marked as such; others are judged by rules',
    )
    .addOption(new Option('--processes', 'each service as a process of its own').conflicts('demo'))
    .addOption(
      new Option(
        '--samples <when>',
        'again: judge the sample alerts again even if they have verdicts',
      ).choices(['again']),
    )
    .option('--no-samples', 'submit no sample alerts')
    .option('--json', 'print JSON objects, one a line')
    .action(async (options: Partial<UpOptions>) => {
      // The services are loaded only by this command, so that other commands start fast.
      const { up } = await import('../up/up.js');
      const { once = false, processes = false, demo = false, samples = true, json = false } = options;
      end(await up({ once, processes, demo, samples, json }, terminal));
    });
}
