import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import type { ShownRecalibration } from '@casefile/contracts';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { oneLine } from '../output/escape.js';
import { consoleOf, consoleOptions, print, type ConsoleOptions } from './options.js';

interface Selection {
  playbook: string;
  strategy?: string;
  prompts?: string;
  model?: string;
  language?: string;
  confidenceSource?: string;
  from?: string;
  to?: string;
}

/** Adds the options that select labels of one source. */
export function selecting(command: Command): Command {
  return command
    .requiredOption('--playbook <name>', 'kind of the cases')
    .option('--strategy <name>', 'strategy of the runs')
    .option('--prompts <ids>', 'ids of the prompts, sorted, with commas between them')
    .option('--model <name>', 'model of the runs')
    .option('--language <code>', 'language of the message; none: not recorded')
    .option('--confidence-source <source>', 'who stated the confidence, such as llm')
    .option('--from <time>', 'decided at or after this ISO 8601 time (default: 90 days ago)')
    .option('--to <time>', 'decided before this ISO 8601 time (default: now)');
}

/** Returns the selection alone. */
export function selectionOf(options: Selection): Selection {
  const { playbook, strategy, prompts, model, language, confidenceSource, from, to } = options;
  const all = { strategy, prompts, model, language, confidenceSource, from, to };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  return { playbook, ...Object.fromEntries(given) };
}

/** `casefile quality recalibrate` and `recalibrations` */
export function addRecalibrations(quality: Command, { terminal, end }: CommandContext): void {
  const recalibrate = quality
    .command('recalibrate')
    .description('learn a recalibration from the labels of one source; an experiment puts it in force')
    .requiredOption('--reason <text>', 'why')
    .option('--by <name>', 'who acts', userInfo().username);
  consoleOptions(selecting(recalibrate)).action(
    async (options: Selection & ConsoleOptions & { by: string; reason: string }) => {
      const { by, reason } = options;
      const body = { ...selectionOf(options), by, reason, actId: randomUUID() };
      const answer = await (await consoleOf(options)).post('/quality/recalibrations', { body });
      print(terminal, options, answer, () => [
        ...recalibrationLines(answer),
        `compare it in an experiment: an arm with the settings {"recalibration":${answer.version}}`,
      ]);
      end(EXIT.ok);
    },
  );
  const list = quality.command('recalibrations').description('list the recalibrations, the newest first');
  consoleOptions(list).action(async (options: ConsoleOptions) => {
    const answer = await (await consoleOf(options)).get('/quality/recalibrations');
    print(terminal, options, answer, () =>
      answer.recalibrations.length === 0
        ? ['No recalibrations.']
        : answer.recalibrations.flatMap(recalibrationLines),
    );
    end(EXIT.ok);
  });
}

function recalibrationLines(one: ShownRecalibration): string[] {
  const { version, playbook, strategy, model, language, confidenceSource, method, labels } = one;
  const source = [playbook, strategy, model ?? '-', language ?? '-', confidenceSource].join(', ');
  return [
    `recalibration ${version}  ${one.inForce ? 'in force' : 'not in force'}  ${oneLine(source)}`,
    `  ${method} from ${labels} labels, ${one.from} to ${one.to}, by ${oneLine(one.author)} ${one.createdAt}`,
    `  mean squared error ${one.brierStated.toFixed(4)} -> ${one.brierRecalibrated.toFixed(4)} (cross-validated)`,
    `  ${one.points
      .filter((_, i) => i % Math.max(1, Math.floor(one.points.length / 6)) === 0)
      .map(({ stated, confidence }) => `${stated.toFixed(2)} -> ${confidence.toFixed(2)}`)
      .join(', ')}`,
  ];
}
