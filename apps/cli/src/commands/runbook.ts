import { InvalidInput, isObject, runbookQuestionOf, z, type RunbookMatchAnswer } from '@casefile/contracts';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { oneLine } from '@casefile/kit/output/escape';
import type { Terminal } from '../output/terminal.js';
import { readJsonFile } from '@casefile/kit/files/read-input-file';
import { orDirect, type SystemOptions } from '../running-console.js';
import { connectConsole, consoleOptions, print } from './options.js';

const texts = z.record(z.string(), z.string()).default({});
/** An alert as its sender posts it, or as Casefile shows it, with the sender's alert in the payload. */
const alertSchema = z.object({
  labels: texts,
  annotations: texts,
  payload: z.object({ alert: z.object({ labels: texts, annotations: texts }).optional() }).optional(),
});
const fileSchema = z.union([z.array(alertSchema).min(1), alertSchema], {
  error: 'expected an alert with labels and annotations, an array of them, or a webhook with alerts',
});

interface RunbookOptions extends SystemOptions {
  json?: boolean;
}

/** `casefile runbook match FILE` */
export function addRunbook(program: Command, { terminal, end }: CommandContext): void {
  const runbook = program
    .command('runbook')
    .description('runbooks of alerts; to import them: casefile import runbooks');
  const command = runbook
    .command('match')
    .description('show which runbook matches an alert, by which rule, and which others match equally well')
    .argument('<file>', 'JSON: an alert, an array of alerts, or the body of a webhook; - for standard input')
    .option('--direct', 'read the database of this environment, and reload the sources of runbooks');
  consoleOptions(command, 'print one JSON object per alert').action(
    async (file: string, { json, ...where }: RunbookOptions) => {
      const alerts = alertsIn(await readJsonFile(file));
      const answers = await (where.direct ? matchHere : matchThroughConsole)(alerts, where, terminal);
      for (const [i, answer] of answers.entries()) {
        const which = answers.length > 1 ? `alert ${i + 1} of ${answers.length}, ` : '';
        print(terminal, { json }, answer, () => answerLines(answer, which).map(oneLine));
      }
      end(answers.every(({ found }) => found) ? EXIT.ok : EXIT.failed);
    },
  );
}

async function matchHere(
  alerts: MatchedAlert[],
  _where: SystemOptions,
  terminal: Terminal,
): Promise<RunbookMatchAnswer[]> {
  // Loaded only by this command, so that other commands start fast.
  const { databaseInWords, matchRunbooks, loadConfig } = await import('@casefile/runtime');
  const { quietly } = await import('../quietly.js');
  const config = quietly(await loadConfig());
  terminal.err(oneLine(`casefile: reading directly from ${databaseInWords(config)}`));
  return matchRunbooks(alerts.map(runbookQuestionOf), config);
}

async function matchThroughConsole(
  alerts: MatchedAlert[],
  where: SystemOptions,
): Promise<RunbookMatchAnswer[]> {
  const client = await connectConsole(where);
  try {
    return (await client.post('/runbooks/match', { body: { alerts } })).matches;
  } catch (thrown) {
    throw orDirect(thrown, client.baseUrl, 'read the database of this environment with --direct');
  }
}

type MatchedAlert = Pick<z.infer<typeof alertSchema>, 'labels' | 'annotations'>;

/**
 * Returns the labels and annotations by which each alert of a file is matched. @throws InvalidInput if the
 * file has no alert.
 */
export function alertsIn(json: unknown): MatchedAlert[] {
  const parsed = fileSchema.safeParse(isObject(json) && 'alerts' in json ? json['alerts'] : json);
  if (!parsed.success)
    throw new InvalidInput(
      parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })),
      'file',
    );
  return [parsed.data].flat().map(({ labels, annotations, payload }) => {
    const sent = payload?.alert ?? { labels, annotations };
    return { labels: { ...labels, ...sent.labels }, annotations: sent.annotations };
  });
}

function answerLines(answer: RunbookMatchAnswer, which: string): string[] {
  const type = `${which}${answer.alertType === '' ? 'an alert without a type' : answer.alertType}`;
  const { name, title, source, pin = 'read when an alert is judged', why, ambiguous = [] } = answer;
  if (!answer.found) return [`${type}: no runbook`, `  why: ${why}`];
  const ties = ambiguous.length === 0 ? [] : [`  equally well: ${ambiguous.join(', ')}`];
  return [
    `${type}: ${name ?? source}  ${title}`,
    `  why: ${why}`,
    ...ties,
    `  read from: ${source}`,
    `  pin: ${pin}`,
  ];
}
