import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { addAudit } from './audit.js';
import { addBatches } from './batches.js';
import { addCheck } from './check.js';
import { addConditions } from './conditions.js';
import { addConfig } from './config.js';
import { addDeadLetters } from './dead-letters.js';
import { addDestinations } from './destinations.js';
import { addDiff } from './diff.js';
import { addEngagements } from './engagements.js';
import { addErase } from './erase.js';
import { addEval } from './eval.js';
import { addEvolve } from './evolve.js';
import { addExperiments } from './experiments.js';
import { addExport } from './export.js';
import { addFeedback } from './feedback.js';
import { addFlags } from './flags.js';
import { addImports } from './import.js';
import { addKeys } from './keys.js';
import { addMcp } from './mcp.js';
import { addNew } from './new.js';
import { addPatterns } from './patterns.js';
import { addPrompts } from './prompts.js';
import { addProviders } from './providers.js';
import { addQuality } from './quality.js';
import { addRaise } from './raise.js';
import { addReplay } from './replay.js';
import { addReprocess } from './reprocess.js';
import { addReviews } from './reviews.js';
import { addRunbook } from './runbook.js';
import { addSchedules } from './schedules.js';
import { addSessions } from './sessions.js';
import { addShow } from './show.js';
import { addSignal } from './signal.js';
import { addSilences } from './silences.js';
import { addStatus } from './status.js';
import { addSubmit } from './submit.js';
import { addUp } from './up.js';
import { addVerify } from './verify.js';
import { addWatch } from './watch.js';
import { addWebhook } from './webhook.js';

/** Every command, in the order in which `casefile --help` lists them. Each adds itself to the program. */
export const commands: readonly ((program: Command, context: CommandContext) => void)[] = [
  addUp,
  addStatus,
  addConditions,
  addConfig,
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
  addQuality,
  addSignal,
  addRaise,
  addProviders,
  addMcp,
  addPatterns,
  addPrompts,
  addEvolve,
  addFlags,
  addExperiments,
  addEngagements,
  addDeadLetters,
  addDestinations,
  addSilences,
  addSchedules,
  addSessions,
  addAudit,
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
