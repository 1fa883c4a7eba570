import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { type ListedReview, type ReviewList } from '@casefile/contracts';
import type { Command } from 'commander';
import type { ConsoleClient } from '../client/console-client.js';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { bulkLines, reviewLines } from '../output/review-lines.js';
import { connectConsole, consoleOptions, print, type ConsoleOptions } from './options.js';
import { outcomeFrom } from './outcome-from.js';
import { wrongOption } from './option-values.js';

const CASE = 'id of the case, or a unique prefix or suffix of it';
/** Reviews per page of an export. */
const PAGE = 200;
const SETTLED = ['answered', 'disputed'] as const;

interface ActOptions extends ConsoleOptions {
  by: string;
  note?: string;
}

interface UndoOptions extends ActOptions {
  undoes?: string;
  dryRun?: true;
}

interface AnswerOptions extends ActOptions {
  agree?: true;
  outcome?: string[];
  part?: string;
  override?: true;
  dryRun?: true;
  actId?: string;
}

/** `casefile reviews answer|undo|export`: for one case or many, which are different requests */
export function addReviews(program: Command, context: CommandContext): void {
  const reviews = program.command('reviews');
  addExport(reviews, context);
  addAnswer(reviews, context);
  addUndo(reviews, context);
}

function addExport(reviews: Command, { terminal, end }: CommandContext): void {
  const output = reviews
    .command('export')
    .description('print the verdicts that people answered, with their answers, as lines of JSON')
    .option('--playbook <kind>', 'only of this kind of case');
  output
    .option('--console <url>', 'URL of the console')
    .action(async (options: ConsoleOptions & { playbook?: string }) => {
      const client = await connectConsole(options);
      for (const state of SETTLED)
        for await (const { id } of settled(client, state, options.playbook)) {
          const { caseId, runId, playbook, verdict, answers } = await client.get('/reviews/{id}', {
            params: { id },
          });
          terminal.out(JSON.stringify({ caseId, runId, playbook, state, verdict, answers }));
        }
      end(EXIT.ok);
    });
}

async function* settled(
  client: ConsoleClient,
  state: (typeof SETTLED)[number],
  playbook: string | undefined,
): AsyncGenerator<ListedReview> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = withoutUndefined({ state, limit: PAGE, playbook, cursor });
    const page: ReviewList = await client.get('/reviews', { query });
    yield* page.reviews;
    cursor = page.nextCursor;
  }
}

function addAnswer(reviews: Command, { terminal, end }: CommandContext): void {
  const answer = reviews
    .command('answer')
    .description('agree with verdicts, or correct them; several cases get the same answer')
    .argument('<case...>', CASE)
    .option('--agree', 'the verdict is right')
    .option('--outcome <field=value...>', 'correct value of a deciding field')
    .option('--part <part>', 'what was wrong: verdict, evidence, reasoning, "citation E3" or "unit NAME"')
    .option('--note <text>', 'why')
    .option('--override', 'accept an answer that contradicts the record of the run')
    .option('--dry-run', 'only print the effect of answers to several cases')
    .option('--act-id <id>', 'an id that you choose: a repeated request with this id has no second effect')
    .option('--by <name>', 'who answers', userInfo().username);
  consoleOptions(answer).action(async (parts: string[], options: AnswerOptions) => {
    const { by, note, part, agree, outcome, actId = randomUUID(), dryRun = false } = options;
    if ((agree === undefined) === (outcome === undefined))
      throw wrongOption('--outcome', 'expected either --agree or --outcome');
    const reviewAnswer = outcome === undefined ? { agree: true as const } : { outcome: outcomeFrom(outcome) };
    const about = { ...reviewAnswer, by, actId, ...withoutUndefined({ note }) };
    const client = await connectConsole(options);
    const ids = await Promise.all(parts.map((one) => client.wholeId(one)));
    const [id = ''] = ids;
    if (ids.length === 1 && !dryRun) {
      const body = { ...about, ...withoutUndefined({ part, override: options.override }) };
      const review = await client.post('/reviews/{id}/answer', { params: { id }, body });
      print(terminal, options, review, () => reviewLines(review));
      return end(EXIT.ok);
    }
    const done = await client.post('/reviews/bulk', { body: { ...about, ids, dryRun } });
    print(terminal, options, done, () => bulkLines(done));
    end(done.refused === 0 ? EXIT.ok : EXIT.failed);
  });
}

function addUndo(reviews: Command, { terminal, end }: CommandContext): void {
  const undo = reviews
    .command('undo')
    .description(
      'undo your latest answer on a verdict, or the answers that one request gave to many verdicts',
    )
    .argument('<case...>', CASE)
    .option('--undoes <id>', 'the --act-id of an answer for several cases')
    .option('--dry-run', 'only print the effect of --undoes')
    .option('--note <text>', 'why')
    .option('--by <name>', 'who acts', userInfo().username);
  consoleOptions(undo).action(async (parts: string[], options: UndoOptions) => {
    const { by, note, undoes, dryRun = false } = options;
    const about = { by, actId: randomUUID(), ...withoutUndefined({ note }) };
    const client = await connectConsole(options);
    const ids = await Promise.all(parts.map((one) => client.wholeId(one)));
    const [id = ''] = ids;
    if (undoes === undefined) {
      if (ids.length > 1 || dryRun)
        throw wrongOption('--undoes', 'expected --undoes with the --act-id of the earlier request');
      const review = await client.post('/reviews/{id}/undo', { params: { id }, body: about });
      print(terminal, options, review, () => reviewLines(review));
      return end(EXIT.ok);
    }
    const done = await client.post('/reviews/bulk', { body: { ...about, ids, undoes, dryRun } });
    print(terminal, options, done, () => bulkLines(done));
    end(done.refused === 0 ? EXIT.ok : EXIT.failed);
  });
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };
function withoutUndefined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}
