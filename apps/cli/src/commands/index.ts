import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { addOperations } from '../operations/add-operations.js';
import { addAuditExport } from './audit-export.js';
import { addBatches } from './batches.js';
import { addCheck } from './check.js';
import { addConfig } from './config.js';
import { addDiff } from './diff.js';
import { addErase } from './erase.js';
import { addEval } from './eval.js';
import { addExport } from './export.js';
import { addFeedback } from './feedback.js';
import { addImports } from './import.js';
import { addKeys } from './keys.js';
import { addLabels } from './labels.js';
import { addMcp } from './mcp.js';
import { addDatabase } from './database.js';
import { addMigrate } from './migrate.js';
import { addNew } from './new.js';
import { addPrompts } from './prompts.js';
import { addReplay } from './replay.js';
import { addReprocess } from './reprocess.js';
import { addReviews } from './reviews.js';
import { addRunbook } from './runbook.js';
import { addShow } from './show.js';
import { addSignal } from './signal.js';
import { addStatus } from './status.js';
import { addSubmit } from './submit.js';
import { addUp } from './up.js';
import { addVerify } from './verify.js';
import { addWatch } from './watch.js';
import { addWebhook } from './webhook.js';

/** Commands that work without a console or send several requests. Each adds itself to the program. */
const HAND_WRITTEN: readonly ((program: Command, context: CommandContext) => void)[] = [
  addUp,
  addStatus,
  addConfig,
  addMigrate,
  addDatabase,
  addSubmit,
  addCheck,
  addWatch,
  addShow,
  addReplay,
  addDiff,
  addReprocess,
  addBatches,
  addReviews,
  addFeedback,
  addLabels,
  addSignal,
  addMcp,
  addPrompts,
  addAuditExport,
  addKeys,
  addErase,
  addEval,
  addImports,
  addExport,
  addVerify,
  addNew,
  addRunbook,
  addWebhook,
];

/** First commands of `casefile --help`, in this order. The others follow by name. */
const FIRST =
  'up status conditions config submit check watch show replay diff reprocess batches reviews feedback quality'.split(
    ' ',
  );
/** First commands of each group. */
const FIRST_OF_GROUP = ['list', 'show'];

/** Adds every command: the hand-written ones, and one per operation of the API. */
export function addCommands(program: Command, context: CommandContext): void {
  for (const add of HAND_WRITTEN) add(program, context);
  addOperations(program, context);
  sortCommands(program, FIRST);
  for (const group of program.commands) sortCommands(group, FIRST_OF_GROUP);
}

function sortCommands({ commands }: Command, first: readonly string[]): void {
  (commands as Command[]).sort((a, b) => rank(a, first) - rank(b, first) || a.name().localeCompare(b.name()));
}

function rank(command: Command, first: readonly string[]): number {
  const place = first.indexOf(command.name());
  return place === -1 ? first.length : place;
}
