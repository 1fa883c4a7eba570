import type {
  AlertInput,
  CaseStore,
  Clock,
  Ids,
  Logger,
  Queue,
  RunSettings,
  Telemetry,
} from '@casefile/contracts';
import type { Knowledge } from '@casefile/knowledge';
import type { Kind } from '@casefile/kit';
import type { Playbook } from '@casefile/pipeline';
import type { Config } from '../config/read-config.js';
import { EvolutionDriver } from '../evolve/evolution-driver.js';
import { LessonDriver } from '../feedback/lesson-driver.js';
import { type Chore, MonthKeeper, type Nudger } from '@casefile/engine';
import { AuditWriter } from '../sweep/audit-writer.js';
import { BatchDriver } from '../rerun/batch-driver.js';
import { Eraser } from '../sweep/eraser.js';
import { FigureReader } from '../sweep/figure-reader.js';
import { HistoryKeeper } from '../sweep/history-keeper.js';
import { WordReader } from '../sweep/word-reader.js';
import type { Rerun } from '../rerun/rerun.js';
import { ArmWatch } from '../rollout/arm-watch.js';
import type { RolloutSource } from '../rollout/rollout-copy.js';
import { ShadowDriver } from '../rollout/shadow-driver.js';
import { SilenceDriver } from '../silences/silence-driver.js';
import { routedElsewhere } from '../storms/routed-elsewhere.js';
import { StormDriver } from '../storms/storm-driver.js';
import type { Intake } from '../intake/intake.js';
import { ScheduleDriver } from '../schedules/schedule-driver.js';

/** External parts that chores use. */
export interface ChorePorts {
  store: CaseStore;
  queue: Queue;
  clock: Clock;
  log: Logger;
  telemetry: Telemetry;
  knowledge: Pick<Knowledge, 'lessons' | 'pastCases'>;
  config: Pick<Config, 'kinds' | 'settings' | 'prompts' | 'destinations'>;
  ids: Ids;
}

/** Parts of the platform that chores use. */
export interface ChoreParts {
  playbooks: readonly Playbook[];
  rollout: RolloutSource;
  rerun: Rerun;
  intake: Pick<Intake, 'accept'>;
  /** Names of the providers that the installation can use. */
  providers(): readonly string[];
  /** Returns the settings that a new run of this kind would store now. */
  settingsOf(playbook: Playbook, alert: AlertInput): RunSettings;
  firstStage: string;
  nudger: Pick<Nudger, 'nudge'>;
}

/** Returns what one process at a time does after each sweep, in this order. */
export function sweeperChores(
  { store, queue, clock, log, telemetry, knowledge, config, ids }: ChorePorts,
  { playbooks, rollout, rerun, intake, providers, settingsOf, firstStage, nudger }: ChoreParts,
): Record<string, Chore> {
  const { flags, experiments, batches, runs, qualityFigures, history, audit, erasures } = store;
  return {
    arms: new ArmWatch({ flags, rollout, log, telemetry }),
    shadows: new ShadowDriver({
      shadows: experiments,
      batches,
      runs,
      rollout,
      playbooks,
      providers,
      firstStage,
      nudger,
      log,
    }),
    silences: new SilenceDriver({
      store,
      playbooks,
      settingsOf,
      firstStage,
      nudger,
      clock,
      log,
    }),
    storms: new StormDriver({
      store,
      playbooks,
      settingsOf,
      routedElsewhere: (runId, members) =>
        routedElsewhere({ store, destinations: config.destinations }, runId, members),
      firstStage,
      nudger,
      ids,
      log,
    }),
    batches: new BatchDriver({ batches, rerun, playbooks, clock, log }),
    evolutions: new EvolutionDriver({
      ...store,
      installed: config.prompts.installed,
      playbooks,
      settingsOf,
      firstStage,
      nudger,
      log,
    }),
    words: new WordReader(store.searchWords),
    figures: new FigureReader(qualityFigures, config.settings.reviews.sampleShare),
    history: new HistoryKeeper({ history, queue, clock }),
    months: new MonthKeeper({ months: store.callMonths, clock, log }),
    schedules: new ScheduleDriver({
      schedules: config.settings.schedules,
      states: store.schedules,
      intake,
      clock,
      log,
    }),
    audit: new AuditWriter({ audit, clock, log }),
    lessons: new LessonDriver({
      ...store,
      ...knowledge,
      rules: rulesByKind(config.kinds, ({ lessonRule }) => lessonRule),
      pastCaseRules: rulesByKind(config.kinds, ({ pastCaseRule }) => pastCaseRule),
      clock,
      log,
    }),
    // Last, so that readers of events have read what is erased.
    erasures: new Eraser({ erasures, queue, retention: config.settings.retention, clock, log }),
  };
}

/** Returns the rules of the kinds that have one, by the name of the kind. */
function rulesByKind<T>(kinds: readonly Kind[], ruleOf: (kind: Kind) => T | null): Map<string, T> {
  return new Map(
    kinds.flatMap((kind) => {
      const rule = ruleOf(kind);
      return rule === null ? [] : [[kind.playbook.name, rule] as const];
    }),
  );
}
