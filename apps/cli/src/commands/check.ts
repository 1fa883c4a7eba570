import type { JsonObject, ShownCase } from '@casefile/contracts';
import type { Command } from 'commander';
import { readCheckedAlerts } from '../alert-file.js';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { oneLine } from '@casefile/kit/output/escape';
import type { Terminal } from '../output/terminal.js';
import { runningConsole, type SystemOptions } from '../running-console.js';
import { consoleOptions, print } from './options.js';

interface CheckOptions extends SystemOptions {
  reasoning?: boolean;
  json?: boolean;
}

/** Data set name under which the cases of checks are kept on the record. */
const DATASET = 'check';

/** `casefile check FILE` */
export function addCheck(program: Command, { terminal, end }: CommandContext): void {
  const command = program
    .command('check')
    .description(
      'judge the alerts of a JSON file in the running system, or in this process if none runs; their cases are stored separately from others, and no verdict is delivered',
    )
    .argument(
      '<file>',
      'JSON file: an alert, an array, or a post of Alertmanager or Grafana; - for standard input',
    )
    .option('--reasoning', 'print the full reasoning of models, not only the beginning')
    .option('--direct', 'judge in this process, with the settings and the database of this environment');
  consoleOptions(command, 'print each case as the API returns it, one per line').action(
    async (file: string, { json = false, reasoning = false, ...where }: CheckOptions) => {
      const note = (line: string) => terminal.err(oneLine(line));
      const alerts = await readCheckedAlerts(file, note);
      const { caseLines } = await import('../output/case-lines.js');
      const { KindParts } = await import('../kinds.js');
      const kinds = await KindParts.load();
      let undecided = 0;
      await judge(alerts, where, terminal, (shownCase) => {
        if (!shownCase.runs.every(({ status }) => status === 'decided')) undecided += 1;
        const forPeople = { colors: terminal.colors, reasoning, kinds };
        print(terminal, { json }, shownCase, () => caseLines(shownCase, forPeople));
      });
      end(undecided === 0 ? EXIT.ok : EXIT.failed);
    },
  );
}

async function judge(
  alerts: JsonObject[],
  where: SystemOptions,
  terminal: Terminal,
  onJudged: (shownCase: ShownCase) => void,
): Promise<void> {
  const consoleUrl = await runningConsole(where);
  const note = (line: string) => terminal.err(oneLine(line));
  if (consoleUrl === null) {
    // Loaded only for judging in this process.
    const { judgeHere } = await import('../judge-here.js');
    return judgeHere(alerts, { dataset: DATASET, note }, onJudged);
  }
  const { judgeThroughConsole } = await import('../judge-through-console.js');
  for (const alert of alerts)
    onJudged(await judgeThroughConsole(alert, { consoleUrl, dataset: DATASET, note }));
}
