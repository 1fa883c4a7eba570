import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import type { ShownRecalibration } from '@casefile/contracts';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { oneLine } from '@casefile/kit/output/escape';
import { connectConsole, consoleOptions, print, type ConsoleOptions } from './options.js';

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

/** Returns the options that select labels, without the other options. */
export function labelSelection(options: Selection): Selection {
  const { playbook, strategy, prompts, model, language, confidenceSource, from, to } = options;
  const all = { strategy, prompts, model, language, confidenceSource, from, to };
  const entries = Object.entries(all).filter(([, value]) => value !== undefined);
  return { playbook, ...Object.fromEntries(entries) };
}

/** `casefile quality recalibrate` and `recalibrations` */
export function addRecalibrations(quality: Command, { terminal, end }: CommandContext): void {
  const recalibrate = quality
    .command('recalibrate')
    .description('learn a recalibration from the labels of one source; an experiment puts it into effect')
    .requiredOption('--reason <text>', 'why')
    .option('--by <name>', 'who acts', userInfo().username);
  consoleOptions(selecting(recalibrate)).action(
    async (options: Selection & ConsoleOptions & { by: string; reason: string }) => {
      const { by, reason } = options;
      const body = { ...labelSelection(options), by, reason, actId: randomUUID() };
      const answer = await (await connectConsole(options)).post('/quality/recalibrations', { body });
      print(terminal, options, answer, () => [
        ...recalibrationLines(answer),
        `compare it in an experiment: an arm with the settings {"recalibration":${answer.version}}`,
      ]);
      end(EXIT.ok);
    },
  );
  const list = quality.command('recalibrations').description('list the recalibrations, the newest first');
  consoleOptions(list).action(async (options: ConsoleOptions) => {
    const answer = await (await connectConsole(options)).get('/quality/recalibrations');
    print(terminal, options, answer, () =>
      answer.recalibrations.length === 0
        ? ['No recalibrations.']
        : answer.recalibrations.flatMap(recalibrationLines),
    );
    end(EXIT.ok);
  });
}

/** `casefile quality experiment`: a limit for acting, to be compared */
export function addLimitExperiment(quality: Command, { terminal, end }: CommandContext): void {
  const experiment = quality
    .command('experiment')
    .description('create an experiment that acts only from the confidence that the labels suggest')
    .option('--share <share>', 'share of the cases, above 0 up to 1 (default: 0.1)')
    .requiredOption('--reason <text>', 'why')
    .option('--by <name>', 'who acts', userInfo().username);
  consoleOptions(selecting(experiment)).action(
    async (options: Selection & ConsoleOptions & { by: string; reason: string; share?: string }) => {
      const { by, reason, share } = options;
      const own = {
        by,
        reason,
        actId: randomUUID(),
        ...(share === undefined ? {} : { share: Number(share) }),
      };
      const body = { ...labelSelection(options), ...own };
      const answer = await (await connectConsole(options)).post('/quality/experiments', { body });
      const { from, actedOn, wrong, recall, reviewLoad } = answer.suggestion;
      print(terminal, options, answer, () => [
        `act from a confidence of ${from.toFixed(2)}: ${wrong} of ${actedOn} labelled verdicts from there on are wrong`,
        `expected: ${percentText(recall)} of the right verdicts act, ${percentText(reviewLoad)} of all need review`,
        `start it: casefile experiments start ${answer.experiment.id} --reason TEXT`,
      ]);
      end(EXIT.ok);
    },
  );
}

/** `casefile quality labels`: the labels of a kind with their origin, as lines of JSON */
export function addLabels(quality: Command, { terminal, end }: CommandContext): void {
  const labels = quality
    .command('labels')
    .description('print the labels of verdicts with their alerts, as lines of JSON')
    .option('--out <file>', 'new file to write to (default: standard output)');
  consoleOptions(selecting(labels), 'no effect: the lines are JSON').action(
    async (options: Selection & ConsoleOptions & { out?: string }) => {
      const client = await connectConsole(options);
      const answer = await client.get('/quality/labels', { query: { ...labelSelection(options) } });
      const lines: string[] = [];
      for (const label of answer.labels) {
        const { alerts } = await client.getCase(label.caseId);
        lines.push(JSON.stringify({ ...label, alert: alerts[0] ?? null }));
      }
      if (options.out === undefined) for (const line of lines) terminal.out(line);
      else {
        await writeFile(options.out, lines.map((line) => `${line}\n`).join(''), { flag: 'wx' });
        terminal.out(`${lines.length} labels written to ${oneLine(options.out)}`);
      }
      if (!answer.isComplete) terminal.err('There are older labels: choose an earlier --to.');
      end(EXIT.ok);
    },
  );
}

const percentText = (share: number): string => `${(share * 100).toFixed(1)} %`;

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
