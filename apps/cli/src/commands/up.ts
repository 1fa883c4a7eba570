import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';

/** `casefile up` */
export function addUp(program: Command, { terminal, end }: CommandContext): void {
  program
    .command('up')
    .description(
      'start every service and the console, judge the sample alerts when the record is empty, stay up until Ctrl-C',
    )
    .option('--once', 'end when every sample alert has its verdict')
    .option('--processes', 'each service as a process of its own')
    .option('--no-samples', 'submit no sample alerts')
    .option('--json', 'print JSON objects, one a line')
    .action(async (options: { once?: boolean; processes?: boolean; samples: boolean; json?: boolean }) => {
      // The services are loaded for this command alone: the others start at once.
      const { up } = await import('../up/up.js');
      const { once = false, processes = false, samples, json = false } = options;
      end(await up({ once, processes, samples, json }, terminal));
    });
}
