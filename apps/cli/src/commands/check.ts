import type { ShownCase } from '@casefile/contracts';
import type { Command } from 'commander';
import { readAlerts } from '../alert-file.js';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { quietly } from '../quietly.js';

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

/** One after another, through the same flow as the services have. @throws as intake does, for the first that it refuses. */
async function judgeHere(
  alerts: Awaited<ReturnType<typeof readAlerts>>,
  onJudged: (shown: ShownCase) => void,
): Promise<void> {
  // Loaded for this command alone: the others start at once.
  const { connect, datasetPipeline, readConfig } = await import('@casefile/runtime');
  const { shownCase } = await import('@casefile/console/handlers/get-case');
  const config = quietly(readConfig());
  // As the service that alone connects to the servers of tools.
  const { adapters, close } = await connect(config, ['evidence-collector']);
  try {
    const pipeline = datasetPipeline(adapters, { dataset: 'check', change: (settings) => settings });
    try {
      for (const alert of alerts) onJudged(shownCase(await pipeline.judge(alert), config.playbooks));
    } finally {
      await pipeline.close();
    }
  } finally {
    await close();
  }
}
