import type { Command } from 'commander';
import { readAlerts } from '../alert-file.js';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';

interface Options {
  reasoning?: boolean;
  json?: boolean;
}

/** `casefile check FILE` */
export function addCheck(program: Command, { terminal, end }: CommandContext): void {
  program
    .command('check')
    .description(
      'judge the alert, or each of the array of alerts, of a JSON file here, with nothing running; their cases stay on the record, apart from the others, and nothing is handed out',
    )
    .argument('<file>', 'JSON file; - for standard input')
    .option('--reasoning', 'print the full reasoning of models, not only the beginning')
    .option('--json', 'print each case as the console answers it, one a line')
    .action(async (file: string, { json = false, reasoning = false }: Options) => {
      const alerts = await readAlerts(file);
      // Loaded for this command alone: the others start at once.
      const { judgeHere } = await import('../judge-here.js');
      const { caseLines } = await import('../output/case-lines.js');
      let undecided = 0;
      await judgeHere(alerts, (shown) => {
        if (!shown.runs.every(({ status }) => status === 'decided')) undecided += 1;
        const forPeople = { colors: terminal.colors, reasoning };
        for (const line of json ? [JSON.stringify(shown)] : caseLines(shown, forPeople)) terminal.out(line);
      });
      end(undecided === 0 ? EXIT.ok : EXIT.failed);
    });
}
