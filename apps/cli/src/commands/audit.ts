import { auditHeadSchema, InvalidInput, type AuditEntry, type AuditList } from '@casefile/contracts';
import { InvalidArgumentError, type Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { oneLine } from '@casefile/kit/output/escape';
import { writeLines } from '../output/write-lines.js';
import { connectConsole, consoleOptions, print, type ConsoleOptions } from './options.js';

interface ListOptions extends ConsoleOptions {
  actor?: string;
  act?: string;
  case?: string;
  limit: number;
}

const EXPORT_PAGE = 1_000;

/** `casefile audit list|export|verify` */
export function addAudit(program: Command, { terminal, end }: CommandContext): void {
  const audit = program.command('audit').description('audit log: what people did, linked by hashes');
  const list = audit
    .command('list')
    .description('list entries, the newest first')
    .option('--actor <name>', 'only entries of this person')
    .option('--act <type>', 'only entries of this type, such as review.corrected')
    .option('--case <id>', 'only entries on this case, by its id or a unique prefix or suffix of it')
    .option('--limit <count>', 'maximum number of acts, 1 to 1000', entryCount, 100);
  consoleOptions(list).action(async ({ actor, act, case: part, limit, ...options }: ListOptions) => {
    const client = await connectConsole(options);
    const caseId = part === undefined ? undefined : await client.wholeId(part);
    const answer = await client.get('/audit', { query: { actor, act, caseId, limit } });
    print(terminal, options, answer, () =>
      answer.entries.length === 0 ? ['The audit log has no entries.'] : answer.entries.map(entryLine),
    );
    end(EXIT.ok);
  });
  const exporting = audit
    .command('export')
    .description('write the whole log as JSON Lines, the oldest entry first')
    .option('--out <file>', 'new file for the lines; default: standard output');
  consoleOptions(exporting, 'with --out, print what was written as one JSON object').action(
    (options: ConsoleOptions & { out?: string }) => exportAll(options, { terminal, end }),
  );
  const verify = audit
    .command('verify')
    .description('check the chain of the audit log and the events that it names; exit code 1 for a problem')
    .option(
      '--head <head>',
      'COUNT:HASH of an earlier check, to find entries that are missing at the end',
      headText,
    );
  consoleOptions(verify).action(async ({ head, ...options }: ConsoleOptions & { head?: string }) => {
    const checked = await (await connectConsole(options)).get('/audit/check', { query: { head } });
    print(terminal, options, checked, () => [
      oneLine(`${checked.count} entries, ${checked.problems} problems, head ${checked.head}`),
      ...checked.findings.map(oneLine),
    ]);
    end(checked.problems === 0 ? EXIT.ok : EXIT.failed);
  });
}

/** Writes the log page by page. The head in the last line is compared by `verify --head`. */
async function exportAll(
  { out, ...options }: ConsoleOptions & { out?: string },
  { terminal, end }: Pick<CommandContext, 'terminal' | 'end'>,
): Promise<void> {
  if (out === undefined && options.json === true)
    throw new InvalidInput([{ path: '--json', message: 'expected --out as well' }], 'command line');
  const client = await connectConsole(options);
  let count = 0;
  await writeLines(out, terminal, async (write) => {
    let cursor: string | null = '';
    while (cursor !== null) {
      const query = { order: 'oldest', limit: EXPORT_PAGE, cursor } as const;
      const page: AuditList = await client.get('/audit', { query });
      for (const entry of page.entries) await write(JSON.stringify(entry));
      count += page.entries.length;
      cursor = page.nextCursor;
    }
  });
  if (out === undefined) terminal.err(`casefile: ${count} entries`);
  else print(terminal, options, { entries: count, file: out }, () => [oneLine(`${count} entries in ${out}`)]);
  end(EXIT.ok);
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
