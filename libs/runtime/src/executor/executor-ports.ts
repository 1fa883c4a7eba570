import type {
  CaseStore,
  ReusableAnswers,
  Clock,
  Ids,
  Logger,
  Queue,
  RunSettings,
  Telemetry,
  TextReader,
  VerdictMessage,
} from '@casefile/contracts';
import type { Playbook, PromptTexts } from '@casefile/pipeline';
import type { ModelPlan } from '../calls/model-plan.js';
import type { SharedCalls } from '../calls/journal.js';
import type { PromptShelf } from '../calls/prompt-shelf.js';
import type { Recordings } from '../rerun/recording.js';
import type { StageToolsPorts } from '../calls/stage-tools.js';

/** What stages are worked with. */
export interface ExecutorPorts extends StageToolsPorts {
  store: CaseStore;
  queue: Pick<Queue, 'nudge'>;
  /** The ways of a run's settings to an answer; null when it goes without. */
  routeOf(settings: RunSettings): ModelPlan | null;
  /** What all model calls share. */
  calls: SharedCalls;
  /** Answers that runs take over from one another. Absent: each makes its own. */
  answers?: ReusableAnswers;
  /** Records of runs that other runs read again. */
  recordings: Pick<Recordings, 'of'>;
  playbookNamed(name: string): Playbook;
  prompts: PromptTexts;
  /** Where texts of prompts are kept. Absent: nowhere. */
  shelf?: Pick<PromptShelf, 'setId' | 'keep' | 'of'>;
  reader: TextReader;
  /** Hands a verdict out; what it does not get done the sweeper does. */
  deliver(message: VerdictMessage): Promise<void>;
  clock: Clock;
  ids: Ids;
  log: Logger;
  telemetry: Telemetry;
}

/** Figures of a configuration that hold for every stage. */
export interface ExecutorLimits {
  leaseMs: number;
  maxCrashes: number;
  crashWindowMs: number;
  /** Most of the time without a holder that a step's deadline stands still for; absent: none of it. */
  deadlinePauseMs?: number;
  /** May a worker go on with the next stage itself where this process hosts it? */
  handOnDirectly?: boolean;
}
