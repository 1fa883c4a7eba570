import { auditHeadSchema, type AuditEntry } from '@casefile/contracts';
import { InvalidArgumentError, type Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { oneLine } from '../output/escape.js';
import { consoleOf, consoleOptions, print, type ConsoleOptions } from './options.js';

interface ListOptions extends ConsoleOptions {
  actor?: string;
  act?: string;
  case?: string;
  limit: number;
}

/** `casefile audit list|verify` */
export function addAudit(program: Command, { terminal, end }: CommandContext): void {
  const audit = program.command('audit').description('acts of people, linked by hashes');
  const list = audit
    .command('list')
    .description('list acts, the newest first')
    .option('--actor <name>', 'only acts of this person')
    .option('--act <type>', 'only acts of this type, such as review.corrected')
    .option('--case <id>', 'only acts on this case, by its id or a unique prefix or suffix of it')
    .option('--limit <count>', 'maximum number of acts, 1 to 1000', entryCount, 100);
  consoleOptions(list).action(async ({ actor, act, case: part, limit, ...options }: ListOptions) => {
    const client = await consoleOf(options);
    const caseId = part === undefined ? undefined : await client.wholeId(part);
    const answer = await client.get('/audit', { query: { actor, act, caseId, limit } });
    print(terminal, options, answer, () =>
      answer.entries.length === 0 ? ['No act is on the audit log.'] : answer.entries.map(entryLine),
    );
    end(EXIT.ok);
  });
  const verify = audit
    .command('verify')
    .description('check the chain of the audit log and the events that it names; exit code 1 for a problem')
    .option('--head <head>', 'COUNT:HASH of an earlier check, so that a cut end is found', headText);
  consoleOptions(verify).action(async ({ head, ...options }: ConsoleOptions & { head?: string }) => {
    const checked = await (await consoleOf(options)).get('/audit/check', { query: { head } });
    print(terminal, options, checked, () => [
      oneLine(`${checked.count} entries, ${checked.problems} problems, head ${checked.head}`),
      ...checked.findings.map(oneLine),
    ]);
    end(checked.problems === 0 ? EXIT.ok : EXIT.failed);
  });
}

function entryLine({ seq, at, actor, act, subject, caseId }: AuditEntry): string {
  const acted = subject ?? (caseId === null ? 'the installation' : `case ${caseId}`);
  return oneLine(`${seq} ${at.slice(0, 19)}Z ${actor === '' ? '(no name)' : actor} ${act}: ${acted}`);
}

function entryCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= 1_000) return count;
  throw new InvalidArgumentError('Expected a whole number from 1 to 1000.');
}

function headText(text: string): string {
  const read = auditHeadSchema.safeParse(text);
  if (read.success) return read.data;
  throw new InvalidArgumentError('Expected COUNT:HASH, as `casefile audit verify` prints it.');
}
