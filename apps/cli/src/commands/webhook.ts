import { InvalidArgumentError, Option, type Command } from 'commander';
import type { TriedAlert, WebhookTrial } from '@casefile/runtime';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { manyLines, oneLine } from '@casefile/kit/output/escape';
import { readInputBytes } from '@casefile/kit/files/read-input-file';
import { print, type ConsoleOptions } from './options.js';

type Headers = Record<string, string>;

interface WebhookOptions extends Pick<ConsoleOptions, 'json'> {
  header: Headers;
}

/** `casefile webhook try NAME FILE` */
export function addWebhook(program: Command, { terminal, end }: CommandContext): void {
  const webhook = program.command('webhook').description('custom webhooks (settings section webhooks)');
  webhook
    .command('try')
    .description(
      'show which alerts are read from a request and whether its signature is valid, by the settings of this environment; no alert is accepted',
    )
    .argument('<name>', 'name in the settings')
    .argument('<file>', 'body of the request, byte for byte; - for standard input')
    .addOption(
      new Option('--header <name: value>', 'header of the request; repeat the option for each header')
        .argParser(withHeader)
        .default({}, 'none'),
    )
    .option('--json', 'print the result as one JSON object')
    .action(async (name: string, file: string, { header: headers, json }: WebhookOptions) => {
      const raw = await readInputBytes(file);
      // Loaded only by this command, so that other commands start fast.
      const { loadConfig, tryWebhook } = await import('@casefile/runtime');
      const config = await loadConfig();
      const trial = await tryWebhook(config, name, { raw, headers }, Date.now());
      print(terminal, { json }, trial, () => webhookTrialLines(trial, config.files));
      const isProved = trial.proof.holds || Object.keys(headers).length === 0;
      const isRead = trial.alerts.every(({ problems }) => problems.length === 0);
      end(isProved && isRead ? EXIT.ok : EXIT.failed);
    });
}

function withHeader(text: string, earlier: Headers): Headers {
  const [, name, value = ''] = /^([A-Za-z0-9-]+)\s{0,9}:\s{0,9}(.*)$/s.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError('Expected a header, such as "X-Signature: abc".');
  return { ...earlier, [name.toLowerCase()]: value };
}

function webhookTrialLines(
  { webhook, playbook, proof, alerts }: WebhookTrial,
  files: readonly string[],
): string[] {
  const where = files.length === 0 ? 'the shipped settings' : files.join(', ');
  return [
    oneLine(`webhook ${webhook}, cases of the kind ${playbook}, by ${where}`),
    oneLine(`proof: ${proof.holds ? 'holds' : `not valid: ${proof.why ?? ''}`}`),
    ...alerts.flatMap((alert, i) => [
      `alert ${i + 1} of ${alerts.length}: ${alert.problems.length === 0 ? 'would be accepted' : 'would be kept as a dead letter'}`,
      ...alertLines(alert).map((line) => `  ${line}`),
    ]),
  ];
}

function alertLines({ alert, problems, text, occurrence }: TriedAlert): string[] {
  if (problems.length > 0)
    return problems.map(({ path, message }) => oneLine(`${path || '(whole)'}: ${message}`));
  const key = occurrence === null ? [] : [oneLine(`joins by: ${occurrence.key}`)];
  const over = occurrence?.resolved === true ? ['reports that it is resolved'] : [];
  const content = text ?? JSON.stringify(alert, null, 2);
  return [...key, ...over, ...manyLines(content).split('\n')];
}
