import { InvalidInput, isObject, z, type RunbookQuestion } from '@casefile/contracts';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { oneLine } from '../output/escape.js';
import { readJsonFile } from '../read-input-file.js';

const texts = z.record(z.string(), z.string()).default({});
/** An alert as its sender has it, or as Casefile does, with the sender's inside. */
const alertSchema = z.object({
  labels: texts,
  annotations: texts,
  payload: z.object({ alert: z.object({ labels: texts, annotations: texts }).optional() }).optional(),
});
const fileSchema = z.union([z.array(alertSchema).min(1), alertSchema], {
  error: 'expected an alert with labels and annotations, an array of them, or a webhook with alerts',
});

/** `casefile runbook match FILE` */
export function addRunbook(program: Command, { terminal, end }: CommandContext): void {
  const runbook = program
    .command('runbook')
    .description('runbooks of alerts; to import them: casefile import runbooks');
  runbook
    .command('match')
    .description('say which runbook is for an alert, by which rule, and which others fit equally well')
    .argument('<file>', 'JSON: an alert, an array of alerts, or what a webhook posts; - for standard input')
    .option('--json', 'print one JSON object an alert')
    .action(async (file: string, { json = false }: { json?: boolean }) => {
      const questions = questionsIn(await readJsonFile(file));
      // Loaded for this command alone: the others start at once.
      const { matchRunbooks, readConfig } = await import('@casefile/runtime');
      const { quietly } = await import('../quietly.js');
      const answers = await matchRunbooks(questions, quietly(readConfig()));
      for (const answer of answers) {
        if (json) terminal.out(JSON.stringify(answer));
        else for (const line of linesOf(answer)) terminal.out(oneLine(line));
      }
      end(answers.every(({ found }) => found) ? EXIT.ok : EXIT.failed);
    });
}

type Answers = Awaited<ReturnType<typeof import('@casefile/runtime').matchRunbooks>>;

/** What the alerts of a file are matched by. @throws InvalidInput when there is no alert in it. */
export function questionsIn(json: unknown): RunbookQuestion[] {
  const parsed = fileSchema.safeParse(isObject(json) && 'alerts' in json ? json['alerts'] : json);
  if (!parsed.success)
    throw new InvalidInput(
      parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })),
      'file',
    );
  return [parsed.data].flat().map(({ labels, annotations, payload }) => {
    const sent = payload?.alert ?? { labels, annotations };
    const all = { ...labels, ...sent.labels };
    const url = sent.annotations['runbook_url'];
    return { labels: all, alertType: all['alertname'] ?? '', ...(url === undefined ? {} : { url }) };
  });
}

function linesOf(answer: Answers[number]): string[] {
  const type = answer.alertType === '' ? 'an alert without a type' : answer.alertType;
  if (answer.found) {
    const { name, title, source, pin, why, ambiguous } = answer;
    const ties = ambiguous.length === 0 ? [] : [`  equally well: ${ambiguous.join(', ')}`];
    return [
      `${type}: ${name ?? source}  ${title}`,
      `  why: ${why}`,
      ...ties,
      `  read from: ${source}`,
      `  pin: ${pin}`,
    ];
  }
  return [`${type}: no runbook`, `  why: ${answer.why}`];
}
